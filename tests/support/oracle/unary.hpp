// SPDX-License-Identifier: Apache-2.0
#pragma once
// Elementwise operations of one array, by their JAX names. Answers of yes or no are 1 or 0.

#include "support/oracle/broadcast.hpp"

#include <numbers>

namespace oracle {

// clang-format off
inline tensor negative(tensor const& x) { return map(x, [](double v) { return -v; }); }
inline tensor abs(tensor const& x) { return map(x, [](double v) { return std::fabs(v); }); }
inline tensor sign(tensor const& x) { return map(x, [](double v) { return v > 0 ? 1 : v < 0 ? -1 : v; }); }
inline tensor square(tensor const& x) { return map(x, [](double v) { return v * v; }); }
inline tensor reciprocal(tensor const& x) { return map(x, [](double v) { return 1 / v; }); }
inline tensor sqrt(tensor const& x) { return map(x, [](double v) { return std::sqrt(v); }); }
inline tensor rsqrt(tensor const& x) { return map(x, [](double v) { return 1 / std::sqrt(v); }); }
inline tensor cbrt(tensor const& x) { return map(x, [](double v) { return std::cbrt(v); }); }

inline tensor floor(tensor const& x) { return map(x, [](double v) { return std::floor(v); }); }
inline tensor ceil(tensor const& x) { return map(x, [](double v) { return std::ceil(v); }); }
inline tensor trunc(tensor const& x) { return map(x, [](double v) { return std::trunc(v); }); }
inline tensor round(tensor const& x) { return map(x, [](double v) { return std::nearbyint(v); }); }  // halves to even

inline tensor exp(tensor const& x) { return map(x, [](double v) { return std::exp(v); }); }
inline tensor exp2(tensor const& x) { return map(x, [](double v) { return std::exp2(v); }); }
inline tensor expm1(tensor const& x) { return map(x, [](double v) { return std::expm1(v); }); }
inline tensor log(tensor const& x) { return map(x, [](double v) { return std::log(v); }); }
inline tensor log2(tensor const& x) { return map(x, [](double v) { return std::log2(v); }); }
inline tensor log10(tensor const& x) { return map(x, [](double v) { return std::log10(v); }); }
inline tensor log1p(tensor const& x) { return map(x, [](double v) { return std::log1p(v); }); }

inline tensor sin(tensor const& x) { return map(x, [](double v) { return std::sin(v); }); }
inline tensor cos(tensor const& x) { return map(x, [](double v) { return std::cos(v); }); }
inline tensor tan(tensor const& x) { return map(x, [](double v) { return std::tan(v); }); }
inline tensor arcsin(tensor const& x) { return map(x, [](double v) { return std::asin(v); }); }
inline tensor arccos(tensor const& x) { return map(x, [](double v) { return std::acos(v); }); }
inline tensor arctan(tensor const& x) { return map(x, [](double v) { return std::atan(v); }); }
inline tensor sinh(tensor const& x) { return map(x, [](double v) { return std::sinh(v); }); }
inline tensor cosh(tensor const& x) { return map(x, [](double v) { return std::cosh(v); }); }
inline tensor tanh(tensor const& x) { return map(x, [](double v) { return std::tanh(v); }); }
inline tensor erf(tensor const& x) { return map(x, [](double v) { return std::erf(v); }); }
inline tensor erfc(tensor const& x) { return map(x, [](double v) { return std::erfc(v); }); }

inline tensor relu(tensor const& x) { return map(x, [](double v) { return v < 0 ? 0 : v; }); }
inline tensor sigmoid(tensor const& x) { return map(x, [](double v) { return 1 / (1 + std::exp(-v)); }); }
inline tensor silu(tensor const& x) { return map(x, [](double v) { return v / (1 + std::exp(-v)); }); }
inline tensor softplus(tensor const& x) { return map(x, [](double v) { return std::fmax(v, 0) + std::log1p(std::exp(-std::fabs(v))); }); }

inline tensor isnan(tensor const& x) { return map(x, [](double v) { return std::isnan(v) ? 1 : 0; }); }
inline tensor isinf(tensor const& x) { return map(x, [](double v) { return std::isinf(v) ? 1 : 0; }); }
inline tensor isfinite(tensor const& x) { return map(x, [](double v) { return std::isfinite(v) ? 1 : 0; }); }
inline tensor logical_not(tensor const& x) { return map(x, [](double v) { return v == 0 ? 1 : 0; }); }
// clang-format on

// As JAX: the tanh approximation unless `approximate` is false.
inline tensor gelu(tensor const& x, bool approximate = true) {
  double const k = std::sqrt(2 / std::numbers::pi);
  return map(x, [&](double v) {
    return approximate ? v / 2 * (1 + std::tanh(k * (v + 0.044715 * v * v * v)))
                       : v / 2 * (1 + std::erf(v / std::numbers::sqrt2));
  });
}

inline tensor operator-(tensor const& x) { return negative(x); }

}  // namespace oracle
