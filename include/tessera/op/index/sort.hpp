// SPDX-License-Identifier: Apache-2.0
#pragma once
// sort, argsort along one dimension (default the last), stable, NaN last: x -> the same type, and int32 positions.
// Complex numbers are ordered by their real parts, then by their imaginary ones.
// top_k<3>(x): the largest of the last dimension and their positions, NaN first, the first of equals: a std::tuple.
//   sort(x)   sort<0>(x, descending)   argsort<1>(x)   auto [values, positions] = top_k<5>(x)
// The dimension must not be sharded; others keep their layout. Moves 0 bytes. Cotangents go where the values came from.
// Source: JAX 0.10.2 jnp.sort, jnp.argsort, lax.top_k. Differs: sort puts -0 before 0 of reals.

#include <tessera/op/index/sorting.hpp>
#include <tessera/op/reduce/cumulative.hpp>

namespace tessera {
namespace ops {

// (values, int32 positions) -> a dimension of another extent with each value added at its position.
struct spread_along_params {
  dimension dim{};
  std::int64_t extent = 0;
  static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.extent); }
};
struct dimension_params {
  dimension dim{};
  static constexpr void fields(auto& p, auto&& each) { each(p.dim); }
};
struct collect_along;
struct spread_along : opaque<spread_along, 2, accepts::floats> {
  static constexpr std::string_view name = "spread_along";
  static constexpr bool of_complex = true;
  template <class T>
  using operands = opaque_types<T, std::int32_t>;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = tessera::rule::along_dim(in, in.attrs.as<spread_along_params>().dim);
    shape.result[0].extents[0] = in.attrs.as<spread_along_params>().extent;
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const&, dense_view<T const> x, dense_view<std::int32_t const> at,
                                   dense_view<T> y) {
    for (std::int64_t i = 0; i < y.extent(0); ++i) y(i) = T{};
    for (std::int64_t i = 0; i < x.extent(0); ++i) y(at(i)) = x(i);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    dimension_params const along{back.attrs().template as<spread_along_params>().dim};
    back.give(0, make<collect_along>(back, {back.cotangent(), back.operand(1)}, along));
  }
};
// (values, int32 positions) -> the values there, each read once: the transpose of that.
struct collect_along : opaque<collect_along, 2, accepts::floats> {
  static constexpr std::string_view name = "collect_along";
  static constexpr bool of_complex = true;
  template <class T>
  using operands = opaque_types<T, std::int32_t>;
  static constexpr opaque_shape shape(rule_input const& in) {
    std::int64_t const dim = in.attrs.as<dimension_params>().dim;
    opaque_shape shape = tessera::rule::along_dim(in, dim);
    shape.result[0].extents[0] = in[1].extent(static_cast<int>(dim < 0 ? dim + in[1].rank : dim));
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const&, dense_view<T const> x, dense_view<std::int32_t const> at,
                                   dense_view<T> y) {
    for (std::int64_t i = 0; i < y.extent(0); ++i) y(i) = x(at(i));
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    std::int64_t const dim = back.attrs().template as<dimension_params>().dim;
    array_value const x = back.operand(0).facts();
    spread_along_params const to{dim, x.extent(static_cast<int>(dim < 0 ? dim + x.rank : dim))};
    back.give(0, make<spread_along>(back, {back.cotangent(), back.operand(1)}, to));
  }
};

template <class B>
constexpr void give_back_along(B& back, term positions, std::int64_t dim) {
  array_value const x = back.operand(0).facts();
  auto const d = dim < 0 ? dim + x.rank : dim;
  spread_along_params const to{dim, x.extent(static_cast<int>(d))};
  back.give(0, make<spread_along>(back, {back.cotangent(), positions}, to));
}

struct argsort;

struct sort : opaque<sort, 1, accepts::any> {
  static constexpr std::string_view name = "sort";
  static constexpr bool of_complex = true;
  static constexpr opaque_shape shape(rule_input const& in) {
    return tessera::rule::along_dim(in, in.attrs.as<along_one_params>().dim);
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> x, dense_view<T> y) {
    sorting::heap_sort(x, y, call.attrs.as<along_one_params>().reverse);
  }
  template <class T>
  static void run_on_host(opaque_call const& call, dense_view<T const> x, dense_view<T> y) {
    sorting::sort_values(x, y, call.attrs.as<along_one_params>().reverse);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    give_back_along(back, make<argsort>(back, {back.operand(0)}, back.attrs()),
                    back.attrs().template as<along_one_params>().dim);
  }
};

struct argsort : opaque<argsort, 1, accepts::any> {
  static constexpr std::string_view name = "argsort";
  static constexpr bool of_complex = true;
  template <class T>
  using results = opaque_types<std::int32_t>;
  static constexpr opaque_shape shape(rule_input const& in) {
    return tessera::rule::along_dim(in, in.attrs.as<along_one_params>().dim);
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> x, dense_view<std::int32_t> y) {
    sorting::heap_argsort(x, y, call.attrs.as<along_one_params>().reverse);
  }
  template <class T>
  static void run_on_host(opaque_call const& call, dense_view<T const> x, dense_view<std::int32_t> y) {
    sorting::sort_positions(x, y, call.attrs.as<along_one_params>().reverse);
  }
  static constexpr bool locally_constant = true;
};

// How many of the last dimension.
struct top_k_params {
  std::int64_t count = 0;
  static constexpr void fields(auto& p, auto&& each) { each(p.count); }
};
struct top_k : opaque<top_k, 1, accepts::any, 2> {
  static constexpr std::string_view name = "top_k";
  template <class T>
  using results = opaque_types<T, std::int32_t>;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = tessera::rule::along_dim(in, -1, 2);
    if (!shape.refused) return shape;
    auto const k = in.attrs.as<top_k_params>().count, n = shape.result[0].extents[0];
    if (n != dynamic && k > n) shape.refused = refuse(reason::index_out_of_range, in[0].rank - 1, {}, k, n);
    for (auto& result : shape.result)
      if (!result.extents.empty()) result.extents[0] = k;
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const&, dense_view<T const> x, dense_view<T> y,
                                   dense_view<std::int32_t> at) {
    sorting::select_largest(x, y, at);
  }
  template <class T>
  static void run_on_host(opaque_call const&, dense_view<T const> x, dense_view<T> y, dense_view<std::int32_t> at) {
    sorting::largest(x, y, at);
  }
  template <int K, class B>
  static constexpr void transpose_of(B& back) {
    if constexpr (K == 0) give_back_along(back, make<part<top_k, 1>>(back, {back.operand(0)}, back.attrs()), -1);
  }
};

}  // namespace ops

struct descending_t {};
inline constexpr descending_t descending{};

template <int Count>
struct largest_of {
  static_assert(Count >= 0, "tessera: top_k takes a number of elements that is not negative.");
  template <Mesh M>
  static constexpr ops::top_k_params on() {
    return {Count};
  }
};

namespace functions {

template <int Dim = -1, class X>
constexpr auto sort(X const& x, site at = std::source_location::current()) {
  return invoke<ops::sort, along_one<Dim, false>>(at, x);
}
template <int Dim = -1, class X>
constexpr auto sort(X const& x, descending_t, site at = std::source_location::current()) {
  return invoke<ops::sort, along_one<Dim, true>>(at, x);
}
template <int Dim = -1, class X>
constexpr auto argsort(X const& x, site at = std::source_location::current()) {
  return invoke<ops::argsort, along_one<Dim, false>>(at, x);
}
template <int Dim = -1, class X>
constexpr auto argsort(X const& x, descending_t, site at = std::source_location::current()) {
  return invoke<ops::argsort, along_one<Dim, true>>(at, x);
}

}  // namespace functions
template <int Count>
inline constexpr results_door<ops::top_k, largest_of<Count>> top_k{};

}  // namespace tessera
