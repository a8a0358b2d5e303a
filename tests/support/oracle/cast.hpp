// SPDX-License-Identifier: Apache-2.0
#pragma once
// Casts: values stay doubles, rounded or cut to what the element can hold.

#include "support/oracle/broadcast.hpp"

#include <algorithm>
#include <cmath>

namespace oracle {

enum class element { float64, float32, float16, bfloat16, int64, int32, boolean };

// To the nearest number of `digits` significant bits, ties to even; exponents from `lowest` (subnormal below) up to
// `highest`, infinite above.
inline double round_to(double value, int digits, int lowest, int highest) {
  if (value == 0 || !std::isfinite(value)) return value;
  double const step = std::ldexp(1.0, std::max(std::ilogb(value), lowest) - digits + 1);
  double const rounded = std::nearbyint(value / step) * step;
  return std::fabs(rounded) < std::ldexp(1.0, highest + 1) ? rounded : std::copysign(INFINITY, value);
}

// Numbers to integers drop the fraction; to booleans, all but 0 are 1.
inline tensor cast(tensor const& x, element to) {
  return map(x, [&](double v) -> double {
    switch (to) {
      case element::float64: return v;
      case element::float32: return round_to(v, 24, -126, 127);
      case element::float16: return round_to(v, 11, -14, 15);
      case element::bfloat16: return round_to(v, 8, -126, 127);
      case element::int64:
      case element::int32: return std::trunc(v);
      case element::boolean: return v != 0;
    }
    throw std::invalid_argument("oracle: no such element");
  });
}

}  // namespace oracle
