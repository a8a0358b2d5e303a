// SPDX-License-Identifier: Apache-2.0
#pragma once
// where: (mask, x, y) -> x where the mask is true, y elsewhere; promoted dtype. A mask of numbers is compared with 0.
//   where(x > 0, x, 0.0)
// Operands of equal shapes need equal layouts; of different shapes they broadcast to the common shape and layout.
// Moves 0 bytes. Source: JAX 0.10.2 jnp.where, lax.select_n; conformance surprise 2.

#include <tessera/op/base/promotion.hpp>
#include <tessera/op/elementwise/cast.hpp>
#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/rule/select.hpp>

namespace tessera {
namespace ops {

// The loops of where, in a class template so that only code that names them compiles them.
template <class Self>
struct where_loops {
  static lanes_function block(dtype result, dtype) {
    return detail::with_compute_type(result, []<class T>(std::type_identity<T>) -> lanes_function {
      return detail::loop_of<Self, detail::lane_loop<Self, T, bool, T, T>>();
    });
  }
};

struct where : where_loops<where> {
  static constexpr std::string_view name = "where";
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 3;
  static constexpr verdict rule(rule_input const& in) { return rule::select(in); }

  template <class T>
  TESSERA_FUNCTION static constexpr T eval(bool mask, T x, T y) {
    return mask ? x : y;
  }
  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const&) {
    term x[]{operands[0], operands[1], operands[2]};
    if (!detail::all_as_dtype(b, x, 1, {dtype::boolean, false}) || !detail::promote_dtypes(b, x + 1, 2))
      return {&b, -1};
    array_value const facts[]{x[0].facts(), x[1].facts(), x[2].facts()};
    int const first = facts[0].rank == 0 ? 1 : 0;  // a scalar mask chooses whole arrays
    bool alike = true;
    for (int i = first + 1; i < 3; ++i) alike = alike && facts[i].same_shape(facts[first]);
    if (!alike) {
      array_value const* const all[]{&facts[first], &facts[first + 1], &facts[2]};
      verdict const joined = rule::broadcast({b.mesh(), all, 3 - first, {}}, rule::partial_sums::any);
      if (!joined) {
        int const at = joined.operand < 0 ? 0 : joined.operand;
        return b.template refuse<where>(joined, *all[0], *all[at]);
      }
      attributes to = broadcast_params{{}, joined.result.shape()};
      to.has_out = true;
      for (int i = first; i < 3; ++i) {
        if (facts[i].rank == 0) continue;
        to.out = layout_of(joined.result);
        to.out.unreduced = facts[i].unreduced;
        to.out.reduced = facts[i].reduced;
        x[i] = make<broadcast_to>(b, {x[i]}, to);
        if (!x[i]) return x[i];
      }
    }
    return b.template emit<where>({x[0], x[1], x[2]});
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const zero = number(back.graph(), 0.0, back.cotangent().facts().element);
    if (back.wants(1)) back.give(1, make<where>(back, {back.operand(0), back.cotangent(), zero}));
    if (back.wants(2)) back.give(2, make<where>(back, {back.operand(0), zero, back.cotangent()}));
  }
};

}  // namespace ops

namespace functions {

template <class C, class X, class Y>
constexpr auto where(C const& mask, X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::where, no_params>(at, mask, x, y);
}

}  // namespace functions

}  // namespace tessera
