// SPDX-License-Identifier: Apache-2.0
#pragma once
// checkpoint(f): a gradient keeps only the arguments of f, and the backward pass computes f again: less memory, more
// work, the same values. remat is the same. f may read any value around it.
//   checkpoint(f, checkpoint_policies::dots_saveable)   also keeps the values that the policy says
//   checkpoint(f, remat_to<bytes>)                      also keeps what spares most work, in so many bytes
// Source: JAX 0.10.2 jax.checkpoint, jax.remat.

#include <tessera/control/checkpoint_policies.hpp>
#include <tessera/control/cond.hpp>
#include <tessera/control/remat_to.hpp>

namespace tessera {

// Policy: void keeps nothing.
template <class F, class Policy = void>
struct checkpointed {
  [[no_unique_address]] F function;
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return detail::branching<std::tuple<F>, Policy>{std::tuple<F>{function}}.at_line(site{}, 0, x...);
  }
};
namespace functions {

template <class F>
constexpr checkpointed<F> checkpoint(F const& f) {
  return {f};
}
template <class F, class Policy>
constexpr checkpointed<F, Policy> checkpoint(F const& f, Policy const&) {
  return {f};
}
template <class F>
constexpr checkpointed<F> remat(F const& f) {
  return {f};
}
template <class F, class Policy>
constexpr checkpointed<F, Policy> remat(F const& f, Policy const&) {
  return {f};
}

}  // namespace functions

}  // namespace tessera
