// SPDX-License-Identifier: Apache-2.0
#pragma once
// The entry of every typed operation of the user. The op is checked on the operands' facts at compile time, then
// recorded (traced operands), kept as a constant, run (arrays), or poisoned.

#include <tessera/aval/array_type.hpp>
#include <tessera/base/functions.hpp>
#include <tessera/graph/builder.hpp>

#include <array>
#include <tuple>
#include <utility>

namespace tessera {

// Parameters of an op as a type: `on<M>()` returns them as plain data for a mesh.
struct no_params {
  template <Mesh M>
  static constexpr attributes on() {
    return {};
  }
};

// Defined in trace/apply.hpp.
template <class Op, class Params, class... X>
constexpr auto invoke(site at, X const&... x);

namespace detail {
// Whether a value that the operation met gave it the mesh, so that it is part of a program: trace/unplaced.hpp.
template <class Params>
inline constexpr bool is_placed = false;

// The same on the parts of a tuple or array, without std::apply, whose calls would add lines to an error's text.
template <class Op, class Params, std::size_t... I, class List>
constexpr auto invoke_on_parts(std::index_sequence<I...>, site at, List const& list) {
  return invoke<Op, Params>(at, std::get<I>(list)...);
}
// Defined in trace/unplaced.hpp.
template <class Params, class... X>
constexpr bool asks_for_place();
template <class Op, class Params, class... X>
constexpr auto invoke_placed(site at, X const&... x);
}  // namespace detail

}  // namespace tessera
