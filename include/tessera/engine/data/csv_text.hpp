// SPDX-License-Identifier: Apache-2.0
#pragma once
// The lines of a CSV file, the fields of a line, and the number in a field. Nothing is allocated.

#include <tessera/aval/dtype.hpp>
#include <tessera/data/csv_columns.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>

namespace tessera::detail {

// The line that begins at `at`, without its line end; sets `at` to the beginning of the next line.
inline std::string_view csv_line(std::string_view file, std::size_t& at) {
  auto const* const begin = file.data() + at;
  auto const* const end = static_cast<char const*>(std::memchr(begin, '\n', file.size() - at));
  std::size_t length = end ? static_cast<std::size_t>(end - begin) : file.size() - at;
  at += length + (end ? 1 : 0);
  if (length > 0 && begin[length - 1] == '\r') --length;
  return {begin, length};
}

// The fields of a line, from left to right.
class csv_fields {
public:
  csv_fields(std::string_view line, char delimiter) : line_(line), delimiter_(delimiter) {}

  // Moves to the next field. False after the last one, or if quotes are wrong, which broken() tells.
  bool next() {
    if (done_) return false;
    start_ = at_;
    std::size_t from = at_;
    while (from < line_.size() && blank(line_[from])) ++from;
    if (from < line_.size() && line_[from] == '"') {
      std::size_t close = from + 1;
      while (true) {
        close = line_.find('"', close);
        if (close == std::string_view::npos) return fail(from);
        if (close + 1 == line_.size() || line_[close + 1] != '"') break;
        close += 2;  // a doubled quote stands for one
      }
      text_ = line_.substr(from + 1, close - from - 1);
      std::size_t after = close + 1;
      while (after < line_.size() && blank(line_[after])) ++after;
      if (after < line_.size() && line_[after] != delimiter_) return fail(after);
      return leave(after);
    }
    std::size_t const end = std::min(line_.find(delimiter_, at_), line_.size());
    text_ = line_.substr(from, from < end ? end - from : 0);
    while (!text_.empty() && blank(text_.back())) text_.remove_suffix(1);
    return leave(end);
  }
  bool broken() const { return broken_; }
  std::string_view text() const { return text_; }
  // The column, from 1, at which the field begins or is broken.
  std::int64_t column() const { return static_cast<std::int64_t>(start_) + 1; }

private:
  bool blank(char c) const { return c == ' ' && delimiter_ != ' '; }
  bool leave(std::size_t end) {
    done_ = end >= line_.size();
    at_ = end + 1;
    return true;
  }
  bool fail(std::size_t at) {
    start_ = at;
    return !(done_ = broken_ = true);
  }

  std::string_view line_, text_;
  char delimiter_;
  std::size_t at_ = 0, start_ = 0;
  bool done_ = false, broken_ = false;
};

// Why a field is not a valid number.
enum class csv_trouble { none, not_a_number, not_whole, out_of_range };

template <class T>
void put_number(T value, std::byte* out) {
  std::memcpy(out, &value, sizeof value);
}
inline bool is_blank_or(std::from_chars_result const& read, std::string_view text) {
  return read.ec != std::errc::invalid_argument && read.ptr == text.data() + text.size();
}

// Whether a number outside of double's range is too close to 0, not too large.
inline bool is_tiny(std::string_view text) {
  std::size_t const e = std::min(text.find_first_of("eE"), text.size());
  std::string_view const digits = text.substr(0, e);
  std::size_t const first = digits.find_first_of("123456789"), point = std::min(digits.find('.'), digits.size());
  std::string_view power = text.substr(std::min(e + 1, text.size()));
  bool const below = !power.empty() && power[0] == '-';
  if (!power.empty() && power[0] == '+') power.remove_prefix(1);
  std::int64_t exponent = 0;
  if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec == std::errc::result_out_of_range)
    return below;
  auto const places = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return exponent < -places;
}

// Writes the number as `element`, which must be a real type.
inline csv_trouble read_number(std::string_view text, csv_columns const& wanted, dtype element, std::byte* out) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  char const *const begin = text.data(), *const end = begin + text.size();
  if (is_floating(element)) {
    double value = 0;
    auto const read = std::from_chars(begin, end, value);
    if (!is_blank_or(read, text)) return csv_trouble::not_a_number;
    if (read.ec != std::errc{}) {
      if (!is_tiny(text)) return csv_trouble::out_of_range;
      value = 0;
    }
    bool const is_nan = value != value;
    if (is_nan ? !wanted.nan : value < wanted.lowest || value > wanted.highest) return csv_trouble::out_of_range;
    constexpr double most = std::numeric_limits<double>::max();
    bool const finite = value >= -most && value <= most;
    // Parses float directly, so that it is rounded once.
    float single = 0;
    if (element != dtype::float64 && wanted.scale == 1) {
      if (std::from_chars(begin, end, single).ec != std::errc{}) single = static_cast<float>(value);
    } else {
      value *= wanted.scale;
      single = static_cast<float>(value);
    }
    if (element == dtype::float64) {
      put_number(value, out);
    } else if (element == dtype::float32) {
      value = single;
      put_number(single, out);
    } else {
      with_small_float(element, [&]<class T>(std::type_identity<T>) {
        T const small(single);
        value = static_cast<float>(small);
        put_number(small, out);
      });
    }
    if (finite && !(value >= -most && value <= most)) return csv_trouble::out_of_range;
    return csv_trouble::none;
  }
  if (element == dtype::uint64) {
    std::uint64_t value = 0;
    auto const read = std::from_chars(begin, end, value);
    if (!is_blank_or(read, text)) return csv_trouble::not_whole;
    auto const near = static_cast<double>(value);
    if (read.ec != std::errc{} || near < wanted.lowest || near > wanted.highest) return csv_trouble::out_of_range;
    put_number(value, out);
    return csv_trouble::none;
  }
  std::int64_t value = 0;
  auto const read = std::from_chars(begin, end, value);
  if (!is_blank_or(read, text)) return csv_trouble::not_whole;
  auto const near = static_cast<double>(value);
  if (read.ec != std::errc{} || value < lowest_integer(element) || value > highest_integer(element) ||
      near < wanted.lowest || near > wanted.highest)
    return csv_trouble::out_of_range;
  switch (bytes_of(element)) {
    case 1: put_number(static_cast<std::int8_t>(value), out); break;
    case 2: put_number(static_cast<std::int16_t>(value), out); break;
    case 4: put_number(static_cast<std::int32_t>(value), out); break;
    default: put_number(value, out);
  }
  return csv_trouble::none;
}

}  // namespace tessera::detail
