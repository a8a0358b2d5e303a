// SPDX-License-Identifier: Apache-2.0
#pragma once
// pcast<dp>(x, to_varying | to_reduced | to_unreduced): the same blocks with another type.
//   to_varying    {} or {R:dp} -> {V:dp}   pvary
//   to_reduced    {} -> {R:dp}             the same on all devices; its gradient is left as a partial sum
//   to_unreduced  {V:dp} -> {U:dp}         each device's block is one term of a sum that psum<dp> computes later
// Terms of a sum can be added, scaled by values that are reduced over dp, summed along dimensions and reshaped; psum
// and psum_scatter accept them, and out_specs<P<unreduced<dp>>> returns them. Moves 0 bytes. Transposes: that of
// to_varying is psum, of to_reduced the partial sum {U:dp}, of to_unreduced to_varying.
// Source: JAX 0.10.2 lax.pcast.

#include <tessera/manual/pvary.hpp>

namespace tessera {

struct to_varying_t {};
inline constexpr to_varying_t to_varying{};
struct to_reduced_t {};
inline constexpr to_reduced_t to_reduced{};
struct to_unreduced_t {};
inline constexpr to_unreduced_t to_unreduced{};

namespace functions {

template <Axis... A, class X>
constexpr auto pcast(X const& x, to_varying_t, site at = std::source_location::current()) {
  return invoke<ops::pvary, joined_axes<A...>>(at, x);
}
template <Axis... A, class X>
constexpr auto pcast(X const& x, to_reduced_t, site at = std::source_location::current()) {
  return invoke<ops::pcast_reduced, joined_axes<A...>>(at, x);
}
template <Axis... A, class X>
constexpr auto pcast(X const& x, to_unreduced_t, site at = std::source_location::current()) {
  return invoke<ops::pcast_unreduced, joined_axes<A...>>(at, x);
}

}  // namespace functions

}  // namespace tessera
