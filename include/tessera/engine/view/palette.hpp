// SPDX-License-Identifier: Apache-2.0
#pragma once
// Colors of parts: light enough for black text, and distinct for color-blind readers. Source: Paul Tol, Color Schemes
// (2021), "light" qualitative scheme; gray means that there is only one part.

#include <array>
#include <cstdint>
#include <string>

namespace tessera {

struct rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
};

inline constexpr rgb gray{0xdd, 0xdd, 0xdd};
inline constexpr std::array<rgb, 8> part_colors{{{0x77, 0xaa, 0xdd},
                                                 {0xee, 0xdd, 0x88},
                                                 {0xff, 0xaa, 0xbb},
                                                 {0x44, 0xbb, 0x99},
                                                 {0xee, 0x88, 0x66},
                                                 {0x99, 0xdd, 0xff},
                                                 {0xbb, 0xcc, 0x33},
                                                 {0xaa, 0xaa, 0x00}}};

// The color of part (row, column) of table `which` of `tables` tables with `rows` x `columns` parts. All differ if
// there are enough colors; neighbors in a table always differ.
constexpr rgb part_color(std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns,
                         std::int64_t which = 0, std::int64_t tables = 1) {
  constexpr auto count = static_cast<std::int64_t>(part_colors.size());
  std::int64_t const all = rows * columns * tables;
  if (all == 1) return gray;
  std::int64_t const index = all <= count ? (which * rows + row) * columns + column : row * 3 + column + which * 5;
  return part_colors[index % count];
}

inline std::string hex(rgb color) {
  constexpr char const* digits = "0123456789abcdef";
  std::string text = "#";
  for (int c : {color.red, color.green, color.blue}) {
    text += digits[c / 16];
    text += digits[c % 16];
  }
  return text;
}

}  // namespace tessera
