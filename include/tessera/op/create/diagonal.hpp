// SPDX-License-Identifier: Apache-2.0
#pragma once
// diagonal<K>(x), trace<K>(x), over the first two dimensions: (n, m, ...) -> (..., l) and (...).
// diag<K>(x): for a vector the matrix with it on diagonal K, for a matrix its diagonal. tri<n, m, K>(): ones on and
// below diagonal K. kron(a, b) for two arrays of one rank. matrix_power<N>(x) for square matrices in the last two
// dimensions. cross(a, b) for vectors of three in the last dimension. They are composed of selections, sums and
// products, with their layouts and gradients: a diagonal of a sharded matrix costs an all_reduce of its length, and has
// the layout of the columns. Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/create/triangle.hpp>
#include <tessera/op/linalg/linalg.hpp>
#include <tessera/op/shape/roll.hpp>

namespace tessera {
namespace ops {

struct diagonal {
  static constexpr std::string_view name = "diagonal";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    term x = operand[0];
    array_value const facts = x.facts();
    if (facts.rank < 2)
      return b.template refuse<diagonal>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 2), facts);
    auto const asked = attrs.as<diagonal_params>();
    auto const n = facts.extent(0), m = facts.extent(1), k = asked.diagonal;
    bool const mask = facts.element == dtype::boolean;
    if (!asked.sum && n == dynamic && m != dynamic)  // whether m is too long is not known
      return b.template refuse<diagonal>(refuse(reason::shapes_disagree, 0, {}, n, m), facts);
    if (mask) x = cast_to<dtype::int32>(b, x);
    auto const zero = number(b, 0.0, x.facts().element);
    x = make<where>(b, {on_the_diagonal(b, facts, 0, 1, k), x, zero});
    if (asked.sum) return make<sum>(b, {x}, reduce_params{{0, 1}});
    x = make<reduce_sum>(b, {x}, reduce_params{{0}});  // (m, ...): what stands in each column
    auto const from = k > 0 ? k : 0, rest = m - from, high = n + (k < 0 ? k : 0);
    auto const length = rest < high ? rest : high;
    slice_in_dim_params const part{0, from, m == dynamic ? to_end : from + (length > 0 ? length : 0)};
    x = x ? make<slice>(b, {x}, part) : x;
    permute_params order;
    for (int d = 1; d < facts.rank - 1; ++d) order.order.push_back(d);
    order.order.push_back(0);
    if (facts.rank > 2 && x) x = make<permute>(b, {x}, order);
    return mask && x ? cast_to<dtype::boolean>(b, x) : x;
  }
};

struct diag {
  static constexpr std::string_view name = "diag";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    array_value const facts = operand[0].facts();
    if (facts.rank == 2) return make<diagonal>(b, {operand[0]}, attrs);
    if (facts.rank != 1) return b.template refuse<diag>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 1), facts);
    auto const k = attrs.as<diagonal_params>().diagonal, own = facts.extent(0),
               n = own == dynamic ? own : own + (k < 0 ? -k : k);
    pad_params around{{k > 0 ? k : 0}, {k < 0 ? -k : 0}, {}};
    auto const zero = number(b, 0.0, facts.element);
    auto const columns = make<pad>(b, {operand[0], zero}, around);
    if (!columns) return columns;
    auto const everywhere = make<broadcast_to>(b, {columns}, broadcast_params{{}, {n, n}});
    if (!everywhere) return everywhere;
    return make<where>(b, {on_the_diagonal(b, everywhere.facts(), 0, 1, k), everywhere, zero});
  }
};

// For operands of equal rank: a's dimensions outside, b's inside.
struct kron {
  static constexpr std::string_view name = "kron";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    array_value const one = x[0].facts(), two = x[1].facts();
    if (one.rank != two.rank)
      return b.template refuse<kron>(refuse(reason::ranks_disagree, -1, {}, one.rank, two.rank), one, two);
    expand_dims_params even, odd;
    for (int d = 0; d < one.rank; ++d) {
      odd.dims.push_back(2 * d + 1);
      even.dims.push_back(2 * d);
    }
    auto const outside = make<expand_dims>(b, {x[0]}, odd), inside = make<expand_dims>(b, {x[1]}, even);
    if (!outside || !inside) return outside ? inside : outside;
    term product = outside * inside;
    for (int k = 0; k < one.rank && product; ++k) {  // one pair at a time: a reshape of one group keeps its layout
      reshape_params joined;
      extents_list const wide = product.facts().shape();
      for (int d = 0; d < wide.size(); ++d) {
        bool const pair = d == k;
        auto const n = wide[d], m = pair ? wide[d + 1] : 1;
        joined.shape.push_back(n == dynamic || m == dynamic ? dynamic : n * m);
        d += pair;
      }
      product = make<reshape>(b, {product}, joined);
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
    return make<subtract>(b, {product(b, x, -1, -2), product(b, x, -2, -1)});
  }

private:
  template <class B>
  static constexpr term product(B& b, term const* x, int one, int two) {
    return make<multiply>(
        b, {make<roll>(b, {x[0]}, roll_params{{one}, {-1}}), make<roll>(b, {x[1]}, roll_params{{two}, {-1}})});
  }
};

struct matrix_power_params {
  std::int64_t power = 1;
  static constexpr void fields(auto& p, auto&& each) { each(p.power); }
};
struct matrix_power {
  static constexpr std::string_view name = "matrix_power";
  static constexpr op_class kind = op_class::dot;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    auto const power = attrs.as<matrix_power_params>().power;
    term x = power < 0 ? make<inv>(b, {operand[0]}) : operand[0];
    if (!x) return x;
    array_value const facts = x.facts();
    if (facts.rank < 2 || facts.extent(facts.rank - 1) != facts.extent(facts.rank - 2))
      return b.template refuse<matrix_power>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 2), facts);
    if (power == 0) {
      auto const ones = on_the_diagonal(b, facts, facts.rank - 2, facts.rank - 1, 0);
      return make<cast>(b, {ones}, cast_params{facts.element});
    }
    term product{&b, -1};
    for (auto left = power < 0 ? -power : power; left > 0; left /= 2) {
      if (left % 2 == 1) product = product ? make<matmul>(b, {product, x}) : x;
      if (left > 1) x = make<matmul>(b, {x, x});
      if (!x || !product.graph) return x;
    }
    return product;
  }
};

}  // namespace ops

template <std::int64_t Diagonal, bool Sum>
struct of_diagonal {
  template <Mesh M>
  static constexpr ops::diagonal_params on() {
    return {Diagonal, Sum};
  }
};

namespace functions {

template <std::int64_t Diagonal = 0, class X>
constexpr auto diagonal(X const& x, site at = std::source_location::current()) {
  return invoke<ops::diagonal, of_diagonal<Diagonal, false>>(at, x);
}
template <std::int64_t Diagonal = 0, class X>
constexpr auto trace(X const& x, site at = std::source_location::current()) {
  return invoke<ops::diagonal, of_diagonal<Diagonal, true>>(at, x);
}
template <std::int64_t Diagonal = 0, class X>
constexpr auto diag(X const& x, site at = std::source_location::current()) {
  return invoke<ops::diag, of_diagonal<Diagonal, false>>(at, x);
}

}  // namespace functions
template <std::int64_t N>
struct to_power {
  template <Mesh M>
  static constexpr ops::matrix_power_params on() {
    return {N};
  }
};
namespace functions {

template <std::int64_t N, class X>
constexpr auto matrix_power(X const& x, site at = std::source_location::current()) {
  return invoke<ops::matrix_power, to_power<N>>(at, x);
}
template <std::int64_t Rows, std::int64_t Columns = Rows, std::int64_t Diagonal = 0, class Element = float>
constexpr auto tri(site at = std::source_location::current()) {
  return tril<Diagonal>(ones<Element, Rows, Columns>(at), at);
}
template <class Element, std::int64_t Rows, std::int64_t Columns = Rows, std::int64_t Diagonal = 0>
constexpr auto tri(site at = std::source_location::current()) {
  return tri<Rows, Columns, Diagonal, Element>(at);
}

}  // namespace functions
inline constexpr binary_door<ops::kron> kron;
inline constexpr binary_door<ops::cross> cross;

}  // namespace tessera
