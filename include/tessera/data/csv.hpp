// SPDX-License-Identifier: Apache-2.0
#pragma once
// CSV files of numbers. A file is scanned once: the positions of its rows are kept, 8 bytes a row, and numbers are
// parsed when they are needed, so that a process holds only its batches.
//   csv_file file("digits.csv");
//   auto images = file.columns<float>({.first = 0, .count = 64, .lowest = 0, .highest = 16, .scale = 1.0 / 16});
//   auto labels = file.column<std::int32_t>({.first = file.index_of("label"), .lowest = 0, .highest = 9});
// A field may be in quotes, and may have blanks around it; lines end with \n or \r\n; blank lines are skipped.
// columns() reports errors in a file with line and column, counted from 1.

#include <tessera/data/csv_columns.hpp>
#include <tessera/data/mapped_file.hpp>
#include <tessera/data/rows_of.hpp>

#include <string>
#include <vector>

namespace tessera {

namespace detail {
class csv_rows;
}

class csv_file {
public:
  // Throws file_error: no rows, a row with more or fewer fields than the first one, a quote that is not closed.
  explicit csv_file(std::string const& path, csv_format const& format = {}) : csv_file(mapped_file(path), format) {}
  explicit csv_file(mapped_file const& file, csv_format const& format = {});

  std::int64_t rows() const;
  std::int64_t fields() const;
  // Names of the header; none without a header.
  std::vector<std::string> const& names() const;
  // The column with this name. Throws std::invalid_argument if no column has it.
  std::int64_t index_of(std::string_view name) const;

  // Rows of `count` numbers, or of one number each. Throws file_error if a field is not a number of this type, or out
  // of range: all rows are checked here, so that there are no errors later.
  template <class T>
  rows_of<T> columns(csv_columns const& wanted) const {
    return rows_of<T>(numbers(wanted, dtype_of<T>(), false));
  }
  template <class T>
  rows_of<T> column(csv_columns const& wanted) const {
    return rows_of<T>(numbers(wanted, dtype_of<T>(), true));
  }

private:
  std::shared_ptr<row_source const> numbers(csv_columns const& wanted, dtype element, bool one) const;

  struct table;
  friend class detail::csv_rows;
  std::shared_ptr<table const> table_;
};

}  // namespace tessera
