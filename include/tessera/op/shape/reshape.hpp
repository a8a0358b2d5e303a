// SPDX-License-Identifier: Apache-2.0
#pragma once
// reshape: x -> another shape, row-major order kept; one extent may be `infer`.
//   reshape<4, 2, 4>(x)   reshape<32>(x, out_sharding<P<axes<dp, mp>>>)   ravel(x)
// A node of a graph moves 0 bytes: if the rule's result needs other blocks than the operand has, reshards are inserted
// before or after it, which have the bytes. Source: JAX 0.10.2 lax.reshape.

#include <tessera/graph/backward.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/base/relayout.hpp>
#include <tessera/rule/carried_layout.hpp>
#include <tessera/rule/reshape.hpp>

namespace tessera {
namespace ops {

struct reshape {
  static constexpr std::string_view name = "reshape";
  static constexpr op_class kind = op_class::reshape;
  static constexpr verdict rule(rule_input const& in) { return rule::reshape(in); }

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    array_value const* const facts[]{&operand};
    verdict const judged = rule({b.mesh(), facts, 1, attrs});
    if (!judged) return b.template refuse<reshape>(judged, operand);
    array_value const& result = judged.result;
    attributes to{reshape_params{result.shape()}, layout_of(result)};
    if (rule::keeps_blocks(operand, result, b.mesh())) return b.template emit<reshape>({x[0]}, to);
    auto const forward = rule::carry(operand, result, b.mesh());
    auto const backward = rule::carry(result, operand, b.mesh());
    bool const before = !forward.from.same_spec(operand) && backward.from.same_spec(result);
    term moved = detail::laid_out_as(b, x[0], before ? backward.to : forward.from);
    if (!moved) return moved;
    to.out = layout_of(before ? backward.from : forward.to);
    moved = b.template emit<reshape>({moved}, to);
    return detail::laid_out_as(b, moved, result);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    attributes const to{reshape_params{x.shape()}, back.layout(0)};
    back.give(0, make<reshape>(back, {back.cotangent()}, to));
  }
};

// The elements of x in row-major order: one dimension.
template <class B>
constexpr term flattened(B& b, term x) {
  return !x || x.facts().rank == 1 ? x : make<reshape>(b, {x}, reshape_params{{dynamic}});
}

}  // namespace ops

inline constexpr std::int64_t infer = dynamic;  // in reshape: the extent that the others imply

template <std::int64_t... Extents>
struct reshape_to {
  static_assert(((Extents >= 0 || Extents == infer) && ...) && (0 + ... + int{Extents == infer}) <= 1,
                "tessera: reshape has at most one extent to infer. Fix: write the others as numbers.");
  template <Mesh M>
  static constexpr reshape_params on() {
    return {extents_list{Extents...}};
  }
};

namespace functions {

template <std::int64_t... Extents, class X>
constexpr auto reshape(X const& x, site at = std::source_location::current()) {
  return invoke<ops::reshape, reshape_to<Extents...>>(at, x);
}
template <std::int64_t... Extents, class X, Spec S, Mesh M>
constexpr auto reshape(X const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::reshape, with_out<reshape_to<Extents...>, S, M>>(at, x);
}
template <class X>
constexpr auto ravel(X const& x, site at = std::source_location::current()) {
  return invoke<ops::reshape, reshape_to<infer>>(at, x);
}
template <class X, Spec S, Mesh M>
constexpr auto ravel(X const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::reshape, with_out<reshape_to<infer>, S, M>>(at, x);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
