// SPDX-License-Identifier: Apache-2.0
#pragma once
// softmax, log_softmax along some dimensions (default the last), logsumexp over some (default all), one_hot, layer_norm
// and rms_norm over the last dimension.
//   softmax(x)   log_softmax<0>(x)   logsumexp<-1>(x)   logsumexp<0, 1>(x, keepdims)
//   layer_norm(x)   rms_norm(x)   layer_norm(x, 1e-6)   epsilon: 1e-5, or the number
//   one_hot<10>(labels)   one_hot<10, int32>(labels)   one_hot<10, float, 0>(labels)
// Composites: a whole dimension is one fused pass; a sharded one costs its reductions' all_reduces. The maximum is
// subtracted and takes no gradient. logsumexp takes complex x, too. one_hot: labels (...) -> (..., n), or with n at
// another position; the new dimension is unsharded.
// Source: JAX 0.10.2 jax.nn.

#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/activation.hpp>
#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/elementwise/exponential.hpp>
#include <tessera/op/elementwise/logarithmic.hpp>
#include <tessera/op/elementwise/powers.hpp>
#include <tessera/op/reduce/reduce.hpp>

namespace tessera {
namespace ops {

// Along all dimensions when none is named; logsumexp may keep them.
template <class Self>
struct along_dims {
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    reduce_params const asked = attrs.as<reduce_params>();
    term x = operand[0];
    extents_list dims;
    if (!normal_dims<Self>(b, x, asked.dims, dims)) return {&b, -1};
    if (!is_floating(x.facts().element)) x = floating_of(b, x);
    if (!x) return x;
    reduce_params const over{dims};
    array_value const facts = x.facts();
    term const peak = Self::peak(b, x, over);
    if (!peak) return peak;
    auto const shifted = x - spread_back(b, peak, facts, dims);
    auto const total = make<reduce_sum>(b, {make<exp>(b, {shifted})}, over);
    auto const result = Self::finish(b, shifted, peak, total, facts, dims);
    return asked.keep ? keep_dims(b, result, dims) : result;
  }
  template <class B>
  static constexpr term peak(B& b, term x, reduce_params const& over) {
    return make<stop_gradient>(b, {make<reduce_max>(b, {x}, over)});
  }
};

struct softmax : along_dims<softmax> {
  static constexpr std::string_view name = "softmax";
  template <class B>
  static constexpr term finish(B& b, term shifted, term, term total, array_value x, extents_list const& dims) {
    auto const e = make<exp>(b, {shifted});
    if (bytes_of(x.element) < 4) return e / spread_back(b, total, x, dims);
    // 1 <= total: one division for all
    return e * spread_back(b, make<reciprocal>(b, {total}), x, dims);
  }
};
struct log_softmax : along_dims<log_softmax> {
  static constexpr std::string_view name = "log_softmax";
  template <class B>
  static constexpr term finish(B& b, term shifted, term, term total, array_value x, extents_list const& dims) {
    return shifted - spread_back(b, make<log>(b, {total}), x, dims);
  }
};
struct logsumexp : along_dims<logsumexp> {
  static constexpr std::string_view name = "logsumexp";
  // Of complex x the largest real part. An infinite maximum is not subtracted: infinities would become NaN.
  template <class B>
  static constexpr term peak(B& b, term x, reduce_params const& over) {
    term const most = along_dims::peak(b, is_complex(x.facts().element) ? make<real>(b, {x}) : x, over);
    if (!most) return most;
    return make<where>(b, {make<isfinite>(b, {most}), most, number(b, 0.0, most.facts().element)});
  }
  template <class B>
  static constexpr term finish(B& b, term, term peak, term total, array_value const&, extents_list const&) {
    return make<log>(b, {total}) + peak;
  }
};

// The number of classes, their dimension in the result, and its dtype.
struct one_hot_params {
  std::int64_t classes = 0, dim = -1;
  dtype element = dtype::float32;
  static constexpr void fields(auto& p, auto&& each) { each(p.classes, p.dim, p.element); }
};
struct one_hot {
  static constexpr std::string_view name = "one_hot";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    auto const [classes, dim, element] = attrs.as<one_hot_params>();
    array_value const labels = operand[0].facts();
    if (labels.element == dtype::boolean || is_complex(labels.element))
      return b.template refuse<one_hot>(refuse(reason::element_unsupported), labels);
    auto const at = dim < 0 ? dim + labels.rank + 1 : dim;
    if (at < 0 || at > labels.rank || labels.rank == max_rank)
      return b.template refuse<one_hot>(refuse(reason::dim_out_of_range, -1, {}, dim, labels.rank + 1), labels);
    broadcast_params spread;
    for (int d = 0; d < labels.rank; ++d) {
      if (d == at) spread.shape.push_back(classes);
      spread.dims.push_back(d < at ? d : d + 1);
      spread.shape.push_back(labels.extent(d));
    }
    if (at == labels.rank) spread.shape.push_back(classes);
    auto const wide = make<broadcast_to>(b, {operand[0]}, spread);
    if (!wide) return wide;
    attributes const positions{iota_params{labels.element, at, spread.shape}, layout_of(wide.facts())};
    return make<cast>(b, {make<equal>(b, {wide, make<iota>(b, {}, positions)})}, cast_params{element});
  }
};

// Added to the variance, or the mean of squares.
struct norm_params {
  double epsilon = 0;
  static constexpr void fields(auto& p, auto&& each) { each(p.epsilon); }
};
// (x - mean) / sqrt(variance + epsilon) over the last dimension.
struct layer_norm {
  static constexpr std::string_view name = "layer_norm";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* operand, int count, attributes const& attrs) {
    term const x = operand[0];
    array_value const facts = x.facts();
    if (!is_floating(facts.element)) return b.template refuse<layer_norm>(refuse(reason::element_unsupported), facts);
    if (facts.rank == 0) return b.template refuse<layer_norm>(refuse(reason::dim_out_of_range, -1, {}, -1, 0), facts);
    reduce_params over{{facts.rank - 1}};
    auto const center = make<mean>(b, {x}, over);
    auto const off = x - spread_back(b, center, facts, over.dims);
    auto const spread = make<mean>(b, {make<square>(b, {off})}, over);
    auto const scale = make<rsqrt>(b, {count > 1 ? spread + operand[1] : spread + attrs.as<norm_params>().epsilon});
    return off * spread_back(b, scale, facts, over.dims);
  }
};

// x / sqrt(mean of x^2 + epsilon) over the last dimension.
struct rms_norm {
  static constexpr std::string_view name = "rms_norm";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* operand, int count, attributes const& attrs) {
    term const x = operand[0];
    array_value const facts = x.facts();
    if (!is_floating(facts.element)) return b.template refuse<rms_norm>(refuse(reason::element_unsupported), facts);
    if (facts.rank == 0) return b.template refuse<rms_norm>(refuse(reason::dim_out_of_range, -1, {}, -1, 0), facts);
    reduce_params over{{facts.rank - 1}};
    auto const power = make<mean>(b, {make<square>(b, {x})}, over);
    auto const scale = make<rsqrt>(b, {count > 1 ? power + operand[1] : power + attrs.as<norm_params>().epsilon});
    return x * spread_back(b, scale, facts, over.dims);
  }
};

}  // namespace ops

template <std::int64_t Classes, class Element, int Dim>
struct with_classes {
  using element_asked = Element;
  static_assert(Classes >= 0, "tessera: one_hot makes as many columns as its type says. Fix: a number of classes.");
  template <Mesh M>
  static constexpr ops::one_hot_params on() {
    return {Classes, Dim, dtype_of<Element>()};
  }
};
namespace detail {
template <int... Dims>
using over_dims_or_last = std::conditional_t<sizeof...(Dims) == 0, over_dims<false, -1>, over_dims<false, Dims...>>;
}
struct with_epsilon {
  template <Mesh M>
  static constexpr ops::norm_params on() {
    return {1e-5};
  }
};

namespace functions {

template <int... Dims, class X>
constexpr auto softmax(X const& x, site at = std::source_location::current()) {
  return invoke<ops::softmax, detail::over_dims_or_last<Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto log_softmax(X const& x, site at = std::source_location::current()) {
  return invoke<ops::log_softmax, detail::over_dims_or_last<Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto logsumexp(X const& x, site at = std::source_location::current()) {
  return invoke<ops::logsumexp, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto logsumexp(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::logsumexp, over_dims<true, Dims...>>(at, x);
}
template <std::int64_t Classes, class Element = float, int Dim = -1, class X>
constexpr auto one_hot(X const& labels, site at = std::source_location::current()) {
  return invoke<ops::one_hot, with_classes<Classes, Element, Dim>>(at, labels);
}
template <class Element, std::int64_t Classes, int Dim = -1, class X>
constexpr auto one_hot(X const& labels, site at = std::source_location::current()) {
  return invoke<ops::one_hot, with_classes<Classes, Element, Dim>>(at, labels);
}

}  // namespace functions

namespace detail {
// A normalization with epsilon 1e-5, or a number.
template <class Op>
struct norm_door : unary_door<Op, with_epsilon> {
  using unary_door<Op, with_epsilon>::operator();
  template <class X, class E>
    requires(std::is_floating_point_v<E>)
  constexpr auto operator()(X const& x, E epsilon, site at = std::source_location::current()) const {
    return invoke<Op, with_epsilon>(at, x, epsilon);
  }
  // layer_norm(x, 1), layer_norm<1>(x): a dimension.
  template <class X, class D>
    requires(std::is_integral_v<D>)
  constexpr auto operator()(X const& x, D, site at = std::source_location::current()) const {
    return refused_as<written::norm_of_another_dim>(x, at);
  }
  template <std::integral D>
  friend constexpr auto operator<(norm_door, D) {
    written::norm_of_another_dim<Op>::explain();
    return poisoned<explained<>>{};
  }
};
}  // namespace detail
inline constexpr detail::norm_door<ops::layer_norm> layer_norm;
inline constexpr detail::norm_door<ops::rms_norm> rms_norm;

}  // namespace tessera
