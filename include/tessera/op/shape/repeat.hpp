// SPDX-License-Identifier: Apache-2.0
#pragma once
// repeat: x -> each element a number of times, one after the other, along a dimension; without a dimension, of x in
// row-major order.
//   repeat<2, 0>(x)   repeat<3>(x)   repeat<2, 0>(x, out_sharding<P<dp>>)
// A sharded dimension needs out_sharding. Bytes: those of the reshards to and from whole dimensions; otherwise none.
// Source: JAX 0.10.2 jnp.repeat.

#include <tessera/op/base/relayout.hpp>
#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/op/shape/reshape.hpp>

namespace tessera {
namespace ops {

// The number of times and the dimension; without one the array is flattened.
struct repeat_params {
  std::int64_t times = 1;
  extents_list dim{};
  static constexpr void fields(auto& p, auto&& each) { each(p.times, p.dim); }
};
struct repeat {
  static constexpr std::string_view name = "repeat";
  static constexpr op_class kind = op_class::broadcast;

  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const& attrs) {
    term x = operands[0];
    array_value const given = x.facts();
    auto const [times, dim] = attrs.as<repeat_params>();
    bool const flat = dim.empty();
    auto const d = static_cast<int>(flat ? 0 : dim[0] < 0 ? dim[0] + given.rank : dim[0]);
    if (!flat && (d < 0 || d >= given.rank))
      return b.template refuse<repeat>(refuse(reason::dim_out_of_range, -1, {}, dim[0], given.rank), given);
    if (given.rank == max_rank)
      return b.template refuse<repeat>(refuse(reason::ranks_disagree, -1, {}, given.rank + 1, max_rank), given);
    axis_set working;
    for (int i = 0; i < given.rank; ++i)
      if (flat || i == d) working |= axis_set::of(i);
    if (!attrs.has_out)
      for (int i = 0; i < given.rank; ++i)
        if (working.contains(i) && !given.entry(i).empty())
          return b.template refuse<repeat>(refuse(reason::needs_out_sharding, i, given.entry(i).axes()), given);
    array_value out = given;
    if (flat) {
      out.rank = 0;
      out.spec = {};
      out.add_dim(given.size());
    }
    if (out.extent(d) != dynamic) out.extent(d) *= times;
    verdict placed = accept(out);
    if (attrs.has_out) placed = rule::with_spec(out, attrs.out, b.mesh());
    if (!placed) return b.template refuse<repeat>(placed, given);
    x = laid_out_whole(b, x, working, flat);
    if (!x) return x;
    array_value const whole = x.facts();
    array_value wide = whole;
    wide.rank = 0;
    wide.spec = {};
    broadcast_params places;
    for (int i = 0; i < whole.rank; ++i) {
      places.dims.push_back(wide.rank);
      wide.add_dim(whole.extent(i), whole.entry(i));
      if (i == d) wide.add_dim(times);
    }
    for (int i = 0; i < wide.rank; ++i) places.shape.push_back(wide.extent(i));
    array_value made = whole;
    made.extent(d) = out.extent(d);
    made.entry(d) = {};
    auto const spread = make<broadcast_to>(b, {x}, places);
    if (!spread) return spread;
    return detail::laid_out_as(b, make<reshape>(b, {spread}, expand_dims::shape_and_layout(made)), placed.result);
  }

private:
  template <class B>
  static constexpr term laid_out_whole(B& b, term x, axis_set dims, bool flat) {
    array_value whole = x.facts();
    for (int i = 0; i < whole.rank; ++i)
      if (dims.contains(i)) whole.entry(i) = {};
    x = detail::laid_out_as(b, x, whole);
    return flat ? flattened(b, x) : x;
  }
};

}  // namespace ops

template <std::int64_t Times, int... Dim>
struct repeated_each {
  static_assert(Times >= 0 && sizeof...(Dim) < 2, "tessera: repeat<times>(x) or repeat<times, dimension>(x).");
  template <Mesh M>
  static constexpr ops::repeat_params on() {
    return {Times, extents_list{Dim...}};
  }
};
namespace functions {

template <std::int64_t Times, int... Dim, class X>
constexpr auto repeat(X const& x, site at = std::source_location::current()) {
  return invoke<ops::repeat, repeated_each<Times, Dim...>>(at, x);
}
template <std::int64_t Times, int... Dim, class X, Spec S, Mesh M>
constexpr auto repeat(X const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::repeat, with_out<repeated_each<Times, Dim...>, S, M>>(at, x);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
