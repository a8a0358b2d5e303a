// SPDX-License-Identifier: Apache-2.0
#pragma once
// matmul: (..., M, K) . (..., K, N) -> (..., M, N), numpy's way: a vector on either side contracts its one dimension,
// leading dimensions broadcast. dot(x, y): the last dimension of x with the second last of y. Layouts, gradients and
// bytes are dot_general's. Source: JAX 0.10.2 jnp.matmul, jnp.dot. Batch dimensions of both sides need equal layouts.

#include <tessera/op/dot_general.hpp>
#include <tessera/op/reshape.hpp>

namespace tessera {
namespace ops {

struct matmul {
  static constexpr std::string_view name = "matmul";
  static constexpr op_class kind = op_class::dot;

  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes attrs) {
    term x = operands[0], y = operands[1];
    array_value l = x.facts(), r = y.facts();
    if (l.rank == 0 || r.rank == 0)
      return b.template refuse<matmul>(refuse(reason::ranks_disagree, -1, {}, l.rank, r.rank), l, r);
    if (l.rank > 2 && r.rank > 2) {
      if (!broadcast_batches(b, x, y)) return {&b, -1};
      l = x.facts();
      r = y.facts();
      for (int d = 0; d < l.rank - 2; ++d)
        if (!(l.entry(d) == r.entry(d))) {
          verdict v = refuse(reason::dims_disagree, d, l.entry(d).axes() | r.entry(d).axes());
          v.rhs_dim = d;
          return b.template refuse<matmul>(v, l, r);
        }
    }
    bool const batched = l.rank > 2 && r.rank > 2;
    attrs.first.push_back(l.rank - 1);
    attrs.second.push_back(r.rank == 1 ? 0 : r.rank - 2);
    if (batched)
      for (int side = 0; side < 2; ++side)
        for (int d = 0; d < l.rank - 2; ++d) attrs.third.push_back(d);
    // Only the right side has leading dimensions: they come after the left's rows and move to the front.
    int const leading = !batched && r.rank > 2 ? r.rank - 2 : 0;
    bool const moves = leading > 0 && l.rank == 2;
    attributes order;
    if (moves) {
      for (int d = 0; d < leading; ++d) order.first.push_back(1 + d);
      order.first.push_back(0);
      order.first.push_back(r.rank - 1);
      if (attrs.has_out) {
        spec_value const asked = attrs.out;
        for (int d = 0; d < r.rank; ++d) attrs.out.entries[static_cast<std::size_t>(order.first[d])] = asked[d];
        attrs.out.rank = r.rank;
      }
    }
    term const product = b.template make<dot_general>({x, y}, attrs);
    return moves && product ? b.template make<permute>({product}, order) : product;
  }

private:
  template <class B>
  static constexpr bool broadcast_batches(B& b, term& x, term& y) {
    array_value const l = x.facts(), r = y.facts();
    int const rank = l.rank > r.rank ? l.rank : r.rank;
    extents_list batch;
    for (int d = 0; d < rank - 2; ++d) {
      int const i = d - (rank - l.rank), j = d - (rank - r.rank);
      std::int64_t const a = i < 0 ? 1 : l.extent(i), c = j < 0 ? 1 : r.extent(j);
      if (a != c && a != 1 && c != 1 && a != dynamic && c != dynamic) {
        verdict v = refuse(reason::shapes_disagree, i, {}, a, c);
        v.rhs_dim = j;
        b.template refuse<matmul>(v, l, r);
        return false;
      }
      batch.push_back(a == 1 ? c : a);
    }
    for (term* t : {&x, &y}) {
      array_value const own = t->facts();
      attributes to;
      to.second = batch;
      to.second.push_back(own.extent(own.rank - 2));
      to.second.push_back(own.extent(own.rank - 1));
      bool same = own.rank == rank;
      for (int d = 0; same && d < rank; ++d) same = own.extent(d) == to.second[d];
      if (!same) *t = b.template make<broadcast_to>({*t}, to);
      if (!*t) return false;
    }
    return true;
  }
};

// numpy's dot: with the right side of rank 1 its only dimension, else its second last; never broadcasts.
struct dot {
  static constexpr std::string_view name = "dot";
  static constexpr op_class kind = op_class::dot;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes attrs) {
    int const l = x[0].facts().rank, r = x[1].facts().rank;
    if (l == 0 || r == 0) return b.template make<multiply>({x[0], x[1]});
    attrs.first.push_back(l - 1);
    attrs.second.push_back(r == 1 ? 0 : r - 2);
    return b.template make<dot_general>({x[0], x[1]}, attrs);
  }
};

}  // namespace ops

template <class X, class Y>
constexpr auto matmul(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::matmul, no_params>(at, x, y);
}
template <class X, class Y, Spec S>
constexpr auto matmul(X const& x, Y const& y, out_sharding_t<S>, site at = std::source_location::current()) {
  return invoke<ops::matmul, with_out<no_params, S>>(at, x, y);
}
template <class X, class Y>
constexpr auto dot(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::dot, no_params>(at, x, y);
}
template <class X, class Y, Spec S>
constexpr auto dot(X const& x, Y const& y, out_sharding_t<S>, site at = std::source_location::current()) {
  return invoke<ops::dot, with_out<no_params, S>>(at, x, y);
}

}  // namespace tessera
