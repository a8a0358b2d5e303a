// SPDX-License-Identifier: Apache-2.0
#pragma once
// dynamic_slice and dynamic_update_slice of one dimension, the others whole.
//   dynamic_slice_in_dim<0, 4>(x, i)   dynamic_index_in_dim<0>(x, i): [1, ...]
//   dynamic_index_in_dim<0, false>(x, i): without the dimension
//   dynamic_update_slice_in_dim<0>(x, part, i)
//   dynamic_update_index_in_dim<0>(x, part, i): part with or without the dimension
// Source: JAX 0.10.2 lax.dynamic_slice_in_dim, dynamic_index_in_dim, dynamic_update_slice_in_dim.

#include <tessera/op/index/dynamic_slice.hpp>
#include <tessera/op/index/gather.hpp>
#include <tessera/op/shape/expand_dims.hpp>

namespace tessera {
namespace ops {

// The same along one dimension, which may be removed: (x, start).
struct dynamic_slice_in_dim_params {
  std::int64_t dim = 0, size = 1;
  bool gone = false;  // the dimension: of the slice, or maybe of what is written
  static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.size, p.gone); }
};
struct dynamic_slice_in_dim {
  static constexpr std::string_view name = "dynamic_slice_in_dim";
  static constexpr op_class kind = op_class::gather;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    auto const asked = attrs.as<dynamic_slice_in_dim_params>();
    auto const dim = static_cast<int>(asked.dim < 0 ? asked.dim + operand.rank : asked.dim);
    if (dim < 0 || dim >= operand.rank)
      return b.template refuse<dynamic_slice_in_dim>(refuse(reason::dim_out_of_range, -1, {}, asked.dim, operand.rank),
                                                     operand);
    term all[builder::max_operands]{x[0]};
    dynamic_slice_params to;
    for (int d = 0; d < operand.rank; ++d) {
      to.sizes.push_back(d == dim ? asked.size : operand.extent(d));
      all[d + 1] = x[1];
    }
    auto const part = make<dynamic_slice>(b, all, operand.rank + 1, to);
    return part && asked.gone ? make<squeeze>(b, {part}, squeeze_params{{dim}}) : part;
  }
};

// (x, part, start); part may lack the dimension.
struct dynamic_update_in_dim {
  static constexpr std::string_view name = "dynamic_update_slice_in_dim";
  static constexpr op_class kind = op_class::scatter;

  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const operand = x[0].facts();
    auto const asked = attrs.as<dynamic_slice_in_dim_params>();
    auto const dim = static_cast<int>(asked.dim < 0 ? asked.dim + operand.rank : asked.dim);
    if (dim < 0 || dim >= operand.rank)
      return b.template refuse<dynamic_update_in_dim>(refuse(reason::dim_out_of_range, -1, {}, asked.dim, operand.rank),
                                                      operand);
    term all[builder::max_operands]{x[0], x[1]};
    if (asked.gone && x[1].facts().rank == operand.rank - 1)
      all[1] = make<expand_dims>(b, {x[1]}, expand_dims_params{{dim}});
    auto const zero = number(b, 0.0, dtype::int32);
    for (int d = 0; d < operand.rank; ++d) all[d + 2] = d == dim ? x[2] : zero;
    return make<dynamic_update_slice>(b, all, operand.rank + 2);
  }
};

}  // namespace ops

template <int Dim, std::int64_t Size, bool Gone>
struct window_in_dim {
  template <Mesh M>
  static constexpr ops::dynamic_slice_in_dim_params on() {
    return {Dim, Size, Gone};
  }
};

namespace functions {

template <int Dim, std::int64_t Size, class X, class Start>
constexpr auto dynamic_slice_in_dim(X const& x, Start const& start, site at = std::source_location::current()) {
  return invoke<ops::dynamic_slice_in_dim, window_in_dim<Dim, Size, false>>(at, x, start);
}
template <int Dim = 0, bool Keepdims = true, class X, class Start>
constexpr auto dynamic_index_in_dim(X const& x, Start const& index, site at = std::source_location::current()) {
  return invoke<ops::dynamic_slice_in_dim, window_in_dim<Dim, 1, !Keepdims>>(at, x, index);
}

template <int Dim, class X, class Part, class Start>
constexpr auto dynamic_update_slice_in_dim(X const& x, Part const& part, Start const& start,
                                           site at = std::source_location::current()) {
  return invoke<ops::dynamic_update_in_dim, window_in_dim<Dim, 1, false>>(at, x, part, start);
}
template <int Dim = 0, class X, class Part, class Start>
constexpr auto dynamic_update_index_in_dim(X const& x, Part const& part, Start const& index,
                                           site at = std::source_location::current()) {
  return invoke<ops::dynamic_update_in_dim, window_in_dim<Dim, 1, true>>(at, x, part, index);
}

}  // namespace functions
}  // namespace tessera
