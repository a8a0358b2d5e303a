// SPDX-License-Identifier: Apache-2.0
#pragma once
// expand_dims, squeeze: x -> the same with dimensions of size 1 added or removed, all other entries kept. Both are
// reshapes. Moves 0 bytes.
//   expand_dims<0, 2>(x)   squeeze<1>(x)   squeeze(x) removes all of them
//   atleast_1d(x)   atleast_2d(x): [n] -> [1,n]   atleast_3d(x): [n] -> [1,n,1], [m,n] -> [m,n,1]
// Source: JAX 0.10.2 jnp.expand_dims, jnp.squeeze, jnp.atleast_1d. Negative dimensions count from the end (of the
// result / operand).

#include <tessera/op/shape/reshape.hpp>

namespace tessera {
namespace ops {

// The new dimensions of the result.
struct expand_dims_params {
  extents_list dims{};
  static constexpr void fields(auto& p, auto&& each) { each(p.dims); }
};
struct expand_dims {
  static constexpr std::string_view name = "expand_dims";
  static constexpr op_class kind = op_class::reshape;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    extents_list const dims = attrs.as<expand_dims_params>().dims;
    int const rank = operand.rank + dims.size();
    if (rank > max_rank)
      return b.template refuse<expand_dims>(refuse(reason::ranks_disagree, -1, {}, rank, max_rank), operand);
    axis_set fresh;
    for (auto d : dims) {
      auto const at = d < 0 ? d + rank : d;
      if (at < 0 || at >= rank || fresh.contains(static_cast<int>(at)))
        return b.template refuse<expand_dims>(refuse(reason::dim_out_of_range, -1, {}, d, rank), operand);
      fresh |= axis_set::of(static_cast<int>(at));
    }
    array_value out = operand;
    out.rank = 0;
    for (int d = 0, from = 0; d < rank; ++d) {
      if (fresh.contains(d)) {
        out.add_dim(1);
      } else {
        out.add_dim(operand.extent(from), operand.entry(from));
        ++from;
      }
    }
    return make<reshape>(b, {x[0]}, shape_and_layout(out));
  }
  static constexpr attributes shape_and_layout(array_value const& out) {
    return {reshape_params{out.shape()}, layout_of(out)};
  }
};

// The dimensions of the operand that are removed.
struct squeeze_params {
  extents_list dims{};
  bool all = false;  // of size 1
  static constexpr void fields(auto& p, auto&& each) { each(p.dims, p.all); }
};
struct squeeze {
  static constexpr std::string_view name = "squeeze";
  static constexpr op_class kind = op_class::reshape;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    auto const asked = attrs.as<squeeze_params>();
    axis_set gone;
    for (auto d : asked.dims) {
      auto const at = static_cast<int>(d < 0 ? d + operand.rank : d);
      if (at < 0 || at >= operand.rank || gone.contains(at))
        return b.template refuse<squeeze>(refuse(reason::dim_out_of_range, -1, {}, d, operand.rank), operand);
      if (operand.extent(at) != 1 && operand.extent(at) != dynamic)
        return b.template refuse<squeeze>(refuse(reason::shapes_disagree, at, {}, operand.extent(at), 1), operand);
      gone |= axis_set::of(at);
    }
    array_value out = operand;
    out.rank = 0;
    out.spec = {};
    for (int d = 0; d < operand.rank; ++d)
      if (!gone.contains(d) && !(asked.all && operand.extent(d) == 1)) out.add_dim(operand.extent(d), operand.entry(d));
    return make<reshape>(b, {x[0]}, expand_dims::shape_and_layout(out));
  }
};

struct atleast_params {
  int rank = 1;
  static constexpr void fields(auto& p, auto&& each) { each(p.rank); }
};
struct atleast {
  static constexpr std::string_view name = "atleast";
  static constexpr op_class kind = op_class::reshape;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    int const rank = x[0].facts().rank, least = attrs.as<atleast_params>().rank;
    expand_dims_params fresh;
    if (rank == 0)
      for (int d = 0; d < least; ++d) fresh.dims.push_back(d);
    if (rank == 1 && least > 1) fresh.dims.push_back(0);
    if ((rank == 1 || rank == 2) && least == 3) fresh.dims.push_back(2);
    return fresh.dims.empty() ? x[0] : make<expand_dims>(b, {x[0]}, fresh);
  }
};

}  // namespace ops

template <int... Dims>
struct expanded_dims {
  template <Mesh M>
  static constexpr ops::expand_dims_params on() {
    return {extents_list{Dims...}};
  }
};
template <bool All, int... Dims>
struct squeezed_dims {
  template <Mesh M>
  static constexpr ops::squeeze_params on() {
    return {extents_list{Dims...}, All};
  }
};
namespace functions {

template <int... Dims, class X>
constexpr auto expand_dims(X const& x, site at = std::source_location::current()) {
  static_assert(sizeof...(Dims) > 0, "tessera: expand_dims needs a place. Fix: expand_dims<0>(x).");
  return invoke<ops::expand_dims, expanded_dims<Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto squeeze(X const& x, site at = std::source_location::current()) {
  return invoke<ops::squeeze, squeezed_dims<sizeof...(Dims) == 0, Dims...>>(at, x);
}

}  // namespace functions

template <int Least>
struct at_least {
  template <Mesh M>
  static constexpr ops::atleast_params on() {
    return {Least};
  }
};
inline constexpr unary_door<ops::atleast, at_least<1>> atleast_1d;
inline constexpr unary_door<ops::atleast, at_least<2>> atleast_2d;
inline constexpr unary_door<ops::atleast, at_least<3>> atleast_3d;

}  // namespace tessera
