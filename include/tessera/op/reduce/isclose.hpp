// SPDX-License-Identifier: Apache-2.0
#pragma once
// isclose, allclose, array_equal: |x - y| <= 1e-8 + 1e-5 |y|, or tolerance(relative, absolute).
// Source: JAX 0.10.2 jax.numpy.

#include <tessera/op/elementwise/rounding.hpp>
#include <tessera/op/reduce/reduce.hpp>

namespace tessera {
namespace ops {

// (x, y, relative, absolute)
struct isclose {
  static constexpr std::string_view name = "isclose";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    if (!is_inexact(x[0].facts().element) && !is_inexact(x[1].facts().element)) return make<equal>(b, {x[0], x[1]});
    term both[]{x[0], x[1]};
    if (!tessera::detail::promote_dtypes(b, both, 2)) return {&b, -1};
    auto const apart = make<absolute>(b, {both[0] - both[1]});
    auto const size = make<absolute>(b, {both[1]});
    term const most = x[3] + x[2] * size;
    // For infinities `apart` is NaN or infinite, and `most` may be infinite: only equal ones are close.
    auto const near = make<logical_and>(b, {make<less_equal>(b, {apart, most}), make<isfinite>(b, {apart})});
    return make<logical_or>(b, {near, make<equal>(b, {both[0], both[1]})});
  }
};
struct allclose {
  static constexpr std::string_view name = "allclose";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    return make<all>(b, {make<isclose>(b, {x[0], x[1], x[2], x[3]})});
  }
};
// False for different shapes.
struct array_equal {
  static constexpr std::string_view name = "array_equal";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    array_value const one = x[0].facts(), two = x[1].facts();
    if (!one.same_shape(two)) return number(b, 0.0, dtype::boolean);
    return make<all>(b, {make<equal>(b, {x[0], x[1]})});
  }
};

}  // namespace ops

struct tolerance {
  double relative = 1e-5, absolute = 1e-8;
};

namespace functions {

template <class X, class Y>
constexpr auto isclose(X const& x, Y const& y, tolerance within = {}, site at = std::source_location::current()) {
  return invoke<ops::isclose, no_params>(at, x, y, within.relative, within.absolute);
}
template <class X, class Y>
constexpr auto allclose(X const& x, Y const& y, tolerance within = {}, site at = std::source_location::current()) {
  return invoke<ops::allclose, no_params>(at, x, y, within.relative, within.absolute);
}

}  // namespace functions

inline constexpr binary_door<ops::array_equal> array_equal;

}  // namespace tessera
