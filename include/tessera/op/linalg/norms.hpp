// SPDX-License-Identifier: Apache-2.0
#pragma once
// Norms, and what singular values say of real and complex matrices a (..., n, m); leading dimensions are the batch.
// Results are real:
//   norm(x): the root of the sum of all squares       norm(x, order): of one vector or one matrix
//   matrix_norm(a) of each matrix, matrix_norm(a, order): fro, the default, as norm; nuc, ord<2>, ord<-2>: the sum, the largest and
//     the smallest of the singular values; ord<1>, ord<-1>, ord_inf, ord_minus_inf: the largest or smallest sum of sizes in
//     a column, or in a row
//   condition_number(a): the largest by the smallest singular value; condition_number(a, order): the norm of a times that of
//     its inverse, of ord<-2> the smallest by the largest singular value
//   matrix_rank(a), matrix_rank(a, tol): how many singular values are above tol, max(n, m) epsilon of the largest. int32
// Those of singular values and inverses: matrices must not be sharded, the batch keeps its layout. Moves 0 bytes. The others
// are sums and extremes of sizes (op/reduce/reduce.hpp). tol is a number, a scalar or of the batch's shape.
// Source: JAX 0.10.2 jnp.linalg.norm, matrix_norm, cond, matrix_rank. Differs: norms of no elements but fro and nuc are refused.

#include <tessera/op/elementwise/powers.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/linalg/least_squares.hpp>

namespace tessera {

enum class norm_order : std::uint8_t { none, fro, nuc, two, minus_two, one, minus_one, inf, minus_inf };

namespace ops {

struct norm_order_params {
  norm_order order = norm_order::none;
  static constexpr void fields(auto& p, auto&& each) { each(p.order); }
};

template <class B>
constexpr term extreme_of_last(B& b, term x, bool largest) {
  reduce_params const last{{-1}};
  return largest ? make<max>(b, {x}, last) : make<min>(b, {x}, last);
}

template <class B>
constexpr term root_of_squares(B& b, term x, reduce_params const& over) {
  return make<sqrt>(b, {make<sum>(b, {squared_size(b, x)}, over)});
}

struct matrix_norm {
  static constexpr std::string_view name = "matrix_norm";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    auto const x = floating_of(b, operand[0]);
    if (!x) return x;
    array_value const facts = x.facts();
    if (facts.rank < 2)
      return b.template refuse<matrix_norm>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 2), facts);
    switch (norm_order const order = attrs.as<norm_order_params>().order; order) {
      case norm_order::none:
      case norm_order::fro: return root_of_squares(b, x, reduce_params{{-2, -1}});
      case norm_order::nuc: return make<sum>(b, {make<svdvals>(b, {x})}, reduce_params{{-1}});
      case norm_order::two:
      case norm_order::minus_two: return extreme_of_last(b, make<svdvals>(b, {x}), order == norm_order::two);
      default: break;
    }
    norm_order const order = attrs.as<norm_order_params>().order;
    bool const columns = order == norm_order::one || order == norm_order::minus_one;
    auto const sums = make<sum>(b, {make<absolute>(b, {x})}, reduce_params{{columns ? -2 : -1}});
    return extreme_of_last(b, sums, order == norm_order::one || order == norm_order::inf);
  }
};

// Of all elements, of a vector or of a matrix.
struct norm {
  static constexpr std::string_view name = "norm";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    norm_order const order = attrs.as<norm_order_params>().order;
    auto const x = floating_of(b, operand[0]);
    if (!x) return x;
    array_value const facts = x.facts();
    if (order == norm_order::none || (order == norm_order::two && facts.rank == 1))
      return root_of_squares(b, x, reduce_params{});
    if (facts.rank == 2) return make<matrix_norm>(b, {x}, attrs);
    bool const of_matrices = order == norm_order::fro || order == norm_order::nuc;
    if (facts.rank != 1 || of_matrices)
      return b.template refuse<norm>(refuse(reason::ranks_disagree, -1, {}, facts.rank, of_matrices ? 2 : 1), facts);
    auto const sizes = make<absolute>(b, {x});
    if (order == norm_order::inf || order == norm_order::minus_inf)
      return extreme_of_last(b, sizes, order == norm_order::inf);
    if (order == norm_order::one) return make<sum>(b, {sizes});
    bool const squares = order == norm_order::minus_two;
    auto const sum_of = make<sum>(b, {make<reciprocal>(b, {squares ? sizes * sizes : sizes})});
    return make<reciprocal>(b, {squares ? make<sqrt>(b, {sum_of}) : sum_of});
  }
};

struct condition_number {
  static constexpr std::string_view name = "condition_number";
  static constexpr op_class kind = op_class::opaque;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    norm_order const order = attrs.as<norm_order_params>().order;
    auto const x = floating_of(b, operand[0]);
    if (!x) return x;
    array_value const facts = x.facts();
    if (facts.rank < 2)
      return b.template refuse<condition_number>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 2), facts);
    for (int d = facts.rank - 2; d < facts.rank; ++d)
      if (facts.extent(d) == 0) return b.template refuse<condition_number>(refuse(reason::no_elements, d), facts);
    bool const largest_first = order == norm_order::none || order == norm_order::two;
    term product{&b, -1};
    if (largest_first || order == norm_order::minus_two) {
      auto const s = make<svdvals>(b, {x});
      if (!s) return s;
      auto const n = s.facts().extent(s.facts().rank - 1);
      term const first = nth(b, s, 0), last = nth(b, s, n - 1);
      if (largest_first) return first / last;
      product = last / first;
    } else {
      product = make<matrix_norm>(b, {x}, attrs) * make<matrix_norm>(b, {make<inv>(b, {x})}, attrs);
    }
    if (!product) return product;
    auto const missing = make<any>(b, {make<isnan>(b, {x})}, reduce_params{{-2, -1}});
    auto const lost = make<logical_and>(b, {make<isnan>(b, {product}), make<logical_not>(b, {missing})});
    return make<where>(b, {lost, number(b, std::numeric_limits<double>::infinity(), product.facts().element), product});
  }

private:
  template <class B>
  static constexpr term nth(B& b, term s, std::int64_t k) {
    return make<squeeze>(b, {make<slice>(b, {s}, slice_in_dim_params{-1, k, k + 1})}, squeeze_params{{-1}});
  }
};

struct matrix_rank {
  static constexpr std::string_view name = "matrix_rank";
  static constexpr op_class kind = op_class::opaque;
  template <class B>
  static constexpr term build(B& b, term const* operand, int count, attributes const&) {
    auto const x = floating_of(b, operand[0]);
    if (!x) return x;
    array_value const facts = x.facts();
    auto const s = make<svdvals>(b, {x});
    if (!s) return s;
    term least = cutoff_of(b, s, term{&b, -1}, facts, 1);
    if (count > 1) {
      least = make<cast>(b, {operand[1]}, cast_params{s.facts().element});
      if (least && least.facts().rank > 0) least = make<expand_dims>(b, {least}, expand_dims_params{{-1}});
    }
    auto const above = make<cast>(b, {make<greater>(b, {s, least})}, cast_params{dtype::int32});
    return make<reduce_sum>(b, {above}, reduce_params{{facts.rank - 2}});
  }
};

}  // namespace ops

template <norm_order Order>
struct norm_order_t {
  template <Mesh M>
  static constexpr ops::norm_order_params on() {
    return {Order};
  }
};
inline constexpr norm_order_t<norm_order::fro> fro{};
inline constexpr norm_order_t<norm_order::nuc> nuc{};
inline constexpr norm_order_t<norm_order::inf> ord_inf{};
inline constexpr norm_order_t<norm_order::minus_inf> ord_minus_inf{};
template <int Order>
  requires(Order == 1 || Order == -1 || Order == 2 || Order == -2)
inline constexpr norm_order_t<Order == 1    ? norm_order::one
                              : Order == -1 ? norm_order::minus_one
                              : Order == 2  ? norm_order::two
                                            : norm_order::minus_two>
    ord{};

namespace functions {

template <class X, norm_order Order = norm_order::none>
constexpr auto norm(X const& x, norm_order_t<Order> = {}, site at = std::source_location::current()) {
  return invoke<ops::norm, norm_order_t<Order>>(at, x);
}
template <class A, norm_order Order = norm_order::none>
constexpr auto matrix_norm(A const& a, norm_order_t<Order> = {}, site at = std::source_location::current()) {
  return invoke<ops::matrix_norm, norm_order_t<Order>>(at, a);
}
template <class A, norm_order Order = norm_order::none>
constexpr auto condition_number(A const& a, norm_order_t<Order> = {}, site at = std::source_location::current()) {
  return invoke<ops::condition_number, norm_order_t<Order>>(at, a);
}
template <class A>
constexpr auto matrix_rank(A const& a, site at = std::source_location::current()) {
  return invoke<ops::matrix_rank, no_params>(at, a);
}
template <class A, class T>
constexpr auto matrix_rank(A const& a, T const& tol, site at = std::source_location::current()) {
  return invoke<ops::matrix_rank, no_params>(at, a, tol);
}

}  // namespace functions
}  // namespace tessera
