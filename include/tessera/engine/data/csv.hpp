// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads CSV files.

#include <tessera/aval/float_format.hpp>
#include <tessera/data/csv.hpp>
#include <tessera/engine/data/csv_table.hpp>
#include <tessera/engine/data/csv_text.hpp>

#include <array>
#include <cstdio>

namespace tessera {

TESSERA_ENGINE csv_file::csv_file(mapped_file const& file, csv_format const& format) {
  auto made = std::make_shared<table>(table{file, format.delimiter});
  std::size_t const size = file.size();
  table::window read;
  read.fill(file, 0, table::window_bytes);
  bool header = format.header;
  std::size_t at = read.text.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0;  // the byte order mark of UTF-8
  while (at < size) {
    std::size_t const start = at;
    std::string_view const line = made->line(at, read);
    if (line.empty()) continue;
    if (std::exchange(header, false)) {
      made->read_names(start, line);
      continue;
    }
    made->require_fields(start, line);
    made->starts.push_back(start);
  }
  if (made->starts.empty()) made->refuse(0, 1, "no rows", "one row a line, its numbers separated by delimiters");
  table_ = std::move(made);
}

TESSERA_ENGINE std::int64_t csv_file::rows() const { return static_cast<std::int64_t>(table_->starts.size()); }
TESSERA_ENGINE std::int64_t csv_file::fields() const { return table_->fields; }
TESSERA_ENGINE std::vector<std::string> const& csv_file::names() const { return table_->names; }
TESSERA_ENGINE std::int64_t csv_file::index_of(std::string_view name) const {
  for (std::size_t i = 0; i < table_->names.size(); ++i)
    if (table_->names[i] == name) return static_cast<std::int64_t>(i);
  std::string text = "tessera: " + table_->file.path() + " has no column '" + std::string(name) + "'";
  text += table_->names.empty() ? ". Fix: csv_file(path, {.header = true}), or the column's number." : ". Fix: one of";
  for (std::size_t i = 0; i < table_->names.size() && i < 20; ++i) text += ' ' + detail::shown(table_->names[i]);
  throw std::invalid_argument(text);
}

namespace detail {
class csv_rows final : public row_source {
public:
  csv_rows(std::shared_ptr<csv_file::table const> from, csv_columns const& wanted, dtype element, bool one)
      : table_(std::move(from)), wanted_(wanted), element_(element) {
    if (!one) extents_.push_back(wanted.count);
    std::array<std::byte, 16> out{};
    csv_file::table::window read;
    for (std::int64_t i = 0; i < count(); ++i)
      read_fields(i, 0, wanted.count, out.data(), 0, read, csv_file::table::window_bytes);
  }
  std::int64_t count() const override { return static_cast<std::int64_t>(table_->starts.size()); }
  dtype element() const override { return element_; }
  extents_list extents() const override { return extents_; }
  void read(std::int64_t row, region const& part, std::byte* out) const override {
    std::int64_t const start = part.size() ? part[0].start : 0, stop = part.size() ? part[0].stop : 1;
    csv_file::table::window read;
    read_fields(row, start, stop, out, bytes_of(element_), read, 0);
  }

private:
  // Reads fields [start, stop) of the wanted columns to `out`, `step` bytes apart.
  void read_fields(std::int64_t row, std::int64_t start, std::int64_t stop, std::byte* out, int step,
                   csv_file::table::window& read, std::size_t bytes) const {
    csv_fields each(table_->row(row, read, bytes), table_->delimiter);
    for (std::int64_t k = 0; k < wanted_.first + stop; ++k) {
      if (!each.next()) refuse(row, each, "the row has become shorter", "a file that stays as it is while it is read");
      if (k < wanted_.first + start) continue;
      csv_trouble const wrong = read_number(each.text(), wanted_, element_, out);
      if (wrong != csv_trouble::none) say(row, each, wrong);
      out += step;
    }
  }
  [[noreturn]] void refuse(std::int64_t row, csv_fields const& at, std::string_view what, std::string_view fix) const {
    table_->refuse(table_->starts[row], at.column(), what, fix);
  }
  [[noreturn]] void say(std::int64_t row, csv_fields const& at, csv_trouble wrong) const {
    std::string what = "'" + shown(at.text()) + "' is ";
    std::string fix = "every field is a ";
    if (wrong != csv_trouble::out_of_range) {
      fix += wrong == csv_trouble::not_whole ? "whole number" : "number";
      what += wrong == csv_trouble::not_whole ? "not a whole number" : "not a number";
    } else {
      what += "out of range";
      fix += "number of ";
      fix += name_of(element_);
      fix += " from " + limit(false) + " to " + limit(true);
    }
    refuse(row, at, what, fix);
  }

  // The limit that the caller gave for the values, or that of the element type.
  std::string limit(bool highest) const {
    double const asked = highest ? wanted_.highest : wanted_.lowest, sign = highest ? 1 : -1;
    bool const open = asked == sign * std::numeric_limits<double>::infinity();
    if (open && element_ == dtype::uint64) return highest ? std::to_string(~std::uint64_t{0}) : "0";
    if (open && !is_floating(element_))
      return std::to_string(highest ? highest_integer(element_) : lowest_integer(element_));
    double const most = float_format_of(element_).largest;
    double const value = open ? sign * most : asked;
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
  }

  std::shared_ptr<csv_file::table const> table_;
  csv_columns wanted_;
  dtype element_;
  extents_list extents_{};
};
}  // namespace detail

TESSERA_ENGINE std::shared_ptr<row_source const> csv_file::numbers(csv_columns const& wanted, dtype element,
                                                                   bool one) const {
  auto const refuse = [](std::string const& text) { throw std::invalid_argument("tessera: csv_file: " + text); };
  if (is_complex(element)) refuse("a field is one number. Fix: two columns, and complex numbers made of them.");
  if (wanted.scale != 1 && !is_floating(element)) refuse("whole numbers are not scaled. Fix: columns<float>.");
  if (one && wanted.count != 1) refuse("column() is one column. Fix: columns().");
  if (wanted.first < 0 || wanted.count < 1 || wanted.count > fields() || wanted.first > fields() - wanted.count)
    refuse("columns " + std::to_string(wanted.first) + " and the following, " + std::to_string(wanted.count) +
           " in all, are not among the " + std::to_string(fields()) + " of " + table_->file.path() +
           ". Fix: count them from 0.");
  return std::make_shared<detail::csv_rows>(table_, wanted, element, one);
}

}  // namespace tessera
