// SPDX-License-Identifier: Apache-2.0
#pragma once
// clamp(low, x, high): x limited to the bounds, which are scalars or have x's shape, in x's type and layout; a bound of
// another layout is resharded. clip(x, low, high) broadcasts, as maximum and minimum do. select(mask, x, y),
// select_n(which, cases...): operands of exactly one layout; a bool chooses between two cases, false first, an integer
// among several. copy: x. Other uses move 0 bytes. Source: JAX 0.10.2 lax.clamp, lax.select,
// lax.select_n, jnp.clip, jnp.copy; conformance surprises 1 and 2.

#include <tessera/op/base/identity.hpp>
#include <tessera/op/base/relayout.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>

namespace tessera {
namespace ops {

// The loops of clamp, in a class template so that only code that names them compiles them.
template <class Self>
struct clamp_loops {
  static lanes_function block(dtype result, dtype) {
    return tessera::detail::with_compute_type(result, []<class T>(std::type_identity<T>) -> lanes_function {
      if constexpr (accepted(accepts::numbers, dtype_of<T>())) return tessera::detail::lanes_of_op<Self, T, T, T>();
      return nullptr;
    });
  }
};

struct clamp : clamp_loops<clamp> {
  static constexpr std::string_view name = "clamp";
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 3;

  static constexpr verdict rule(rule_input const& in) {
    array_value out = in[1];
    if (!accepted(accepts::numbers, out.element)) return refuse(reason::element_unsupported);
    for (int i = 0; i < 3; ++i) {
      array_value const& x = in[i];
      verdict v;
      if (x.element != out.element)
        v = refuse(reason::elements_disagree);
      else if (!x.unreduced.empty())
        v = refuse(reason::unreduced_operand, -1, x.unreduced);
      else if (x.rank != 0 && x.rank != out.rank)
        v = refuse(reason::ranks_disagree, -1, {}, out.rank, x.rank);
      for (int d = 0; d < x.rank && v; ++d)
        if (x.extent(d) != out.extent(d) && x.extent(d) != dynamic && out.extent(d) != dynamic)
          v = refuse(reason::shapes_disagree, d, {}, out.extent(d), x.extent(d));
      v.operand = i;
      if (!v) return v;
      out.varying |= x.varying;
    }
    return accept(out);
  }
  // Bounds that are literals take x's dtype.
  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const&) {
    term x[]{operands[0], operands[1], operands[2]};
    cast_params to;
    to.element = x[1].facts().element;
    for (int i = 0; i < 3; i += 2)
      if (x[i].facts().weak && x[i].facts().element != to.element) x[i] = make<cast>(b, {x[i]}, to);
    return x[0] && x[2] ? b.template emit<clamp>({x[0], x[1], x[2]}) : term{&b, -1};
  }
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T low, T x, T high) {
    T const above = x != x ? x : low != low ? low : x < low ? low : x;
    return above != above ? above : high != high ? high : above > high ? high : above;
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const like = back.operand(1).facts();
    auto const here = [&](int k) {
      auto const x = back.operand(k);
      return x.facts().rank == 0 ? x : tessera::detail::laid_out_as(back.graph(), x, like);
    };
    term const low = here(0), x = here(1), high = here(2);
    auto const zero = number(back.graph(), 0.0), ct = back.cotangent();
    if (back.wants(0)) {  // the lower bound counts unless the upper one is below it
      auto const below = make<less>(back, {x, low}), lowest = make<less>(back, {low, high});
      back.give(0, make<where>(back, {make<logical_and>(back, {below, lowest}), ct, zero}));
    }
    if (back.wants(1)) {  // 0 at the bounds
      auto const above = make<greater>(back, {x, low}), below = make<less>(back, {x, high});
      back.give(1, make<where>(back, {make<logical_and>(back, {above, below}), ct, zero}));
    }
    if (back.wants(2)) back.give(2, make<where>(back, {make<greater>(back, {x, high}), ct, zero}));
  }
};

struct clip {
  static constexpr std::string_view name = "clip";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    return make<minimum>(b, {make<maximum>(b, {x[0], x[1]}), x[2]});
  }
};

struct select {
  static constexpr std::string_view name = "select";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    array_value const mask = x[0].facts(), yes = x[1].facts(), no = x[2].facts();
    array_value const* const all[]{&mask, &yes, &no};
    verdict const judged = rule::select({b.mesh(), all, 3, {}});
    if (!judged) return b.template refuse<select>(judged, mask, judged.operand == 2 ? no : yes);
    return b.template emit<where>({x[0], x[1], x[2]});
  }
};

// (which, case 0, case 1, ...): which is bool, or an integer of at least 0 and less than the number of cases.
struct select_n {
  static constexpr std::string_view name = "select_n";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const&) {
    array_value const which = x[0].facts();
    if (which.element != dtype::boolean && which.element != dtype::int32)
      return b.template refuse<select_n>(refuse(reason::element_unsupported), which);
    if (which.element == dtype::boolean && count == 3) return make<select>(b, {x[0], x[2], x[1]});
    if (which.element == dtype::boolean && count > 3)
      return b.template refuse<select_n>(refuse(reason::element_unsupported), which);
    term result = x[count - 1];
    for (int i = count - 2; i > 0; --i)
      result = make<select>(b, {make<less_equal>(b, {x[0], number(b, i - 1.0, which.element)}), x[i], result});
    return result;
  }
};

struct copy {
  static constexpr std::string_view name = "copy";
  static constexpr op_class kind = op_class::identity;
  static constexpr verdict rule(rule_input const& in) { return accept(in[0]); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
  }
};

}  // namespace ops

namespace functions {

template <class L, class X, class H>
constexpr auto clamp(L const& low, X const& x, H const& high, site at = std::source_location::current()) {
  return invoke<ops::clamp, no_params>(at, low, x, high);
}
template <class X, class L, class H>
constexpr auto clip(X const& x, L const& low, H const& high, site at = std::source_location::current()) {
  return invoke<ops::clip, no_params>(at, x, low, high);
}
template <class C, class X, class Y>
constexpr auto select(C const& mask, X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::select, no_params>(at, mask, x, y);
}
template <class W, class X, class Y>
constexpr auto select_n(W const& which, X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::select_n, no_params>(at, which, x, y);
}
template <class W, class X, class Y, class Z>
  requires(!std::is_same_v<Z, site>)
constexpr auto select_n(W const& which, X const& x, Y const& y, Z const& z, site at = std::source_location::current()) {
  return invoke<ops::select_n, no_params>(at, which, x, y, z);
}

}  // namespace functions
inline constexpr unary_door<ops::copy> copy;

}  // namespace tessera
