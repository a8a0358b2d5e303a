// SPDX-License-Identifier: Apache-2.0
#pragma once
// The inverse of erf by Newton's steps from 0, from where they come nearer from one side.

#include <cmath>

namespace oracle {

inline double inverse_of_erf(double v) {
  double x = 0;
  for (int i = 0; i < 200; ++i) x += (v - std::erf(x)) * std::exp(x * x) * 0.88622692545275801;
  return x;
}

}  // namespace oracle
