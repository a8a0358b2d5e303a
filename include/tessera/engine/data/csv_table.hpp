// SPDX-License-Identifier: Apache-2.0
#pragma once
// The positions of a CSV file's rows, and its lines, read through a window of the file.

#include <tessera/data/csv.hpp>
#include <tessera/engine/data/csv_text.hpp>

#include <algorithm>

namespace tessera {

struct csv_file::table {
  mapped_file file;
  char delimiter = ',';
  std::int64_t fields = 0;
  std::vector<std::size_t> starts{};  // the first byte of each row
  std::vector<std::string> names{};

  // A part of the file in memory.
  struct window {
    std::size_t from = 0;
    std::string text{};

    std::size_t end() const { return from + text.size(); }
    void fill(mapped_file const& file, std::size_t begin, std::size_t bytes) {
      from = begin;
      text.resize(std::min(bytes, static_cast<std::size_t>(file.size()) - begin));
      file.read(static_cast<std::int64_t>(begin), text.size(), text.data());
    }
  };
  static constexpr std::size_t window_bytes = std::size_t{1} << 18;

  // The line of row i, as a view into `read`, which is filled with at least `bytes` from there on unless it has the
  // row.
  std::string_view row(std::int64_t i, window& read, std::size_t bytes) const {
    std::size_t const k = i;
    std::size_t const start = starts[k];
    std::size_t const end = k + 1 < starts.size() ? starts[k + 1] : static_cast<std::size_t>(file.size());
    if (start < read.from || end > read.end()) read.fill(file, start, std::max(bytes, end - start));
    std::size_t at = start - read.from;
    return detail::csv_line(std::string_view(read.text).substr(0, end - read.from), at);
  }
  // The line that begins at `at`; sets `at` to the beginning of the next line.
  std::string_view line(std::size_t& at, window& read) const {
    std::size_t const size = file.size();
    for (std::size_t bytes = window_bytes;; bytes *= 2) {
      if (at >= read.from && at < read.end()) {
        std::size_t inside = at - read.from;
        if (read.end() == size || read.text.find('\n', inside) != std::string::npos) {
          auto const found = detail::csv_line(read.text, inside);
          at = read.from + inside;
          return found;
        }
      }
      read.fill(file, at, bytes);
    }
  }
  // Counts the lines only now, for the error.
  [[noreturn]] void refuse(std::size_t line_start, std::int64_t column, std::string_view what,
                           std::string_view fix) const {
    std::int64_t lines = 1;
    window read;
    for (std::size_t at = 0; at < line_start; at = read.end()) {
      read.fill(file, at, std::min(window_bytes, line_start - at));
      lines += std::count(read.text.begin(), read.text.end(), '\n');
    }
    std::string place = file.path();
    place += ':';
    place += std::to_string(lines);
    place += ':';
    place += std::to_string(column);
    detail::bad_file(place, -1, what, fix);
  }
  void require_fields(std::size_t start, std::string_view line) {
    detail::csv_fields each(line, delimiter);
    std::int64_t count = 0;
    while (each.next())
      if (++count > fields && fields > 0)
        refuse(start, each.column(), "more than " + std::to_string(fields) + " fields", "as many as the first row has");
    if (each.broken())
      refuse(start, each.column(), "the quotes of this field do not end with it",
             "\"...\" on one line, then a delimiter");
    if (fields == 0)
      fields = count;
    else if (count < fields)
      refuse(start, static_cast<std::int64_t>(line.size()) + 1,
             "the row ends after " + std::to_string(count) + (count == 1 ? " field" : " fields"),
             std::to_string(fields) + " fields, as the first row has");
  }
  void read_names(std::size_t start, std::string_view line) {
    require_fields(start, line);
    detail::csv_fields each(line, delimiter);
    while (each.next()) names.emplace_back(each.text());
  }
};

}  // namespace tessera
