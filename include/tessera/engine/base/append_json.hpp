// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a string as JSON, in quotation marks: for checkpoint indexes and timeline events.

#include <string>
#include <string_view>

namespace tessera::detail {

inline void append_json(std::string& out, std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  out += '"';
  for (char c : text) {
    auto const code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20) {
      out += "\\u00";
      out += digits[code >> 4];
      out += digits[code & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace tessera::detail
