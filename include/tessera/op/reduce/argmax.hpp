// SPDX-License-Identifier: Apache-2.0
#pragma once
// argmax<1>(x), argmin(x): where the extreme stands along one dimension (none: of the flattened array), int32, the first of
// several; two reductions. Of nothing they are refused.
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/reshape.hpp>

#include <limits>

namespace tessera {
namespace ops {

// The first index of the extreme along one dimension (without one, of the flattened array): the smallest index among
// the elements that equal it. NaN is the extreme if there is one, as in JAX. Refused for an empty dimension, and if
// positions do not fit int32.
template <class Self, class Extreme>
struct arg_extreme {
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    term x = operand[0];
    auto const& asked = attrs.as<reduce_params>();
    extents_list kept;
    if (!normal_dims<Self>(b, x, asked.dims, kept)) return {&b, -1};
    bool const of_all = asked.dims.empty();
    if (of_all && !(x = flattened(b, x))) return x;
    extents_list const dims = of_all ? extents_list{0} : kept;
    array_value const facts = x.facts();
    auto const d = static_cast<int>(dims[0]);
    if (verdict const v = not_of_nothing(facts, dims); !v) return b.template refuse<Self>(v, facts);
    if (facts.extent(d) - 1 > highest_integer(dtype::int32)) {
      verdict v = refuse(reason::number_out_of_range, d, {}, facts.extent(d) - 1,
                         static_cast<std::int64_t>(number_value::form::whole));
      v.result.element = dtype::int32;
      return b.template refuse<Self>(v, facts);
    }
    reduce_params const over{dims};
    attributes const positions{iota_params{dtype::int32, dims[0], facts.shape()}, layout_of(facts)};
    auto const extreme = spread_back(b, make<Extreme>(b, {x}, over), facts, dims);
    term hit = make<equal>(b, {x, extreme});
    if (is_floating(facts.element)) hit = make<logical_or>(b, {hit, make<isnan>(b, {x})});
    auto const index = make<iota>(b, {}, positions);
    auto const none = number(b, static_cast<double>(std::numeric_limits<std::int32_t>::max()), dtype::int32);
    auto const result = make<reduce_min>(b, {make<where>(b, {hit, index, none})}, over);
    return asked.keep ? keep_dims(b, result, kept) : result;
  }
};
struct argmax : arg_extreme<argmax, reduce_max> {
  static constexpr std::string_view name = "argmax";
};
struct argmin : arg_extreme<argmin, reduce_min> {
  static constexpr std::string_view name = "argmin";
};

}  // namespace ops

namespace functions {

template <int... Dims, class X>
constexpr auto argmax(X const& x, site at = std::source_location::current()) {
  return invoke<ops::argmax, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto argmax(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::argmax, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto argmin(X const& x, site at = std::source_location::current()) {
  return invoke<ops::argmin, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto argmin(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::argmin, over_dims<true, Dims...>>(at, x);
}

}  // namespace functions
}  // namespace tessera
