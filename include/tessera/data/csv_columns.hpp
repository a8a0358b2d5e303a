// SPDX-License-Identifier: Apache-2.0
#pragma once
// The format of a CSV file, and the choice of its columns.

#include <cstdint>
#include <limits>

namespace tessera {

struct csv_format {
  char delimiter = ',';
  bool header = false;  // the first line has names
};

// Neighboring columns, the range of their numbers, and their factor.
struct csv_columns {
  std::int64_t first = 0, count = 1;
  double lowest = -std::numeric_limits<double>::infinity(), highest = std::numeric_limits<double>::infinity();
  double scale = 1;
  bool nan = false;  // whether nan is a number
};

}  // namespace tessera
