// SPDX-License-Identifier: Apache-2.0
#pragma once
// The square root of a constant: std::sqrt is not constexpr in C++20.

namespace tessera::detail {

// x >= 0, by Newton's method from above.
constexpr double square_root(double x) {
  double r = x > 1 ? x : 1;
  for (int i = 0; i < 200; ++i) r = (r + x / r) / 2;
  return r;
}

}  // namespace tessera::detail
