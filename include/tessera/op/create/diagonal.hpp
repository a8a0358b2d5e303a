// SPDX-License-Identifier: Apache-2.0
#pragma once
// diagonal<K>(x), matrix_trace<K>(x) (JAX's trace): of the first two dimensions, (n, m, ...) -> (..., l) and (...).
// diag<K>(x): of a vector the matrix that has it on diagonal K, of a matrix its diagonal. tri<n, m, K>(): ones on and below diagonal K.
// kron(a, b) of two arrays of one rank. matrix_power<N>(x) of square matrices in the last two dimensions. cross(a, b) of
// vectors of three in the last dimension.
// Selections, sums and products, so that layouts and gradients are theirs: a diagonal of a sharded matrix is an all_reduce
// of its length, and lies as the columns do. Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/create/triangle.hpp>
#include <tessera/op/linalg/linalg.hpp>
#include <tessera/op/shape/roll.hpp>

namespace tessera {
namespace ops {

// attrs.integer: the diagonal. attrs.first not empty: its sum.
struct diagonal {
  static constexpr std::string_view name = "diagonal";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    term x = operand[0];
    array_value const facts = x.facts();
    if (facts.rank < 2)
      return b.template refuse<diagonal>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 2), facts);
    auto const n = facts.extent(0), m = facts.extent(1), k = attrs.integer;
    bool const sum = !attrs.first.empty(), mask = facts.element == dtype::boolean;
    if (!sum && n == dynamic && m != dynamic)  // whether m is too long is not known
      return b.template refuse<diagonal>(refuse(reason::shapes_disagree, 0, {}, n, m), facts);
    if (mask) x = cast_to<dtype::int32>(b, x);
    term const zero = number(b, 0.0, x.facts().element);
    x = b.template make<where>({on_the_diagonal(b, facts, 0, 1, k), x, zero});
    attributes rows, both, order, part;
    rows.first = {0};
    both.first = {0, 1};
    if (sum) return b.template make<reduce_sum>({x}, both);
    x = b.template make<reduce_sum>({x}, rows);  // (m, ...): what stands in each column
    auto const from = k > 0 ? k : 0, rest = m - from, high = n + (k < 0 ? k : 0);
    auto const length = rest < high ? rest : high;
    part.integer = 1;
    part.first = {from};
    part.second = {m == dynamic ? to_end : from + (length > 0 ? length : 0)};
    x = x ? b.template make<slice>({x}, part) : x;
    for (int d = 1; d < facts.rank - 1; ++d) order.first.push_back(d);
    order.first.push_back(0);
    if (facts.rank > 2 && x) x = b.template make<permute>({x}, order);
    return mask && x ? cast_to<dtype::boolean>(b, x) : x;
  }
};

struct diag {
  static constexpr std::string_view name = "diag";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    array_value const facts = operand[0].facts();
    if (facts.rank == 2) return b.template make<diagonal>({operand[0]}, attrs);
    if (facts.rank != 1) return b.template refuse<diag>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 1), facts);
    auto const k = attrs.integer, own = facts.extent(0), n = own == dynamic ? own : own + (k < 0 ? -k : k);
    attributes around, wide;
    around.first = {k > 0 ? k : 0};
    around.second = {k < 0 ? -k : 0};
    term const zero = number(b, 0.0, facts.element);
    term const columns = b.template make<pad>({operand[0], zero}, around);
    if (!columns) return columns;
    wide.second = {n, n};
    term const everywhere = b.template make<broadcast_to>({columns}, wide);
    if (!everywhere) return everywhere;
    return b.template make<where>({on_the_diagonal(b, everywhere.facts(), 0, 1, k), everywhere, zero});
  }
};

// Of ranks that agree: a's dimensions outside, b's inside.
struct kron {
  static constexpr std::string_view name = "kron";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    array_value const one = x[0].facts(), two = x[1].facts();
    if (one.rank != two.rank)
      return b.template refuse<kron>(refuse(reason::ranks_disagree, -1, {}, one.rank, two.rank), one, two);
    attributes even, odd;
    for (int d = 0; d < one.rank; ++d) {
      odd.first.push_back(2 * d + 1);
      even.first.push_back(2 * d);
    }
    term const outside = b.template make<expand_dims>({x[0]}, odd), inside = b.template make<expand_dims>({x[1]}, even);
    if (!outside || !inside) return outside ? inside : outside;
    term product = b.template make<multiply>({outside, inside});
    for (int k = 0; k < one.rank && product; ++k) {  // one pair at a time: a reshape of one group keeps its layout
      array_value const wide = product.facts();
      attributes joined;
      for (int d = 0; d < wide.rank; ++d) {
        auto const n = wide.extent(d), m = d == k ? wide.extent(d + 1) : 1;
        joined.first.push_back(n == dynamic || m == dynamic ? dynamic : n * m);
        if (d == k) ++d;
      }
      product = b.template make<reshape>({product}, joined);
    }
    return product;
  }
};

struct cross {
  static constexpr std::string_view name = "cross";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    for (int i = 0; i < 2; ++i) {
      array_value const facts = x[i].facts();
      auto const n = facts.rank > 0 ? facts.extent(facts.rank - 1) : 0;
      if (n != 3) return b.template refuse<cross>(refuse(reason::shapes_disagree, facts.rank - 1, {}, 3, n), facts);
    }
    return b.template make<subtract>({product(b, x, -1, -2), product(b, x, -2, -1)});
  }

private:
  template <class B>
  static constexpr term product(B& b, term const* x, int one, int two) {
    attributes first, second;
    first.first = {one};
    second.first = {two};
    first.second = second.second = {-1};
    return b.template make<multiply>({b.template make<roll>({x[0]}, first), b.template make<roll>({x[1]}, second)});
  }
};

// attrs.integer: the power.
struct matrix_power {
  static constexpr std::string_view name = "matrix_power";
  static constexpr op_class kind = op_class::dot;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    term x = attrs.integer < 0 ? b.template make<inv>({operand[0]}) : operand[0];
    if (!x) return x;
    array_value const facts = x.facts();
    attributes unit;
    if (facts.rank < 2 || facts.extent(facts.rank - 1) != facts.extent(facts.rank - 2))
      return b.template refuse<matrix_power>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 2), facts);
    if (attrs.integer == 0) {
      term const ones = on_the_diagonal(b, facts, facts.rank - 2, facts.rank - 1, 0);
      unit.element = facts.element;
      return b.template make<cast>({ones}, unit);
    }
    term product{&b, -1};
    for (auto left = attrs.integer < 0 ? -attrs.integer : attrs.integer; left > 0; left /= 2) {
      if (left % 2 == 1) product = product ? b.template make<matmul>({product, x}) : x;
      if (left > 1) x = b.template make<matmul>({x, x});
      if (!x || !product.graph) return x;
    }
    return product;
  }
};

}  // namespace ops

template <std::int64_t Diagonal, bool Sum>
struct of_diagonal {
  template <Mesh M>
  static constexpr attributes on() {
    attributes attrs;
    attrs.integer = Diagonal;
    if (Sum) attrs.first = {0};
    return attrs;
  }
};

template <std::int64_t Diagonal = 0, class X>
constexpr auto diagonal(X const& x, site at = std::source_location::current()) {
  return invoke<ops::diagonal, of_diagonal<Diagonal, false>>(at, x);
}
template <std::int64_t Diagonal = 0, class X>
constexpr auto matrix_trace(X const& x, site at = std::source_location::current()) {
  return invoke<ops::diagonal, of_diagonal<Diagonal, true>>(at, x);
}
template <std::int64_t Diagonal = 0, class X>
constexpr auto diag(X const& x, site at = std::source_location::current()) {
  return invoke<ops::diag, of_diagonal<Diagonal, false>>(at, x);
}
template <std::int64_t N, class X>
constexpr auto matrix_power(X const& x, site at = std::source_location::current()) {
  return invoke<ops::matrix_power, of_diagonal<N, false>>(at, x);
}
template <std::int64_t Rows, std::int64_t Columns = Rows, std::int64_t Diagonal = 0, class Element = float>
constexpr auto tri(site at = std::source_location::current()) {
  return tril<Diagonal>(ones<Element, Rows, Columns>(at), at);
}
inline constexpr binary_door<ops::kron> kron;
inline constexpr binary_door<ops::cross> cross;

}  // namespace tessera
