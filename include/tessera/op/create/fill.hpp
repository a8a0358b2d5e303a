// SPDX-License-Identifier: Apache-2.0
#pragma once
// zeros, ones, full and their *_like: arrays with one value. Without an operand they are constants, which need no mesh,
// storage or program of their own, and become part of the first program that uses them. Moves 0 bytes.
//   zeros<float, 8, 4>()   ones<float, 8>(out_sharding<P<dp>, grid>)   full<8, 4>(2.5)   full<float, 8>(learning_rate)
//   zeros_like(x)   ones_like<int32>(x)   full_like(x, 2.5)      shape, layout and dtype of x, or of each leaf of a tree
//   zeros_like(x, out_sharding<P<dp>>)                           in another layout
// Source: JAX 0.10.2 jnp.zeros, ones, full, *_like. full without a dtype is as weak as its value.

#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/trace/tree.hpp>

namespace tessera {
namespace ops {

// One value everywhere; `number` where no operand gives it.
struct full_params {
  extents_list shape{};
  double number = 0;
  dtype element = dtype::float32;
  bool cast = false;  // to `element`: an operand's value, or what is like another array
  static constexpr void fields(auto& p, auto&& each) { each(p.shape, p.number, p.element, p.cast); }
};

// (scalar) -> [shape]
struct full {
  static constexpr std::string_view name = "full";
  static constexpr op_class kind = op_class::broadcast;

  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    auto const asked = attrs.as<full_params>();
    term value = count ? x[0] : number(b, asked.number, asked.element);
    if (value.facts().rank != 0)
      return b.template refuse<full>(refuse(reason::ranks_disagree, -1, {}, value.facts().rank, 0), value.facts());
    if (count && asked.cast) value = make<cast>(b, {value}, cast_params{asked.element});
    attributes wide = attrs;
    wide.set(broadcast_params{{}, asked.shape});
    return value ? make<broadcast_to>(b, {value}, wide) : value;
  }
};

struct pvary;  // op/base/varying.hpp

// (x) or (x, scalar) -> one value in x's shape, layout and dtype.
struct full_like {
  static constexpr std::string_view name = "full_like";
  static constexpr op_class kind = op_class::broadcast;

  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    array_value const like = x[0].facts();
    auto const asked = attrs.as<full_params>();
    cast_params const to{asked.cast ? asked.element : like.element, !asked.cast && like.weak};
    term value = count == 2 ? x[1] : number(b, asked.number);
    if (value.facts().rank != 0)
      return b.template refuse<full_like>(refuse(reason::ranks_disagree, -1, {}, value.facts().rank, 0), like,
                                          value.facts());
    value = make<cast>(b, {value}, to);
    broadcast_params shape;
    for (int d = 0; d < like.rank; ++d) shape.shape.push_back(like.extent(d));
    bool const placed = like.rank > 0 || attrs.has_out;
    attributes const wide = placed ? attributes(shape, attrs.has_out ? attrs.out : layout_of(like)) : attributes(shape);
    if (value) value = make<broadcast_to>(b, {value}, wide);
    if (!value || like.varying.empty()) return value;
    collective_params over;  // the axes over which x's blocks differ
    over.axes = like.varying;
    return make<pvary>(b, {value}, over);
  }
};

}  // namespace ops

// Number over 1 or 0 as the value, if no operand gives it; Element void: x's own element type, or the operand's.
template <class Element, int Number, std::int64_t... Extents>
struct filled {
  using element_asked = std::conditional_t<std::is_void_v<Element>, float, Element>;
  static_assert(
      ((Extents >= 0) && ...),
      "tessera: this array's extents are numbers. Fix: zeros_like(x), ones_like(x), full_like(x, v) take those of x.");
  template <Mesh M>
  static constexpr ops::full_params on() {
    ops::full_params asked{extents_list{Extents...}, Number};
    if constexpr (!std::is_void_v<Element>) {
      asked.element = dtype_of<Element>();
      asked.cast = true;
    }
    return asked;
  }
};

namespace functions {

template <class Element, std::int64_t... Extents>
constexpr auto zeros(site at = std::source_location::current()) {
  return invoke<ops::full, filled<Element, 0, Extents...>>(at);
}
template <class Element, std::int64_t... Extents, Spec S, Mesh M>
constexpr auto zeros(out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::full, with_out<filled<Element, 0, Extents...>, S, M>>(at);
}
template <class Element, std::int64_t... Extents>
constexpr auto ones(site at = std::source_location::current()) {
  return invoke<ops::full, filled<Element, 1, Extents...>>(at);
}
template <class Element, std::int64_t... Extents, Spec S, Mesh M>
constexpr auto ones(out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::full, with_out<filled<Element, 1, Extents...>, S, M>>(at);
}
template <std::int64_t... Extents, class V>
constexpr auto full(V const& value, site at = std::source_location::current()) {
  return invoke<ops::full, filled<void, 0, Extents...>>(at, value);
}
template <std::int64_t... Extents, class V, Spec S, Mesh M>
constexpr auto full(V const& value, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::full, with_out<filled<void, 0, Extents...>, S, M>>(at, value);
}
template <class Element, std::int64_t... Extents, class V>
constexpr auto full(V const& value, site at = std::source_location::current()) {
  return invoke<ops::full, filled<Element, 0, Extents...>>(at, value);
}
template <class Element, std::int64_t... Extents, class V, Spec S, Mesh M>
constexpr auto full(V const& value, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::full, with_out<filled<Element, 0, Extents...>, S, M>>(at, value);
}

template <class Element = void, class X>
constexpr auto zeros_like(X const& x, site at = std::source_location::current()) {
  if constexpr (Tree<X>)
    return tree_map([&](auto const& leaf) { return zeros_like<Element>(leaf, at); }, x);
  else
    return invoke<ops::full_like, filled<Element, 0>>(at, x);
}
template <class Element = void, class X, Spec S, Mesh M>
constexpr auto zeros_like(X const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::full_like, with_out<filled<Element, 0>, S, M>>(at, x);
}
template <class Element = void, class X>
constexpr auto ones_like(X const& x, site at = std::source_location::current()) {
  if constexpr (Tree<X>)
    return tree_map([&](auto const& leaf) { return ones_like<Element>(leaf, at); }, x);
  else
    return invoke<ops::full_like, filled<Element, 1>>(at, x);
}
template <class Element = void, class X, Spec S, Mesh M>
constexpr auto ones_like(X const& x, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::full_like, with_out<filled<Element, 1>, S, M>>(at, x);
}
template <class Element = void, class X, class V>
constexpr auto full_like(X const& x, V const& value, site at = std::source_location::current()) {
  if constexpr (Tree<X>)
    return tree_map([&](auto const& leaf) { return full_like<Element>(leaf, value, at); }, x);
  else
    return invoke<ops::full_like, filled<Element, 0>>(at, x, value);
}
template <class Element = void, class X, class V, Spec S, Mesh M>
constexpr auto full_like(X const& x, V const& value, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::full_like, with_out<filled<Element, 0>, S, M>>(at, x, value);
}

}  // namespace functions

}  // namespace tessera
