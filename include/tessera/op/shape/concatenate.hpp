// SPDX-License-Identifier: Apache-2.0
#pragma once
// concatenate: values of one layout, one after the other along a dimension; stack: along a new one.
//   concatenate(x, y)   concatenate<1>(x, y, z)   concatenate<0>(std::tuple{a, b, c, d, e})   stack<0>(x, y)
// Promoted dtype. The axes must divide the sum of the extents. Bytes: a sharded dimension is gathered before a
// concatenation along it; stack moves nothing. More than 16 values are joined 16 at a time: a copy for each round.
// Source: JAX 0.10.2 jnp.concatenate, jnp.stack; conformance surprise 2.

#include <tessera/op/base/promotion.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/rule/slicing.hpp>

#include <algorithm>
#include <array>
#include <tuple>

namespace tessera {
namespace ops {

struct cast;
struct slice;

struct concatenate {
  static constexpr std::string_view name = "concatenate";
  static constexpr op_class kind = op_class::concatenate;
  static constexpr verdict rule(rule_input const& in) { return rule::concatenate(in); }

  template <class B>
  static constexpr term build(B& b, term const* operands, int count, attributes const& attrs) {
    term x[builder::max_operands]{};
    for (int i = 0; i < count; ++i) x[i] = operands[i];
    if (!detail::promote_dtypes(b, x, count)) return {&b, -1};
    concatenate_params along = attrs.as<concatenate_params>();
    int const rank = x[0].facts().rank;
    if (along.dim < 0) along.dim += rank;
    axis_set const dim = along.dim >= 0 && along.dim < rank ? axis_set::of(static_cast<int>(along.dim)) : axis_set{};
    if (count == 1 && !dim.empty()) return x[0];
    return detail::emit_on_whole_dims<concatenate>(b, x, count, along, dim);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const dim = static_cast<int>(back.attrs().template as<concatenate_params>().dim);
    std::int64_t start = 0;
    for (int k = 0; k < back.operand_count(); ++k) {
      auto const n = back.operand(k).facts().extent(dim);
      slice_in_dim_params const part{dim, start, n == dynamic || start == dynamic ? dynamic : start + n};
      start = part.limit;
      if (back.wants(k)) back.give(k, make<slice>(back, {back.cotangent()}, part));
    }
  }
};

struct stack {
  static constexpr std::string_view name = "stack";
  static constexpr op_class kind = op_class::concatenate;

  template <class B>
  static constexpr term build(B& b, term const* operands, int count, attributes const& attrs) {
    auto const along = attrs.as<concatenate_params>();
    term x[builder::max_operands]{};
    for (int i = 0; i < count; ++i) {
      array_value const &first = operands[0].facts(), &own = operands[i].facts();
      for (int d = 0; d < own.rank && own.rank == first.rank; ++d)
        if (own.extent(d) != first.extent(d) && own.extent(d) != dynamic && first.extent(d) != dynamic)
          return b.template refuse<stack>(refuse(reason::shapes_disagree, d, {}, first.extent(d), own.extent(d)), first,
                                          own);
    }
    for (int i = 0; i < count; ++i) {
      x[i] = make<expand_dims>(b, {operands[i]}, expand_dims_params{{along.dim}});
      if (!x[i]) return x[i];
    }
    return make<concatenate>(b, x, count, along);
  }
};

}  // namespace ops

template <int Dim>
struct along_dim {
  template <Mesh M>
  static constexpr concatenate_params on() {
    return {Dim};
  }
};

namespace detail {

// Op on the parts of a list. An operation takes 16 at once: of more, Op joins 16 each, and Whole joins what they give.
template <class Op, class Whole, class Params>
struct join_parts {
  site at;

  template <class List>
  constexpr auto operator()(List const& list) const {
    constexpr std::size_t count = std::tuple_size_v<List>, most = builder::max_operands;
    static_assert(count >= 1, "tessera: nothing is put together. Fix: name one array or more.");
    if constexpr (count <= most) {
      return invoke_on_parts<Op, Params>(std::make_index_sequence<count>{}, at, list);
    } else {
      return join_parts<Whole, Whole, Params>{at}(
          by_sixteen(std::make_index_sequence<(count + most - 1) / most>{}, list));
    }
  }

private:
  template <std::size_t... Part, class List>
  constexpr auto by_sixteen(std::index_sequence<Part...>, List const& list) const {
    constexpr std::size_t count = std::tuple_size_v<List>, most = builder::max_operands;
    return std::tuple{from<Part * most>(std::make_index_sequence<std::min(most, count - Part * most)>{}, list)...};
  }
  template <std::size_t First, std::size_t... I, class List>
  constexpr auto from(std::index_sequence<I...>, List const& list) const {
    return invoke_on_parts<Op, Params>(std::index_sequence<First + I...>{}, at, list);
  }
};

}  // namespace detail

namespace functions {

// A std::tuple or std::array of values, or two to four values.
template <int Dim = 0, class List>
  requires(!Refused<List> && requires { std::tuple_size<List>::value; })
constexpr auto concatenate(List const& list, site at = std::source_location::current()) {
  return detail::join_parts<ops::concatenate, ops::concatenate, along_dim<Dim>>{at}(list);
}
template <int Dim = 0, class A, class B>
constexpr auto concatenate(A const& a, B const& b, site at = std::source_location::current()) {
  return invoke<ops::concatenate, along_dim<Dim>>(at, a, b);
}
template <int Dim = 0, class A, class B, class C>
constexpr auto concatenate(A const& a, B const& b, C const& c, site at = std::source_location::current()) {
  return invoke<ops::concatenate, along_dim<Dim>>(at, a, b, c);
}
template <int Dim = 0, class A, class B, class C, class D>
constexpr auto concatenate(A const& a, B const& b, C const& c, D const& d, site at = std::source_location::current()) {
  return invoke<ops::concatenate, along_dim<Dim>>(at, a, b, c, d);
}

template <int Dim = 0, class List>
  requires(!Refused<List> && requires { std::tuple_size<List>::value; })
constexpr auto stack(List const& list, site at = std::source_location::current()) {
  return detail::join_parts<ops::stack, ops::concatenate, along_dim<Dim>>{at}(list);
}
template <int Dim = 0, class A, class B>
constexpr auto stack(A const& a, B const& b, site at = std::source_location::current()) {
  return invoke<ops::stack, along_dim<Dim>>(at, a, b);
}
template <int Dim = 0, class A, class B, class C>
constexpr auto stack(A const& a, B const& b, C const& c, site at = std::source_location::current()) {
  return invoke<ops::stack, along_dim<Dim>>(at, a, b, c);
}
template <int Dim = 0, class A, class B, class C, class D>
constexpr auto stack(A const& a, B const& b, C const& c, D const& d, site at = std::source_location::current()) {
  return invoke<ops::stack, along_dim<Dim>>(at, a, b, c, d);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
#include <tessera/op/index/slice.hpp>
