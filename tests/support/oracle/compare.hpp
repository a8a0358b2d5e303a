// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far two arrays are apart, and how an array prints in a failed test.

#include "support/oracle/tensor.hpp"

#include <algorithm>
#include <ostream>

namespace oracle {

// The largest |a - b|, relative to the largest |b| (absolute where b is all zeros). Infinite when the extents differ or
// when only one of two values is NaN or infinite.
inline double difference(tensor const& a, tensor const& b) {
  double const far = std::numeric_limits<double>::infinity();
  if (a.extents != b.extents) return far;
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    double const x = a.data[i], y = b.data[i];
    if (std::isfinite(y)) scale = std::max(scale, std::abs(y));
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (!std::isfinite(x) || !std::isfinite(y)) return far;
    worst = std::max(worst, std::abs(x - y));
  }
  return scale > 0 ? worst / scale : worst;
}

inline bool close(tensor const& a, tensor const& b, double relative = 1e-12) { return difference(a, b) <= relative; }

inline std::ostream& operator<<(std::ostream& out, tensor const& x) {
  out << '[';
  for (std::size_t d = 0; d < x.extents.size(); ++d) out << (d ? "," : "") << x.extents[d];
  out << "]{";
  for (std::size_t i = 0; i < x.data.size() && i < 32; ++i) out << (i ? ", " : "") << x.data[i];
  return out << (x.data.size() > 32 ? ", ...}" : "}");
}

}  // namespace oracle
