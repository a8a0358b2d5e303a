// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes the HTML page about a run.

#include <tessera/data/csv.hpp>
#include <tessera/data/run_report.hpp>
#include <tessera/engine/base/new_file.hpp>
#include <tessera/engine/data/curve.hpp>
#include <tessera/exec/device/runtime.hpp>

#include <cstdio>

namespace tessera {
namespace detail {

inline constexpr std::string_view report_style = R"css(
body{margin:0 auto;max-width:1100px;padding:16px 24px;font:14px/1.45 system-ui,sans-serif;color:#16202c;background:#fff}
h1{font-size:20px}h2{font-size:16px;border-top:1px solid #d5dbe3;padding-top:12px}h3{font-size:14px;margin:12px 0 0}
p{margin:0;color:#5b6776}pre{font:12.5px/1.45 ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;overflow:auto}
svg text{font:11px system-ui,sans-serif;fill:#5b6776}.grid{stroke:#e3e7ed}.curve{fill:none;stroke:#3266ad;stroke-width:1.5}
img{max-width:100%}
)css";

inline std::string base64(std::string_view bytes) {
  constexpr char const* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : letters[three >> (18 - 6 * k) & 63];
  }
  return text;
}

// A curve for each column but the first of a CSV file with a header; the first column is x.
inline std::vector<curve_points> curves_of(std::string const& path) {
  csv_file const file(path, {.header = true});
  auto const column = [&](std::int64_t k) {
    auto const from = file.column<double>({.first = k, .nan = true});
    std::vector<double> values(from.count());
    for (std::int64_t i = 0; i < from.count(); ++i) from.source().read(i, {}, reinterpret_cast<std::byte*>(&values[i]));
    return values;
  };
  std::vector<curve_points> curves;
  std::vector<double> const x = column(0);
  for (std::int64_t k = 1; k < file.fields(); ++k) curves.push_back({file.names()[k], x, column(k)});
  return curves;
}

}  // namespace detail

TESSERA_ENGINE run_report::run_report(std::string_view title) : title_(title) {}

TESSERA_ENGINE run_report& run_report::curves(std::string const& csv) {
  if (process_index() != 0) return *this;  // process 0 writes the file
  parts_ += "<h2>" + detail::escaped(csv) + "</h2>\n";
  for (auto const& curve : detail::curves_of(csv)) parts_ += detail::curve_svg(curve);
  return *this;
}
TESSERA_ENGINE run_report& run_report::picture(std::string_view caption, std::string_view svg) {
  parts_ += "<h2>" + detail::escaped(caption) + "</h2>\n<img alt=\"" + detail::escaped(caption) +
            "\" src=\"data:image/svg+xml;base64," + detail::base64(svg) + "\">\n";
  return *this;
}
TESSERA_ENGINE run_report& run_report::text(std::string_view caption, std::string_view lines) {
  parts_ += "<h2>" + detail::escaped(caption) + "</h2>\n<pre>" + detail::escaped(lines) + "</pre>\n";
  return *this;
}
TESSERA_ENGINE std::string run_report::html() const {
  std::string const title = detail::escaped(title_);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + title +
         "</title>\n<style>" + std::string(detail::report_style) + "</style>\n</head>\n<body>\n<h1>" + title +
         "</h1>\n" + parts_ + "</body>\n</html>\n";
}
TESSERA_ENGINE void run_report::write(std::string const& path) const {
  if (process_index() != 0) return;
  detail::replace_file(path, html(), &detail::refuse_file);
}

}  // namespace tessera
