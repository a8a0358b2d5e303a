// SPDX-License-Identifier: Apache-2.0
#pragma once
// The numbers that a floating type has, by its dtype.

#include <tessera/aval/dtype.hpp>

namespace tessera {

struct float_format {
  int digits = 0;        // of the mantissa, the leading one included
  int min_exponent = 0;  // 2^(min_exponent - 1) is the least normal number
  double largest = 0;    // the largest finite number
  bool has_infinity = true;
};

// Of a floating type. A table: std::numeric_limits of six types would be instantiated in every program.
constexpr float_format float_format_of(dtype element) {
  switch (element) {
    case dtype::float8_e4m3fn: return {4, -5, 448, false};
    case dtype::float8_e5m2: return {3, -13, 57344};
    case dtype::float16: return {11, -13, 65504};
    case dtype::bfloat16: return {8, -125, 0x1.fep127};
    case dtype::float64: return {53, -1021, 0x1.fffffffffffffp1023};
    default: return {24, -125, 0x1.fffffep127};
  }
}

}  // namespace tessera
