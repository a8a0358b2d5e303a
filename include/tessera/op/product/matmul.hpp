// SPDX-License-Identifier: Apache-2.0
#pragma once
// matmul: (..., M, K) . (..., K, N) -> (..., M, N), as in numpy: a vector on either side contracts its one dimension,
// leading dimensions broadcast. dot(x, y): the last dimension of x with the second last of y. matmul(x, y,
// preferred<float>): summed in that type and returned in it. Layouts, gradients and
// bytes are dot_general's; batch dimensions of both sides need equal layouts, or out_sharding.
// Source: JAX 0.10.2 jnp.matmul, jnp.dot. Differs: out_sharding is the result's, also if leading dimensions move; JAX
// applies it to the product before that.

#include <tessera/op/product/dot_general.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/op/shape/permute.hpp>

namespace tessera {
namespace ops {

struct matmul;
struct dot;

// Product: dot_general, or what stands for it.
template <class Product>
struct matmul_by {
  // One dot_general: leading dimensions that both sides have are its batch. A dimension that only one side has, or that
  // is 1 on the other, is free like rows and columns, keeps its layout, and is moved to its position afterwards.
  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes attrs) {
    array_value const l = operands[0].facts(), r = operands[1].facts();
    if (l.rank == 0 || r.rank == 0)
      return b.template refuse<matmul>(refuse(reason::ranks_disagree, -1, {}, l.rank, r.rank), l, r);
    int const l_leading = l.rank > 2 ? l.rank - 2 : 0, r_leading = r.rank > 2 ? r.rank - 2 : 0;
    int const leading = l_leading > r_leading ? l_leading : r_leading;
    squeeze_params l_ones, r_ones;  // dropped
    dot_params dims;
    extents_list both, only_l, only_r;
    for (int d = 0; d < leading; ++d) {
      int const i = d - (leading - l_leading), j = d - (leading - r_leading);
      if (i >= 0 && j >= 0 && l.extent(i) != 1 && r.extent(j) != 1) {
        bool const sizes = rule::detail::extents_differ(l.extent(i), r.extent(j));
        if (sizes || (!attrs.has_out && !(l.entry(i) == r.entry(j)))) {
          axis_set const axes = l.entry(i).axes() | r.entry(j).axes();
          verdict v = sizes ? refuse(reason::shapes_disagree, i, {}, l.extent(i), r.extent(j))
                            : refuse(reason::dims_disagree, i, axes);
          v.rhs_dim = j;
          return b.template refuse<matmul>(v, l, r);
        }
        dims.lhs_batch.push_back(i - l_ones.dims.size());
        dims.rhs_batch.push_back(j - r_ones.dims.size());
        both.push_back(d);
      } else if (i < 0 || (j >= 0 && l.extent(i) == 1)) {
        if (i >= 0) l_ones.dims.push_back(i);
        only_r.push_back(d);
      } else {
        if (j >= 0) r_ones.dims.push_back(j);
        only_l.push_back(d);
      }
    }
    if (l.rank > 1) only_l.push_back(leading);
    if (r.rank > 1) only_r.push_back(leading + (l.rank > 1));
    auto const x = without_ones(b, operands[0], l_ones), y = without_ones(b, operands[1], r_ones);
    if (!x || !y) return x ? y : x;
    dims.lhs_contracting = {x.facts().rank - 1};
    dims.rhs_contracting = {r.rank == 1 ? 0 : y.facts().rank - 2};
    attrs.set(dims);
    extents_list made;  // the positions of the product's dimensions in the result
    for (extents_list const* part : {&both, &only_l, &only_r})
      for (auto d : *part) made.push_back(d);
    permute_params order;
    bool moves = false;
    for (int d = 0; d < made.size(); ++d) {
      order.order.push_back(made.find(d));
      moves = moves || made[d] != d;
    }
    if (attrs.has_out && moves) {  // given in the result's order
      spec_value const asked = attrs.out;
      for (int d = 0; d < made.size(); ++d) attrs.out.entries[d] = asked[static_cast<int>(made[d])];
      attrs.out.rank = made.size();
    }
    auto const product = make<Product>(b, {x, y}, attrs);
    return moves && product ? make<permute>(b, {product}, order) : product;
  }

private:
  template <class B>
  static constexpr term without_ones(B& b, term x, squeeze_params const& ones) {
    return ones.dims.empty() ? x : make<squeeze>(b, {x}, ones);
  }
};
struct matmul : matmul_by<dot_general> {
  static constexpr std::string_view name = "matmul";
  static constexpr op_class kind = op_class::dot;
};

// numpy's dot: with a right side of rank 1 its only dimension, otherwise its second last; never broadcasts.
template <class Product>
struct dot_by {
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes attrs) {
    int const l = x[0].facts().rank, r = x[1].facts().rank;
    if (l == 0 || r == 0) return x[0] * x[1];
    attrs.set(dot_params{{l - 1}, {r == 1 ? 0 : r - 2}, {}, {}});
    return make<Product>(b, {x[0], x[1]}, attrs);
  }
};
struct dot : dot_by<dot_general> {
  static constexpr std::string_view name = "dot";
  static constexpr op_class kind = op_class::dot;
};

}  // namespace ops

namespace functions {

template <class X, class Y>
constexpr auto matmul(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::matmul, no_params>(at, x, y);
}
template <class X, class Y, Spec S, Mesh M>
constexpr auto matmul(X const& x, Y const& y, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::matmul, with_out<no_params, S, M>>(at, x, y);
}
template <class X, class Y, class Element>
constexpr auto matmul(X const& x, Y const& y, preferred_t<Element>, site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::matmul, ops::matmul_by, Element>, no_params>(at, x, y);
}
template <class X, class Y, class Element, Spec S, Mesh M>
constexpr auto matmul(X const& x, Y const& y, preferred_t<Element>, out_sharding_t<S, M>,
                      site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::matmul, ops::matmul_by, Element>, with_out<no_params, S, M>>(at, x, y);
}
template <class X, class Y>
constexpr auto dot(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::dot, no_params>(at, x, y);
}
template <class X, class Y, Spec S, Mesh M>
constexpr auto dot(X const& x, Y const& y, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::dot, with_out<no_params, S, M>>(at, x, y);
}
template <class X, class Y, class Element>
constexpr auto dot(X const& x, Y const& y, preferred_t<Element>, site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::dot, ops::dot_by, Element>, no_params>(at, x, y);
}
template <class X, class Y, class Element, Spec S, Mesh M>
constexpr auto dot(X const& x, Y const& y, preferred_t<Element>, out_sharding_t<S, M>,
                   site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::dot, ops::dot_by, Element>, with_out<no_params, S, M>>(at, x, y);
}

}  // namespace functions

}  // namespace tessera
