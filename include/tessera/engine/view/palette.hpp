// SPDX-License-Identifier: Apache-2.0
#pragma once
// Colours of parts: light enough for black text, told apart by colour-blind readers too.
// Source: Paul Tol, Colour Schemes (2021), "light" qualitative scheme; grey means that there is only one part.

#include <array>
#include <cstdint>
#include <string>

namespace tessera {

struct rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
};

inline constexpr rgb grey{0xdd, 0xdd, 0xdd};
inline constexpr std::array<rgb, 8> part_colours{{{0x77, 0xaa, 0xdd},
                                                  {0xee, 0xdd, 0x88},
                                                  {0xff, 0xaa, 0xbb},
                                                  {0x44, 0xbb, 0x99},
                                                  {0xee, 0x88, 0x66},
                                                  {0x99, 0xdd, 0xff},
                                                  {0xbb, 0xcc, 0x33},
                                                  {0xaa, 0xaa, 0x00}}};

// The colour of part (row, column) of table `which` of `tables` tables of `rows` x `columns` parts: all differ while
// there are enough colours, neighbours always do.
constexpr rgb part_colour(std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns,
                          std::int64_t which = 0, std::int64_t tables = 1) {
  constexpr auto count = static_cast<std::int64_t>(part_colours.size());
  std::int64_t const all = rows * columns * tables;
  if (all == 1) return grey;
  std::int64_t const index = all <= count ? (which * rows + row) * columns + column : row * 3 + column + which * 5;
  return part_colours[static_cast<std::size_t>(index % count)];
}

inline std::string hex(rgb colour) {
  constexpr char const* digits = "0123456789abcdef";
  std::string text = "#";
  for (int c : {colour.red, colour.green, colour.blue}) {
    text += digits[c / 16];
    text += digits[c % 16];
  }
  return text;
}

}  // namespace tessera
