// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a CSV file is written, and which of its numbers are wanted.

#include <cstdint>
#include <limits>

namespace tessera {

struct csv_format {
  char delimiter = ',';
  bool header = false;  // the first line has names
};

// Neighboring columns, what their numbers may be, and what they are multiplied by.
struct csv_columns {
  std::int64_t first = 0, count = 1;
  double lowest = -std::numeric_limits<double>::infinity(), highest = std::numeric_limits<double>::infinity();
  double scale = 1;
  bool nan = false;  // whether nan is a number
};

}  // namespace tessera
