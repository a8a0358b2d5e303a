// SPDX-License-Identifier: Apache-2.0
#pragma once
// psum<dp>(x), pmax, pmin, pmean: the blocks of all devices along the axes combined: {V} -> {V without them}. Bytes a
// device sends on a ring of n: ceil(2 (n - 1) B / n), B its block. A value that varies over none of the axes counts n
// times in a sum. psum of booleans counts them. Transpose of psum: pvary; pmax and pmin have none.
// Source: JAX 0.10.2 lax.psum, pmean, pmax, pmin.

#include <tessera/manual/pvary.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/cast.hpp>

namespace tessera {
namespace ops {

struct pcast_reduced;

// Booleans are counted.
template <class B>
constexpr term terms_of_psum(B& b, term x) {
  if (x.facts().element != dtype::boolean) return x;
  attributes to;
  to.element = dtype::int32;
  return b.template make<cast>({x}, to);
}
// The sum that Sum makes of x, divided by the number of devices.
template <class Sum, class B>
constexpr term mean_of_devices(B& b, term x, attributes const& attrs, std::int64_t devices) {
  term const terms = is_floating(x.facts().element) ? x : b.template make<cast>({x}, attributes{});
  term const sum = b.template make<Sum>({terms}, attrs);
  return sum ? b.template make<divide>({sum, number(b, static_cast<double>(devices))}) : sum;
}

struct psum {
  static constexpr std::string_view name = "psum";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::all_reduce;
  static constexpr monoid reduction = monoid::sum;
  static constexpr verdict rule(rule_input const& in) { return rule::sum_over_manual(in, &rule::all_reduce); }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    attributes axes;
    axes.axes = attrs.axes;
    axes.out.unreduced = attrs.out.unreduced;
    return b.template emit<psum>({terms_of_psum(b, x[0])}, axes);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    attributes const attrs = back.attrs();
    array_value const x = back.operand(0).facts();
    if (x.unreduced.contains(attrs.axes))
      return back.give(0, back.template make<pcast_reduced>({back.cotangent()}, attrs));
    term const copies = back.template make<pvary>({back.cotangent()}, attrs);
    // Of a value that did not vary, each device's copy was counted: give() sums over them. Unchecked, each device's
    // result is its own.
    bool const counted = !(attrs.axes - x.varying).empty() || !(attrs.axes & attrs.out.unreduced).empty();
    back.give(0, counted ? back.template make<psum>({copies}, attrs) : copies);
  }
};

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
    return mean_of_devices<psum>(b, x[0], attrs, b.mesh().devices(attrs.axes));
  }
};

}  // namespace ops

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

}  // namespace tessera

#include <tessera/manual/pcast.hpp>
