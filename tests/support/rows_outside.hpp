// SPDX-License-Identifier: Apache-2.0
#pragma once
// A table of 8 rows on the 4x2 mesh and places to read in it, three of which are outside.

#include <tessera/tessera.hpp>

#include <vector>

namespace rows_outside {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using floats = std::vector<float>;

inline constexpr int rows = 8, columns = 4;
inline std::vector<int> const places{3, -1, 8, 0, -9, 3, 7, 100};

inline floats numbers() {
  floats v;
  for (int i = 0; i < rows * columns; ++i) v.push_back(static_cast<float>(i % 7 - 3));
  return v;
}

}  // namespace rows_outside
