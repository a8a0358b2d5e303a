// SPDX-License-Identifier: Apache-2.0
#pragma once
// checkpoint(f): a gradient keeps only the arguments of f, and the backward pass computes f again: less memory, more
// work, the same values. remat is the same. f may read any value around it.
// Source: JAX 0.10.2 jax.checkpoint, without policies.

#include <tessera/control/cond.hpp>

namespace tessera {

template <class F>
struct checkpointed {
  [[no_unique_address]] F function{};
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return detail::branching<std::tuple<F>>{std::tuple<F>{function}}(0, x...);
  }
};
namespace functions {

template <class F>
constexpr checkpointed<F> checkpoint(F const& f) {
  return {f};
}
template <class F>
constexpr checkpointed<F> remat(F const& f) {
  return {f};
}

}  // namespace functions

}  // namespace tessera
