// SPDX-License-Identifier: Apache-2.0
#pragma once
// Text and numbers in the form that SVG and HTML need.

#include <cstdio>
#include <string>
#include <string_view>

namespace tessera::detail {

inline std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

inline std::string pixels(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", x);
  return text;
}

inline std::string svg_text(double x, double y, std::string_view text, std::string_view attributes = "") {
  return "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" " + std::string(attributes) + ">" + escaped(text) +
         "</text>\n";
}

}  // namespace tessera::detail
