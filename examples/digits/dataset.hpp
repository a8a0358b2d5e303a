// SPDX-License-Identifier: Apache-2.0
#pragma once
// digits.csv as rows: 64 pixels, 0 to 16 in the file and 0 to 1 here, and a label, 0 to 9.

#include <tessera/data.hpp>

#include <cstdint>
#include <string>

namespace digits {

constexpr std::int64_t pixels = 64;

struct data_set {
  tessera::csv_file file;
  tessera::rows_of<float> images =
      file.columns<float>({.count = pixels, .lowest = 0, .highest = 16, .scale = 1.0 / 16});
  tessera::rows_of<std::int32_t> labels = file.column<std::int32_t>({.first = pixels, .lowest = 0, .highest = 9});

  // Throws tessera::file_error.
  explicit data_set(std::string const& path) : file(path) {}
  // All but the last quarter of a shuffle, and that quarter.
  auto split(std::uint64_t key) const { return tessera::split_rows(file.rows(), file.rows() / 4, key); }
};

// Every row once, in the file's order; the last batch is filled up.
inline tessera::loader_options once_through(tessera::row_set const& rows, std::int64_t batch = 0) {
  return {.shuffle = false, .last = tessera::last_batch::padded, .batch = batch, .rows = rows};
}

}  // namespace digits
