// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parses the files in which Linux describes a processor.

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>

namespace tessera::detail {

inline std::string first_line(std::string const& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}
// The number of bytes in texts such as "48K" or "32M".
inline std::int64_t bytes_of_text(std::string const& text) {
  std::int64_t bytes = 0;
  for (char c : text) {
    if (c >= '0' && c <= '9') bytes = bytes * 10 + (c - '0');
    if (c == 'K') bytes <<= 10;
    if (c == 'M') bytes <<= 20;
  }
  return bytes;
}
// The number of items of a list such as "0-3,8-11", which has 8.
inline int count_of_list(std::string const& text) {
  int count = 0, number = 0, first = -1;
  for (char c : text + ",") {
    if (c >= '0' && c <= '9') {
      number = number * 10 + (c - '0');
    } else if (c == '-') {
      first = std::exchange(number, 0);
    } else if (c == ',') {
      count += first < 0 ? 1 : number - first + 1;
      number = 0, first = -1;
    }
  }
  return count;
}

}  // namespace tessera::detail
