// SPDX-License-Identifier: Apache-2.0
#pragma once
// pvary, psum and pcast as operations, which differentiation and promotion insert in code of one device. The functions
// for users are in manual/.

#include <tessera/graph/backward.hpp>
#include <tessera/op/elementwise/cast.hpp>
#include <tessera/rule/manual.hpp>

namespace tessera::ops {

struct pvary {
  static constexpr std::string_view name = "pvary";
  static constexpr op_class kind = op_class::identity;
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::cast_varying); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());  // give() sums over axes on which the operand does not vary
  }
};

struct pcast_reduced;

// Booleans are summed as integers.
template <class B>
constexpr term terms_of_psum(B& b, term x) {
  if (x.facts().element != dtype::boolean) return x;
  return make<cast>(b, {x}, cast_params{dtype::int32});
}

struct psum {
  static constexpr std::string_view name = "psum";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::all_reduce;
  static constexpr monoid reduction = monoid::sum;
  static constexpr verdict rule(rule_input const& in) { return rule::sum_over_manual(in, &rule::all_reduce); }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    collective_params const over = attrs.as<collective_params>();
    return b.template emit<psum>({terms_of_psum(b, x[0])}, collective_params{over.axes, {}, over.unchecked});
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    attributes const attrs = back.attrs();
    collective_params const& over = attrs.as<collective_params>();
    array_value const x = back.operand(0).facts();
    if (x.unreduced.contains(over.axes)) return back.give(0, make<pcast_reduced>(back, {back.cotangent()}, attrs));
    auto const copies = make<pvary>(back, {back.cotangent()}, attrs);
    // If the value did not vary, each device's copy was counted: give() sums over them. Unchecked, each device's result
    // is its own.
    bool const counted = !(over.axes - x.varying).empty() || !(over.axes & over.unchecked).empty();
    back.give(0, counted ? make<psum>(back, {copies}, attrs) : copies);
  }
};

struct pcast_reduced {
  static constexpr std::string_view name = "pcast";
  static constexpr op_class kind = op_class::identity;
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::cast_reduced); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<psum>(back, {back.cotangent()}, back.attrs()));
  }
};
struct pcast_unreduced {
  static constexpr std::string_view name = "pcast";
  static constexpr op_class kind = op_class::identity;
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::cast_unreduced); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<pvary>(back, {back.cotangent()}, back.attrs()));
  }
};

}  // namespace tessera::ops
