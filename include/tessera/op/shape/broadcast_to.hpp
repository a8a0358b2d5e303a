// SPDX-License-Identifier: Apache-2.0
#pragma once
// broadcast_to: x -> another shape, as in numpy (or operand dimension i at result dimension dims[i]).
//   broadcast_to<3, 8, 4>(x)   broadcast_to<8, 4>(x, out_sharding<P<dp>>)   broadcast_in_dim<shape<8, 4>, 1>(x)
// New dimensions are unsharded, kept ones keep their entry; out_sharding may split the new ones: moves 0 bytes. If it
// gives a kept dimension another entry (broadcast_in_dim only), a reshard follows.
// Source: JAX 0.10.2 jnp.broadcast_to, lax.broadcast_in_dim; conformance surprise 9.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/base/relayout.hpp>
#include <tessera/rule/movement.hpp>

namespace tessera {
namespace ops {

struct reduce_sum;
struct reshape;

struct broadcast_to {
  static constexpr std::string_view name = "broadcast_to";
  static constexpr op_class kind = op_class::broadcast;
  static constexpr verdict rule(rule_input const& in) { return rule::broadcast_in_dim(in); }

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes attrs) {
    array_value const operand = x[0].facts();
    broadcast_params places = attrs.template as<broadcast_params>();
    if (places.dims.empty() && operand.rank > 0) {
      int const shift = places.shape.size() - operand.rank;
      if (shift < 0)
        return b.template refuse<broadcast_to>(
            refuse(reason::ranks_disagree, -1, {}, operand.rank, places.shape.size()), operand);
      for (int d = 0; d < operand.rank; ++d) {
        places.dims.push_back(d + shift);
        auto const kept = operand.entry(d), wanted = attrs.out[d + shift];
        if (attrs.has_out && !kept.empty() && !(kept == wanted))
          return b.template refuse<broadcast_to>(refuse(reason::dims_disagree, d, kept.axes() | wanted.axes()),
                                                 operand);
      }
      attrs.set(places);
    }
    array_value const* const facts[]{&operand};
    verdict const judged = rule({b.mesh(), facts, 1, attrs});
    if (!judged) return b.template refuse<broadcast_to>(judged, operand);
    array_value const& result = judged.result;
    if (result.same_shape(operand)) return detail::laid_out_as(b, x[0], result);
    // Kept dimensions that are whole are split as requested first, so that a gradient is summed before it is gathered;
    // others keep their entries here, and a reshard does the rest.
    array_value narrow = operand;
    for (int i = 0; i < operand.rank && attrs.has_out; ++i) {
      auto const d = static_cast<int>(places.dims[i]);
      if (operand.extent(i) == result.extent(d) && operand.entry(i).empty()) narrow.entry(i) = result.entry(d);
    }
    bool const first = !narrow.same_spec(operand) && rule::each_axis_once(narrow) && operand.unreduced.empty();
    if (first) {
      auto const split = detail::laid_out_as(b, x[0], narrow);
      return split ? build(b, &split, 1, attrs) : split;
    }
    attributes to = attrs;
    to.out = layout_of(result);
    axis_set kept;
    for (int i = 0; i < operand.rank; ++i) kept |= operand.entry(i).axes();
    for (int d = 0; d < result.rank && attrs.has_out; ++d) {
      int const from = places.dims.find(d);
      entry_value entry = result.entry(d);
      if (from >= 0 && operand.extent(from) == result.extent(d))
        entry = operand.entry(from);
      else if (!(entry.axes() & kept).empty())
        entry = {};
      to.out.entries[d] = entry;
    }
    to.out.unreduced = operand.unreduced;
    to.out.reduced = operand.reduced;
    auto const wide = b.template emit<broadcast_to>({x[0]}, to);
    return detail::laid_out_as(b, wide, result);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const x = back.operand(0).facts();
    broadcast_params const places = back.attrs().template as<broadcast_params>();
    reduce_params sum;
    for (int d = 0; d < places.shape.size(); ++d) {
      int const from = places.dims.find(d);
      if (from < 0 || (x.extent(from) == 1 && places.shape[d] != 1)) sum.dims.push_back(d);
    }
    term ct = back.cotangent();
    if (!sum.dims.empty()) ct = make<reduce_sum>(back, {ct}, sum);
    if (ct && ct.facts().rank != x.rank) ct = make<reshape>(back, {ct}, reshape_params{x.shape()});
    back.give(0, ct);
  }
};

}  // namespace ops

template <class Shape, int... Dims>
struct broadcast_into;
template <std::int64_t... Extents, int... Dims>
struct broadcast_into<shape<Extents...>, Dims...> {
  static_assert(
      ((Extents >= 0) && ...),
      "tessera: this array's extents are numbers. Fix: zeros_like(x), ones_like(x), full_like(x, v) take those of x.");
  template <Mesh M>
  static constexpr broadcast_params on() {
    return {extents_list{Dims...}, extents_list{Extents...}};
  }
};

namespace functions {

template <std::int64_t... Extents, class X>
constexpr auto broadcast_to(X const& x, site at = std::source_location::current()) {
  return invoke<ops::broadcast_to, broadcast_into<shape<Extents...>>>(at, x);
}
template <std::int64_t... Extents, class X, Spec S, Mesh M>
constexpr auto broadcast_to(X const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::broadcast_to, with_out<broadcast_into<shape<Extents...>>, S, M>>(at, x);
}
// Operand dimension i becomes dimension Dims[i] of the result.
template <class Shape, int... Dims, class X>
constexpr auto broadcast_in_dim(X const& x, site at = std::source_location::current()) {
  return invoke<ops::broadcast_to, broadcast_into<Shape, Dims...>>(at, x);
}
template <class Shape, int... Dims, class X, Spec S, Mesh M>
constexpr auto broadcast_in_dim(X const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::broadcast_to, with_out<broadcast_into<Shape, Dims...>, S, M>>(at, x);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
