// SPDX-License-Identifier: Apache-2.0
#pragma once
// A line chart as SVG: at most two points for each pixel column, for any number of values.

#include <tessera/engine/view/svg_text.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace tessera::detail {

struct curve_points {
  std::string name;
  std::vector<double> x, y;  // the line is broken where y is not finite
};

// The range [from, to] of an axis, with ticks at multiples of `tick`. On a logarithmic axis, these are exponents of
// ten.
struct chart_axis {
  double from = 0, to = 1, tick = 1;
  bool logarithmic = false;

  chart_axis() = default;
  chart_axis(double low, double high, bool may_be_logarithmic) {
    logarithmic = may_be_logarithmic && low > 0 && high / low > 100;
    if (logarithmic) {
      from = std::floor(std::log10(low));
      to = std::ceil(std::log10(high));
      tick = std::max(1.0, std::ceil((to - from) / 6));
      return;
    }
    double const span = high > low ? high - low : std::max(std::fabs(high), 1e-30);
    if (!std::isfinite(span)) return;
    double const rough = span / 5, power = std::pow(10, std::floor(std::log10(rough)));
    tick = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
    from = std::floor(low / tick) * tick;
    to = std::max(std::ceil(high / tick) * tick, from + tick);
  }
  // At most 20 intervals; fewer if no double lies between neighboring ticks.
  int ticks() const { return to > from ? static_cast<int>(std::min((to - from) / tick + 0.5, 20.0)) : 0; }
  // The position on the axis: 0 at `from`, 1 at `to`.
  double place(double value) const { return ((logarithmic ? std::log10(value) : value) - from) / (to - from); }
};

inline std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

inline std::string curve_svg(curve_points const& curve) {
  constexpr double width = 720, height = 240, left = 72, bottom = 28, top = 10, right = 28;
  double low_x = 0, high_x = 0, low = 0, high = 0, last = 0, best_x = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!std::isfinite(curve.y[i]) || !std::isfinite(curve.x[i])) continue;
    if (count++ == 0) {
      low_x = high_x = best_x = curve.x[i];
      low = high = curve.y[i];
    }
    if (curve.y[i] < low) best_x = curve.x[i];
    low_x = std::min(low_x, curve.x[i]);
    high_x = std::max(high_x, curve.x[i]);
    low = std::min(low, curve.y[i]);
    high = std::max(high, curve.y[i]);
    last = curve.y[i];
  }
  std::string html = "<h3>" + escaped(curve.name) + "</h3>\n";
  if (count == 0) return html + "<p>no finite values</p>\n";
  chart_axis const across(low_x, high_x, false), up(low, high, true);
  auto const at_x = [&](double x) { return left + (width - left - right) * across.place(x); };
  auto const at_y = [&](double y) { return height - bottom - (height - bottom - top) * up.place(y); };
  html += "<p>last " + short_number(last) + ", lowest " + short_number(low) + " at " + short_number(best_x) +
          ", highest " + short_number(high) + (up.logarithmic ? "; logarithmic" : "") + "</p>\n<svg width=\"" +
          pixels(width) + "\" height=\"" + pixels(height) + "\" viewBox=\"0 0 " + pixels(width) + ' ' + pixels(height) +
          "\" role=\"img\">\n";
  for (int k = 0; k <= up.ticks(); ++k) {
    double const t = up.from + k * up.tick;
    double const value = up.logarithmic ? std::pow(10, t) : std::fabs(t) < up.tick / 1e6 ? 0 : t, y = at_y(value);
    html += "<path class=\"grid\" d=\"M" + pixels(left) + ' ' + pixels(y) + 'H' + pixels(width - right) + "\"/>" +
            svg_text(left - 6, y + 4, short_number(value), "text-anchor=\"end\"");
  }
  for (int k = 0; k <= across.ticks(); ++k) {
    double const t = across.from + k * across.tick;
    html +=
        svg_text(at_x(t), height - 8, short_number(std::fabs(t) < across.tick / 1e6 ? 0 : t), "text-anchor=\"middle\"");
  }
  // The path has the lowest and the highest value of each pixel column.
  std::string path;
  bool drawing = false;
  std::size_t i = 0;
  while (i < curve.x.size()) {
    if (!std::isfinite(curve.y[i]) || !std::isfinite(curve.x[i])) {
      drawing = false;
      ++i;
      continue;
    }
    double const column = std::floor(at_x(curve.x[i]));
    std::size_t lowest = i, highest = i;
    for (++i; i < curve.x.size() && std::isfinite(curve.y[i]) && std::isfinite(curve.x[i]) &&
              std::floor(at_x(curve.x[i])) == column;
         ++i) {
      if (curve.y[i] < curve.y[lowest]) lowest = i;
      if (curve.y[i] > curve.y[highest]) highest = i;
    }
    for (std::size_t k : {std::min(lowest, highest), std::max(lowest, highest)}) {
      path += drawing ? 'L' : 'M';
      path += pixels(at_x(curve.x[k])) + ' ' + pixels(at_y(curve.y[k]));
      drawing = true;
      if (lowest == highest) break;
    }
  }
  return html + "<path class=\"curve\" d=\"" + path + "\"/>\n</svg>\n";
}

}  // namespace tessera::detail
