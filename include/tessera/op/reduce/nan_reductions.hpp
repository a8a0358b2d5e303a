// SPDX-License-Identifier: Apache-2.0
#pragma once
// nansum, nanprod, nanmax, nanmin, nanmean: reductions that leave NaN out.
// Layouts, gradients and bytes are those of the reductions they are made of.
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/elementwise/rounding.hpp>
#include <tessera/op/reduce/reduce.hpp>

namespace tessera {
namespace ops {

// Primitive over the elements that are not NaN, with `otherwise` in the place of others; an extreme of NaN alone is
// NaN, as in numpy.
template <class Self, class Whole>
struct without_nan {
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    term const x = operand[0];
    array_value const facts = x.facts();
    if (!is_floating(facts.element)) return make<Whole>(b, {x}, attrs);
    auto const missing = make<isnan>(b, {x});
    double const inf = std::numeric_limits<double>::infinity();
    term const kept =
        make<where>(b, {missing, number(b, Self::otherwise * (Self::extreme ? inf : 1.0), facts.element), x});
    auto const result = make<Whole>(b, {kept}, attrs);
    if (!Self::extreme) return result;
    auto const none = make<all>(b, {missing}, attrs);
    return make<where>(b, {none, number(b, std::numeric_limits<double>::quiet_NaN(), facts.element), result});
  }
};
struct nansum : without_nan<nansum, sum> {
  static constexpr std::string_view name = "nansum";
  static constexpr bool extreme = false;
  static constexpr double otherwise = 0;
};
struct nanprod : without_nan<nanprod, prod> {
  static constexpr std::string_view name = "nanprod";
  static constexpr bool extreme = false;
  static constexpr double otherwise = 1;
};
struct nanmax : without_nan<nanmax, max> {
  static constexpr std::string_view name = "nanmax";
  static constexpr bool extreme = true;
  static constexpr double otherwise = -1;
};
struct nanmin : without_nan<nanmin, min> {
  static constexpr std::string_view name = "nanmin";
  static constexpr bool extreme = true;
  static constexpr double otherwise = 1;
};
struct nanmean {
  static constexpr std::string_view name = "nanmean";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    term const x = operand[0];
    if (!is_floating(x.facts().element)) return make<mean>(b, {x}, attrs);
    cast_params const to{x.facts().element};
    auto const there = make<logical_not>(b, {make<isnan>(b, {x})});
    auto const count = make<sum>(b, {make<cast>(b, {there}, to)}, attrs);
    return make<nansum>(b, {x}, attrs) / count;
  }
};

}  // namespace ops

namespace functions {

template <int... Dims, class X>
constexpr auto nansum(X const& x, site at = std::source_location::current()) {
  return invoke<ops::nansum, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nansum(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::nansum, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanprod(X const& x, site at = std::source_location::current()) {
  return invoke<ops::nanprod, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanprod(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::nanprod, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanmax(X const& x, site at = std::source_location::current()) {
  return invoke<ops::nanmax, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanmax(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::nanmax, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanmin(X const& x, site at = std::source_location::current()) {
  return invoke<ops::nanmin, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanmin(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::nanmin, over_dims<true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanmean(X const& x, site at = std::source_location::current()) {
  return invoke<ops::nanmean, over_dims<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto nanmean(X const& x, keepdims_t, site at = std::source_location::current()) {
  return invoke<ops::nanmean, over_dims<true, Dims...>>(at, x);
}

}  // namespace functions
}  // namespace tessera
