// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads digits.csv: 64 pixels (0 to 16) and a label (0 to 9) a row. A bad file gets its file, line and column.

#include <charconv>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace digits {

constexpr std::size_t pixels = 64;

struct images_and_labels {
  std::vector<float> images;         // rows x 64, scaled to 0..1
  std::vector<std::int32_t> labels;  // rows
  std::size_t rows() const { return labels.size(); }
};

struct csv_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {

[[noreturn]] inline void bad(std::string const& file, std::size_t line, std::size_t column, std::string const& what,
                             std::string const& fix) {
  throw csv_error(file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + what + ". Fix: " + fix +
                  ".");
}

// One row of 65 whole numbers; columns are counted in characters from 1.
inline void read_row(std::string const& file, std::size_t line, std::string_view text, images_and_labels& out) {
  std::size_t at = 0;
  for (std::size_t field = 0; field <= pixels; ++field) {
    auto const comma = text.find(',', at);
    bool const last = comma == std::string_view::npos;
    std::string_view const cell = text.substr(at, last ? std::string_view::npos : comma - at);
    int value = 0;
    auto const [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    bool const label = field == pixels;
    int const most = label ? 9 : 16;
    std::string const shown = std::string(cell.substr(0, 20)) + (cell.size() > 20 ? "..." : "");
    if (error == std::errc::invalid_argument || end != cell.data() + cell.size())
      bad(file, line, at + 1, "'" + shown + "' is not a whole number", "every field is a whole number");
    if (error != std::errc{} || value < 0 || value > most)
      bad(file, line, at + 1, (label ? "label " : "pixel ") + shown + " is out of range",
          label ? "labels are 0 to 9" : "pixels are 0 to 16");
    if (label) {
      if (!last) bad(file, line, comma + 1, "more than 65 fields", "64 pixels and a label, separated by commas");
      out.labels.push_back(value);
    } else {
      if (last)
        bad(file, line, text.size() + 1, "the row ends after " + std::to_string(field + 1) + " fields",
            "64 pixels and a label, separated by commas");
      out.images.push_back(static_cast<float>(value) / 16.0f);
    }
    at = comma + 1;
  }
}

}  // namespace detail

// Throws csv_error: the file cannot be opened or is empty, a row is short or long, a field is text or out of range.
inline images_and_labels read_csv(std::string const& file) {
  std::ifstream in(file);
  if (!in) throw csv_error(file + ": cannot be opened. Fix: give the path of digits.csv: --data FILE.");
  images_and_labels out;
  std::string text;
  for (std::size_t line = 1; std::getline(in, text); ++line) {
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.empty()) continue;
    detail::read_row(file, line, text, out);
  }
  if (in.bad()) throw csv_error(file + ": cannot be read. Fix: give the path of digits.csv: --data FILE.");
  if (out.labels.empty()) detail::bad(file, 1, 1, "no rows", "one image a line: 64 pixels and a label");
  return out;
}

}  // namespace digits
