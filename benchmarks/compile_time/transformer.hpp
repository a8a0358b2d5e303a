// SPDX-License-Identifier: Apache-2.0
#pragma once
// A translation unit with the training step of examples/transformer, jitted, for parameters of other depths.

#include "../../examples/transformer/model.hpp"

#include <tessera/tessera.hpp>

namespace transformer {

// A tree of array types as a tree of arrays.
template <class Tree>
using arrays = decltype(ts::tree_map([](auto leaf) { return ts::array<decltype(leaf)>{}; }, std::declval<Tree>()));

// Parameters: unrolled_types<2>, or the like.
template <class Parameters, class Arrays = arrays<Parameters>, class State = arrays<state_of<Parameters>>>
auto step_of(Arrays p, State state, ts::array<token_ids> const& tokens, ts::array<token_ids> const& next, float rate) {
  return ts::jit<train_step>(std::move(p), std::move(state), tokens, next, rate);
}
template <class Parameters>
inline constexpr auto const& communication_of_step =
    ts::comm_of<train_step, Parameters, state_of<Parameters>, token_ids, token_ids, float>;

}  // namespace transformer
