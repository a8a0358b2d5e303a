// SPDX-License-Identifier: Apache-2.0
#pragma once
// Elementwise operations of two arrays with broadcasting, by their JAX names, and where. Answers of yes or no are 1 or 0.

#include "support/oracle/broadcast.hpp"

namespace oracle {

// clang-format off
inline tensor add(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x + y; }); }
inline tensor subtract(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x - y; }); }
inline tensor multiply(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x * y; }); }
inline tensor divide(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x / y; }); }
inline tensor floor_divide(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return std::floor(x / y); }); }
inline tensor power(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return std::pow(x, y); }); }
inline tensor arctan2(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return std::atan2(x, y); }); }
inline tensor hypot(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return std::hypot(x, y); }); }
inline tensor fmod(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return std::fmod(x, y); }); }  // sign of a
inline tensor remainder(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x - y * std::floor(x / y); }); }  // sign of b
inline tensor logaddexp(tensor const& a, tensor const& b) {
  return map(a, b, [](double x, double y) { return x == y ? x + std::log(2.0) : std::fmax(x, y) + std::log1p(std::exp(-std::fabs(x - y))); });
}

// A NaN on either side is the answer.
inline tensor minimum(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return std::isnan(x) || x < y ? x : y; }); }
inline tensor maximum(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return std::isnan(x) || x > y ? x : y; }); }

inline tensor equal(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x == y; }); }
inline tensor not_equal(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x != y; }); }
inline tensor less(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x < y; }); }
inline tensor less_equal(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x <= y; }); }
inline tensor greater(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x > y; }); }
inline tensor greater_equal(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x >= y; }); }

inline tensor logical_and(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x != 0 && y != 0; }); }
inline tensor logical_or(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return x != 0 || y != 0; }); }
inline tensor logical_xor(tensor const& a, tensor const& b) { return map(a, b, [](double x, double y) { return (x != 0) != (y != 0); }); }

inline tensor operator+(tensor const& a, tensor const& b) { return add(a, b); }
inline tensor operator-(tensor const& a, tensor const& b) { return subtract(a, b); }
inline tensor operator*(tensor const& a, tensor const& b) { return multiply(a, b); }
inline tensor operator/(tensor const& a, tensor const& b) { return divide(a, b); }
// clang-format on

// a where the condition is not 0, else b; all three broadcast.
inline tensor where(tensor const& condition, tensor const& a, tensor const& b) {
  auto const extents = broadcast_extents(condition.extents, broadcast_extents(a.extents, b.extents));
  tensor const choice = broadcast_to(condition, extents), other = broadcast_to(b, extents);
  tensor out = broadcast_to(a, extents);
  for (std::size_t i = 0; i < out.data.size(); ++i)
    if (choice.data[i] == 0) out.data[i] = other.data[i];
  return out;
}

// x kept within low .. high.
inline tensor clip(tensor const& x, tensor const& low, tensor const& high) { return minimum(maximum(x, low), high); }

}  // namespace oracle
