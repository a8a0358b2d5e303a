// SPDX-License-Identifier: Apache-2.0
#pragma once
// psum<dp>(x), pmax, pmin, pmean: the blocks of all devices along the axes combined: {V} -> {V without them}. Bytes a
// device sends on a ring of n: ceil(2 (n - 1) B / n), B its block. A value that varies over none of the axes counts n
// times in a sum. psum of booleans counts true values. Transpose of psum: pvary; pmax and pmin have none.
// Source: JAX 0.10.2 lax.psum, pmean, pmax, pmin.

#include <tessera/manual/axes.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/varying.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/cast.hpp>

namespace tessera {
namespace ops {

// The sum that Sum makes of x, divided by the number of devices.
template <class Sum, class B>
constexpr term mean_of_devices(B& b, term x, attributes const& attrs, std::int64_t devices) {
  auto const terms = is_floating(x.facts().element) ? x : make<cast>(b, {x}, cast_params{});
  auto const sum = make<Sum>(b, {terms}, attrs);
  return sum ? sum / static_cast<double>(devices) : sum;
}

template <monoid Monoid>
struct p_extreme {
  static constexpr std::string_view name = Monoid == monoid::max ? "pmax" : "pmin";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::all_reduce;
  static constexpr monoid reduction = Monoid;
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::all_reduce); }
};

// psum / the number of devices.
struct pmean {
  static constexpr std::string_view name = "pmean";
  static constexpr op_class kind = op_class::collective;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    return mean_of_devices<psum>(b, x[0], attrs, b.mesh().devices(attrs.as<collective_params>().axes));
  }
};

}  // namespace ops

namespace functions {

template <Axis... A, class X>
constexpr auto psum(X const& x, site at = std::source_location::current()) {
  return invoke<ops::psum, joined_axes<A...>>(at, x);
}
template <Axis... A, class X>
constexpr auto pmean(X const& x, site at = std::source_location::current()) {
  return invoke<ops::pmean, joined_axes<A...>>(at, x);
}
template <Axis... A, class X>
constexpr auto pmax(X const& x, site at = std::source_location::current()) {
  return invoke<ops::p_extreme<monoid::max>, joined_axes<A...>>(at, x);
}
template <Axis... A, class X>
constexpr auto pmin(X const& x, site at = std::source_location::current()) {
  return invoke<ops::p_extreme<monoid::min>, joined_axes<A...>>(at, x);
}

}  // namespace functions

}  // namespace tessera
