// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lines of metrics are written: the definitions of metrics.hpp.

#include <tessera/data/csv_text.hpp>
#include <tessera/data/metrics.hpp>
#include <tessera/exec/device/runtime.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tessera {

struct metrics::output {
  std::FILE* file = nullptr;

  explicit output(std::string const& path) : file(std::fopen(path.c_str(), "w")) {}
  output(output const&) = delete;
  output& operator=(output const&) = delete;
  ~output() {
    if (file) std::fclose(file);
  }
  void write(std::string const& path, std::string const& text) const {
    if (!file || std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0)
      detail::bad_file(path, -1, std::string("cannot be written: ") + std::strerror(errno),
                       "a folder with room that may be written to");
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

// The header and the lines of steps before `from` of a file that is there.
inline std::string lines_before(std::string const& path, std::string const& header, std::int64_t from) {
  mapped_file const file(path);
  std::string kept;
  std::size_t at = 0;
  if (file.size() == 0 || csv_line(file.text(), at) != header)
    bad_file(path, 0, "the file has other columns than " + shown(header),
             "another file, or the names that it was begun with");
  kept = header + '\n';
  while (at < file.text().size()) {
    std::string_view const line = csv_line(file.text(), at);
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
  std::string text = "step";
  for (std::string const& name : names) (text += ',') += detail::csv_quoted(name);
  if (from > 0)
    text = detail::lines_before(path, text, from);
  else
    text += '\n';
  std::string const aside = path + ".part";
  output_ = std::make_shared<output>(aside);
  output_->write(path, text);
  if (std::rename(aside.c_str(), path.c_str()) != 0)
    detail::bad_file(path, -1, std::string("cannot be replaced: ") + std::strerror(errno),
                     "a folder that may be written to");
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
  output_->write(path_, line + '\n');
}

}  // namespace tessera
