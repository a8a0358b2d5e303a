// SPDX-License-Identifier: Apache-2.0
#pragma once
// count_nonzero; average(x, weights) of weights of x's shape; quantile<Dim>(x, q) for q in 0 .. 1, linear between
// neighbors, and median<Dim>(x): NaN where there is one, along an unsharded dimension, in row-major order without one.
// q is a scalar, or a row of k numbers: the result then has k quantiles in a first dimension.
// cov(x): of variables in rows, which must be whole; over split observations one all_reduce, as sum<1>(x).
// Layouts, gradients and bytes are those of the reductions, sorts and products they are made of.
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/elementwise/rounding.hpp>
#include <tessera/op/index/sort.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/product/matmul.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/op/shape/permute.hpp>
#include <tessera/op/shape/reshape.hpp>

namespace tessera {
namespace ops {

struct count_nonzero {
  static constexpr std::string_view name = "count_nonzero";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    cast_params const to{dtype::boolean};
    return make<sum>(b, {make<cast>(b, {operand[0]}, to)}, attrs);
  }
};

// (x, weights of its shape)
struct average {
  static constexpr std::string_view name = "average";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const facts = x[0].facts(), weights = x[1].facts();
    if (!facts.same_shape(weights))
      return b.template refuse<average>(refuse(reason::ranks_disagree, -1, {}, facts.rank, weights.rank), facts,
                                        weights);
    term both[]{x[0], x[1]};
    if (!tessera::detail::promote_dtypes_inexact(b, both, 2)) return {&b, -1};
    term const product = both[0] * both[1];
    return make<divide>(b, {make<sum>(b, {product}, attrs), make<sum>(b, {both[1]}, attrs)});
  }
};

// (x, q), along one dimension.
struct quantile {
  static constexpr std::string_view name = "quantile";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes const& attrs) {
    term x = floating_of(b, operands[0]);
    extents_list const named = attrs.as<reduce_params>().dims;
    if (named.empty()) x = flattened(b, x);
    if (!x) return x;
    array_value const facts = x.facts(), q = operands[1].facts();
    if (is_complex(facts.element)) return b.template refuse<quantile>(refuse(reason::element_unsupported), facts);
    if (q.rank > 1) return b.template refuse<quantile>(refuse(reason::ranks_disagree, -1, {}, q.rank, 0), q);
    auto const given = named.empty() ? 0 : named[0];
    auto dim = given < 0 ? given + facts.rank : given;
    if (dim < 0 || dim >= facts.rank)
      return b.template refuse<quantile>(refuse(reason::dim_out_of_range, -1, {}, given, facts.rank), facts);
    auto const n = facts.extent(static_cast<int>(dim));
    if (n == 0) return b.template refuse<quantile>(refuse(reason::no_elements, static_cast<int>(dim)), facts);
    x = make<sort>(b, {x}, along_one_params{dim});
    if (!x) return x;
    if (q.rank == 1) {
      x = make<permute>(b, {x}, move_dims_params{{dim}, {0}});
      dim = 0;
    }
    cast_params const to{facts.element}, whole{dtype::int32};
    take_params places{{dim}};
    auto const last = number(b, static_cast<double>(n - 1), facts.element);
    auto const at = make<cast>(b, {operands[1]}, to) * last;
    auto const low = make<floor>(b, {at});
    auto part = at - low;
    if (q.rank == 1) {
      expand_dims_params others;
      for (int d = 1; d < facts.rank; ++d) others.dims.push_back(d);
      part = make<expand_dims>(b, {part}, others);
    }
    auto const from = make<cast>(b, {low}, whole), till = make<cast>(b,
                                                                     {
                                                                         make<ceil>(b, {at}),
                                                                     },
                                                                     whole);
    auto const below = make<take>(b, {x, from}, places), above = make<take>(b, {x, till}, places);
    auto const rest = number(b, 1.0, facts.element) - part;
    auto const mixed = make<add>(b, {below * rest, above * part});
    // At an element the result is that element: infinity times 0 would be NaN.
    auto const exact = make<equal>(b, {part, number(b, 0.0, facts.element)});
    auto const between = make<where>(b, {exact, below, mixed});
    auto const most = make<take>(b, {x, number(b, static_cast<double>(n - 1), dtype::int32)}, places);
    auto const nan = number(b, std::numeric_limits<double>::quiet_NaN(), facts.element);
    return make<where>(b, {make<isnan>(b, {most}), nan, between});
  }
};
struct median {
  static constexpr std::string_view name = "median";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    return make<quantile>(b, {x[0], number(b, 0.5)}, attrs);
  }
};

// The number that is subtracted from the count of observations.
struct cov_params {
  double ddof = 1;
  static constexpr void fields(auto& p, auto&& each) { each(p.ddof); }
};
struct cov {
  static constexpr std::string_view name = "cov";
  static constexpr op_class kind = op_class::dot;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    auto const x = floating_of(b, operand[0]);
    array_value const facts = x.facts();
    if (facts.rank != 2) return b.template refuse<cov>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 2), facts);
    if (!facts.entry(0).empty())
      return b.template refuse<cov>(refuse(reason::sharded_dim_unsupported, 0, facts.entry(0).axes()), facts);
    auto const off = x - make<mean>(b, {x}, reduce_params{{1}, true});
    attributes whole;
    whole.has_out = !facts.entry(1).empty();
    auto const product = make<matmul>(b, {off, make<conj>(b, {make<permute>(b, {off})})}, whole);
    double const left = static_cast<double>(facts.extent(1)) - attrs.as<cov_params>().ddof;
    return product / number(b, left, facts.element);
  }
};

}  // namespace ops

namespace functions {

template <int... Dims, class X>
constexpr auto count_nonzero(X const& x, site at = std::source_location::current()) {
  return invoke<ops::count_nonzero, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto count_nonzero(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::count_nonzero, over_dims<true, Dims...>>(at, x);
}

template <int... Dims, class X, class W>
constexpr auto average(X const& x, W const& weights, site at = std::source_location::current()) {
  return invoke<ops::average, over_dims<false, Dims...>>(at, x, weights);
}
template <int... Dim, class X, class Q>
constexpr auto quantile(X const& x, Q const& q, site at = std::source_location::current()) {
  static_assert(sizeof...(Dim) < 2, "tessera: quantile<dimension>(x, q) or quantile(x, q).");
  return invoke<ops::quantile, over_dims<false, Dim...>>(at, x, q);
}
template <int... Dim, class X>
constexpr auto median(X const& x, site at = std::source_location::current()) {
  static_assert(sizeof...(Dim) < 2, "tessera: median<dimension>(x) or median(x).");
  return invoke<ops::median, over_dims<false, Dim...>>(at, x);
}

}  // namespace functions

template <int Ddof>
struct observations_less {
  template <Mesh M>
  static constexpr ops::cov_params on() {
    return {Ddof};
  }
};
namespace functions {

template <int Ddof = 1, class X>
constexpr auto cov(X const& x, site at = std::source_location::current()) {
  return invoke<ops::cov, observations_less<Ddof>>(at, x);
}

}  // namespace functions

}  // namespace tessera
