// SPDX-License-Identifier: Apache-2.0
#pragma once
// vdot, inner, outer, tensordot, vecdot: products composed of dot_general and multiply, with their layouts, gradients
// and bytes.
//   vdot(x, y): all elements, one number        inner(x, y): the last dimensions        outer(x, y): x_i y_j
//   tensordot<2>(x, y): the last 2 dimensions of x with the first 2 of y        vecdot(x, y): the last, of each row
// vdot and vecdot take the conjugate of a complex x. inner, tensordot, vdot and vecdot take preferred and
// out_sharding.
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/product/dot_general.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/op/shape/reshape.hpp>

namespace tessera {
namespace ops {

struct vdot;
template <class Product>
struct vdot_by {
  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes attrs) {
    term x = operands[0], y = operands[1];
    if (x.facts().rank == 0 || x.facts().shape() != y.facts().shape()) x = flattened(b, x), y = flattened(b, y);
    if (!x || !y) return {&b, -1};
    extents_list every;
    for (int d = 0; d < x.facts().rank; ++d) every.push_back(d);
    attrs.set(dot_params{every, every, {}, {}});
    return make<Product>(b, {make<conj>(b, {x}), y}, attrs);
  }
};
struct vdot : vdot_by<dot_general> {
  static constexpr std::string_view name = "vdot";
  static constexpr op_class kind = op_class::dot;
};

struct inner;
template <class Product>
struct inner_by {
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes attrs) {
    int const l = x[0].facts().rank, r = x[1].facts().rank;
    if (l == 0 || r == 0) return x[0] * x[1];
    attrs.set(dot_params{{l - 1}, {r - 1}, {}, {}});
    return make<Product>(b, {x[0], x[1]}, attrs);
  }
};
struct inner : inner_by<dot_general> {
  static constexpr std::string_view name = "inner";
  static constexpr op_class kind = op_class::dot;
};

struct outer {
  static constexpr std::string_view name = "outer";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    expand_dims_params at_end{{1}}, at_front{{0}};
    return make<multiply>(
        b, {make<expand_dims>(b, {flattened(b, x[0])}, at_end), make<expand_dims>(b, {flattened(b, x[1])}, at_front)});
  }
};

// How many dimensions.
struct tensordot_params {
  int count = 2;
  static constexpr void fields(auto& p, auto&& each) { each(p.count); }
};
struct tensordot;
template <class Product>
struct tensordot_by {
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes attrs) {
    array_value const l = x[0].facts(), r = x[1].facts();
    auto const count = attrs.as<tensordot_params>().count;
    if (count > l.rank || count > r.rank)
      return b.template refuse<tensordot>(
          refuse(reason::ranks_disagree, -1, {}, l.rank < r.rank ? l.rank : r.rank, count), l, r);
    dot_params dims;
    for (int d = 0; d < count; ++d) {
      dims.lhs_contracting.push_back(l.rank - count + d);
      dims.rhs_contracting.push_back(d);
    }
    attrs.set(dims);
    return make<Product>(b, {x[0], x[1]}, attrs);
  }
};
struct tensordot : tensordot_by<dot_general> {
  static constexpr std::string_view name = "tensordot";
  static constexpr op_class kind = op_class::dot;
};

struct vecdot;
template <class Product>
struct vecdot_by {
  using named = std::conditional_t<std::is_void_v<Product>, void, vecdot>;  // incomplete until Product is known
  template <class B>
  static constexpr term build(B& b, term const* operands, int, attributes attrs) {
    term both[]{operands[0], operands[1]};
    if (both[0].facts().rank == 0 || both[1].facts().rank == 0)
      return b.template refuse<named>(
          refuse(reason::ranks_disagree, -1, {}, both[0].facts().rank, both[1].facts().rank), both[0].facts(),
          both[1].facts());
    if (!both[0].facts().same_shape(both[1].facts()) && !tessera::detail::unify(b, info<named>, both, 2))
      return {&b, -1};
    int const last = both[0].facts().rank - 1;
    dot_params dims{{last}, {last}, {}, {}};
    for (int d = 0; d < last; ++d) dims.lhs_batch.push_back(d);
    dims.rhs_batch = dims.lhs_batch;
    attrs.set(dims);
    return make<Product>(b, {make<conj>(b, {both[0]}), both[1]}, attrs);
  }
};
struct vecdot : vecdot_by<dot_general> {
  static constexpr std::string_view name = "vecdot";
  static constexpr op_class kind = op_class::dot;
};

}  // namespace ops

template <std::int64_t Count>
struct so_many_dims {
  template <Mesh M>
  static constexpr ops::tensordot_params on() {
    return {static_cast<int>(Count)};
  }
};

namespace functions {

template <class X, class Y>
constexpr auto vdot(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::vdot, no_params>(at, x, y);
}
template <class X, class Y, Spec S, Mesh M>
constexpr auto vdot(X const& x, Y const& y, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::vdot, with_out<no_params, S, M>>(at, x, y);
}
template <class X, class Y, class Element>
constexpr auto vdot(X const& x, Y const& y, preferred_t<Element>, site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::vdot, ops::vdot_by, Element>, no_params>(at, x, y);
}
template <class X, class Y, class Element, Spec S, Mesh M>
constexpr auto vdot(X const& x, Y const& y, preferred_t<Element>, out_sharding_t<S, M>,
                    site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::vdot, ops::vdot_by, Element>, with_out<no_params, S, M>>(at, x, y);
}
template <class X, class Y>
constexpr auto inner(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::inner, no_params>(at, x, y);
}
template <class X, class Y, Spec S, Mesh M>
constexpr auto inner(X const& x, Y const& y, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::inner, with_out<no_params, S, M>>(at, x, y);
}
template <class X, class Y, class Element>
constexpr auto inner(X const& x, Y const& y, preferred_t<Element>, site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::inner, ops::inner_by, Element>, no_params>(at, x, y);
}
template <class X, class Y, class Element, Spec S, Mesh M>
constexpr auto inner(X const& x, Y const& y, preferred_t<Element>, out_sharding_t<S, M>,
                     site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::inner, ops::inner_by, Element>, with_out<no_params, S, M>>(at, x, y);
}
inline constexpr binary_door<ops::outer> outer;
template <std::int64_t Count = 2, class X, class Y>
constexpr auto tensordot(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::tensordot, so_many_dims<Count>>(at, x, y);
}
template <std::int64_t Count = 2, class X, class Y, Spec S, Mesh M>
constexpr auto tensordot(X const& x, Y const& y, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::tensordot, with_out<so_many_dims<Count>, S, M>>(at, x, y);
}
template <std::int64_t Count = 2, class X, class Y, class Element>
constexpr auto tensordot(X const& x, Y const& y, preferred_t<Element>, site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::tensordot, ops::tensordot_by, Element>, so_many_dims<Count>>(at, x, y);
}
template <std::int64_t Count = 2, class X, class Y, class Element, Spec S, Mesh M>
constexpr auto tensordot(X const& x, Y const& y, preferred_t<Element>, out_sharding_t<S, M>,
                         site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::tensordot, ops::tensordot_by, Element>, with_out<so_many_dims<Count>, S, M>>(at, x,
                                                                                                                  y);
}
template <class X, class Y>
constexpr auto vecdot(X const& x, Y const& y, site at = std::source_location::current()) {
  return invoke<ops::vecdot, no_params>(at, x, y);
}
template <class X, class Y, Spec S, Mesh M>
constexpr auto vecdot(X const& x, Y const& y, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::vecdot, with_out<no_params, S, M>>(at, x, y);
}
template <class X, class Y, class Element>
constexpr auto vecdot(X const& x, Y const& y, preferred_t<Element>, site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::vecdot, ops::vecdot_by, Element>, no_params>(at, x, y);
}
template <class X, class Y, class Element, Spec S, Mesh M>
constexpr auto vecdot(X const& x, Y const& y, preferred_t<Element>, out_sharding_t<S, M>,
                      site at = std::source_location::current()) {
  return invoke<ops::preferring<ops::vecdot, ops::vecdot_by, Element>, with_out<no_params, S, M>>(at, x, y);
}

}  // namespace functions

}  // namespace tessera

#include <tessera/op/shape/expand_dims.hpp>
