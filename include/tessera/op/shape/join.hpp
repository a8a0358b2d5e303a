// SPDX-License-Identifier: Apache-2.0
#pragma once
// vstack, hstack, dstack, column_stack of two or three arrays or of a tuple; meshgrid(x, y); flipud, fliplr, rot90<K>;
// and diff<N, Dim>(x), differences of neighbors N times over.
//   auto [xs, ys] = meshgrid(x, y)    [n], [m] -> two [m, n]; meshgrid(x, y, by_matrix): [n, m] (indexing="ij")
// They are composed of reshapes, concatenations, slices and broadcasts, with their layouts, gradients and bytes.
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/index/slice.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/op/shape/permute.hpp>

#include <initializer_list>
#include <tuple>

namespace tessera {
namespace ops {

struct not_equal;
struct subtract;

enum class stacking : std::int64_t { rows, columns, depth, vectors_as_columns };

template <stacking How>
struct stack_as {
  static constexpr std::string_view name = How == stacking::rows      ? "vstack"
                                           : How == stacking::columns ? "hstack"
                                           : How == stacking::depth   ? "dstack"
                                                                      : "column_stack";
  static constexpr op_class kind = op_class::concatenate;
  template <class B>
  static constexpr term build(B& b, term const* operands, int count, attributes const&) {
    term x[builder::max_operands]{};
    atleast_params const least{How == stacking::rows ? 2 : How == stacking::depth ? 3 : 1};
    for (int i = 0; i < count; ++i) {
      x[i] = make<atleast>(b, {operands[i]}, least);
      if (How == stacking::vectors_as_columns && x[i] && x[i].facts().rank == 1)
        x[i] = make<expand_dims>(b, {x[i]}, expand_dims_params{{1}});
      if (!x[i]) return x[i];
    }
    concatenate_params const along{How == stacking::rows    ? 0
                                   : How == stacking::depth ? 2
                                   : x[0].facts().rank == 1 ? 0
                                                            : 1};
    return make<concatenate>(b, x, count, along);
  }
};

struct diff_params {
  std::int64_t dim = -1, times = 1;
  static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.times); }
};
struct diff {
  static constexpr std::string_view name = "diff";
  static constexpr op_class kind = op_class::slice;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    auto const [dim, times] = attrs.as<diff_params>();
    term x = operand[0];
    for (std::int64_t i = 0; i < times; ++i) {
      array_value const facts = x.facts();
      auto const d = dim < 0 ? dim + facts.rank : dim;
      if (d < 0 || d >= facts.rank)
        return b.template refuse<diff>(refuse(reason::dim_out_of_range, -1, {}, dim, facts.rank), facts);
      auto const n = facts.extent(static_cast<int>(d));
      if (n < 1) return b.template refuse<diff>(refuse(reason::shapes_disagree, static_cast<int>(d), {}, n, 1), facts);
      slice_in_dim_params const low{d, 0, n - 1}, high{d, 1, n};
      auto const before = make<slice>(b, {x}, low), after = make<slice>(b, {x}, high);
      if (!before || !after) return before ? after : before;
      x = facts.element == dtype::boolean ? make<not_equal>(b, {after, before}) : after - before;
      if (!x) return x;
    }
    return x;
  }
};

// The number of the result of (x, y): x along the columns, y along the rows; by_matrix: the other way around.
struct meshgrid_params {
  int which = 0;
  bool by_matrix = false;
  static constexpr void fields(auto& p, auto&& each) { each(p.which, p.by_matrix); }
};
struct meshgrid {
  static constexpr std::string_view name = "meshgrid";
  static constexpr op_class kind = op_class::broadcast;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const facts[]{x[0].facts(), x[1].facts()};
    for (auto const& own : facts)
      if (own.rank != 1) return b.template refuse<meshgrid>(refuse(reason::ranks_disagree, -1, {}, own.rank, 1), own);
    auto const [which, by_matrix] = attrs.as<meshgrid_params>();
    int const rows = by_matrix ? 0 : 1;  // which operand runs along dimension 0
    attributes to = broadcast_params{{which == rows ? 0 : 1}, {facts[rows].extent(0), facts[1 - rows].extent(0)}};
    to.has_out = true;
    to.out.rank = 2;
    to.out.entries[0] = facts[rows].entry(0);
    to.out.entries[1] = facts[1 - rows].entry(0);
    return make<broadcast_to>(b, {x[which]}, to);
  }
};

}  // namespace ops

// A tuple or std::array, or two or three values.
template <ops::stacking How>
struct stacking_door {
  template <class List>
    requires(!Refused<List> && requires { std::tuple_size<List>::value; })
  constexpr auto operator()(List const& list, site at = std::source_location::current()) const {
    return detail::join_parts<ops::stack_as<How>, ops::stack_as<How>, along_dim<0>>{at}(list);
  }
  template <class X>
  constexpr auto operator()(std::initializer_list<X> list, site at = std::source_location::current()) const {
    return detail::refused_as<written::list_of_values>(*list.begin(), at);
  }
  template <template <class, class> class Container, class X, class Allocator>  // std::vector, which it would include
    requires requires(Container<X, Allocator> const& list) { list.front(); }
  constexpr auto operator()(Container<X, Allocator> const& list, site at = std::source_location::current()) const {
    return detail::refused_as<written::list_of_values>(list.front(), at);
  }
  template <class A, class B>
  constexpr auto operator()(A const& a, B const& b, site at = std::source_location::current()) const {
    return invoke<ops::stack_as<How>, no_params>(at, a, b);
  }
  template <class A, class B, class C>
  constexpr auto operator()(A const& a, B const& b, C const& c, site at = std::source_location::current()) const {
    return invoke<ops::stack_as<How>, no_params>(at, a, b, c);
  }
};
inline constexpr stacking_door<ops::stacking::rows> vstack{};
inline constexpr stacking_door<ops::stacking::columns> hstack{};
inline constexpr stacking_door<ops::stacking::depth> dstack{};
inline constexpr stacking_door<ops::stacking::vectors_as_columns> column_stack{};

template <int Times, int Dim>
struct differences {
  static_assert(Times >= 0, "tessera: diff is taken a number of times that is not negative.");
  template <Mesh M>
  static constexpr ops::diff_params on() {
    return {Dim, Times};
  }
};
namespace functions {

template <int Times = 1, int Dim = -1, class X>
constexpr auto diff(X const& x, site at = std::source_location::current()) {
  return invoke<ops::diff, differences<Times, Dim>>(at, x);
}

}  // namespace functions

template <bool ByMatrix, int Which>
struct grid_of {
  template <Mesh M>
  static constexpr ops::meshgrid_params on() {
    return {Which, ByMatrix};
  }
};
struct by_matrix_t {};
inline constexpr by_matrix_t by_matrix{};
namespace functions {

template <class X, class Y>
constexpr auto meshgrid(X const& x, Y const& y, site at = std::source_location::current()) {
  auto const first = invoke<ops::meshgrid, grid_of<false, 0>>(at, x, y);
  if constexpr (is_poisoned<std::remove_cvref_t<decltype(first)>>)
    return std::tuple{first, first};
  else
    return std::tuple{first, invoke<ops::meshgrid, grid_of<false, 1>>(at, x, y)};
}
template <class X, class Y>
constexpr auto meshgrid(X const& x, Y const& y, by_matrix_t, site at = std::source_location::current()) {
  auto const first = invoke<ops::meshgrid, grid_of<true, 0>>(at, x, y);
  if constexpr (is_poisoned<std::remove_cvref_t<decltype(first)>>)
    return std::tuple{first, first};
  else
    return std::tuple{first, invoke<ops::meshgrid, grid_of<true, 1>>(at, x, y)};
}

template <class X>
constexpr auto flipud(X const& x, site at = std::source_location::current()) {
  return flip<0>(x, at);
}
template <class X>
constexpr auto fliplr(X const& x, site at = std::source_location::current()) {
  return flip<1>(x, at);
}
// By K quarter turns, from dimension 0 towards dimension 1.
template <int K = 1, class X>
constexpr auto rot90(X const& x, site at = std::source_location::current()) {
  constexpr int turns = ((K % 4) + 4) % 4;
  if constexpr (turns == 0)
    return x;
  else if constexpr (turns == 1)
    return swapaxes<0, 1>(flip<1>(x, at), at);
  else if constexpr (turns == 2)
    return flip<0, 1>(x, at);
  else
    return flip<1>(swapaxes<0, 1>(x, at), at);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
