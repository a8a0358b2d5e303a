// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes lines of metrics.

#include <tessera/data/metrics.hpp>
#include <tessera/engine/base/new_file.hpp>
#include <tessera/engine/data/csv_text.hpp>
#include <tessera/exec/device/runtime.hpp>

#include <charconv>
#include <cstdio>
#include <utility>

namespace tessera {

struct metrics::output {
  detail::open_file file;
  std::int64_t end = 0;

  // Writes at `end`, so the next line overwrites one that was not written completely.
  void write(std::string const& text) {
    file.write(text.data(), text.size(), end);
    end += static_cast<std::int64_t>(text.size());
  }
};

namespace detail {

inline std::string csv_quoted(std::string const& name) {
  if (name.find_first_of(",\"\n\r ") == std::string::npos) return name;
  std::string text = "\"";
  for (char c : name) {
    if (c == '"') text += c;
    text += c == '\n' || c == '\r' ? ' ' : c;
  }
  return text + '"';
}

// The header and the lines of steps before `from` in an existing file.
inline std::string lines_before(std::string const& path, std::string const& header, std::int64_t from) {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  std::string const file = read_text(open_file::read(path, &refuse_file), most);
  std::string kept;
  std::size_t at = 0;
  if (file.empty() || csv_line(file, at) != header)
    bad_file(path, 0, "the file has other columns than " + shown(header),
             "another file, or the names that it was begun with");
  kept = header + '\n';
  while (at < file.size()) {
    std::string_view const line = csv_line(file, at);
    std::int64_t step = 0;
    auto const read = std::from_chars(line.data(), line.data() + line.size(), step);
    if (read.ec == std::errc{} && step < from) (kept += line) += '\n';
  }
  return kept;
}

}  // namespace detail

TESSERA_ENGINE metrics::metrics(std::string const& path, std::vector<std::string> const& names, std::int64_t from)
    : path_(path), columns_(names.size()) {
  if (process_index() != 0) return;
  // The lock is held until the new file is in place: two programs that write one file would each lose lines.
  auto const former = detail::new_file::locked(path, &detail::refuse_file);
  std::string text = "step";
  for (std::string const& name : names) (text += ',') += detail::csv_quoted(name);
  if (from > 0)
    text = detail::lines_before(path, text, from);
  else
    text += '\n';
  detail::new_file file(path, &detail::refuse_file);
  file.made().write(text.data(), text.size(), 0);
  file.put_in_place();
  output_ = std::make_shared<output>(output{std::move(file).keep(), static_cast<std::int64_t>(text.size())});
}

TESSERA_ENGINE void metrics::add(std::int64_t step, std::initializer_list<double> values) {
  if (values.size() != columns_)
    throw std::invalid_argument("tessera: metrics: " + std::to_string(values.size()) + " values for the " +
                                std::to_string(columns_) + " columns of " + path_ + ". Fix: one for each name.");
  if (!output_) return;
  std::string line = std::to_string(step);
  for (double value : values) {
    char text[40];
    std::snprintf(text, sizeof text, ",%.9g", value);
    line += text;
  }
  output_->write(line + '\n');
}

}  // namespace tessera
