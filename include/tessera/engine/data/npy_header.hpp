// SPDX-License-Identifier: Apache-2.0
#pragma once
// The header of a .npy file, a Python dict of three entries: as data, and as text.

#include <tessera/aval/value.hpp>
#include <tessera/data/npy_order.hpp>

#include <string>
#include <string_view>

namespace tessera::detail {

struct npy_header {
  dtype element{};
  npy_order order = npy_order::c;
  extents_list extents{};
  std::int64_t values = 0;  // the byte of the file at which they begin
};

struct npy_name {
  std::string_view code;  // after the byte order
  dtype element;
};
inline constexpr npy_name npy_names[]{{"b1", dtype::boolean}, {"i1", dtype::int8},      {"i2", dtype::int16},
                                      {"i4", dtype::int32},   {"i8", dtype::int64},     {"u1", dtype::uint8},
                                      {"u2", dtype::uint16},  {"u4", dtype::uint32},    {"u8", dtype::uint64},
                                      {"f2", dtype::float16}, {"V2", dtype::bfloat16},  {"f4", dtype::float32},
                                      {"f8", dtype::float64}, {"c8", dtype::complex64}, {"c16", dtype::complex128}};

// The header's text, padded with blanks so that the values begin at a multiple of 64 bytes.
inline std::string npy_header_text(npy_header const& header) {
  std::string dict = "{'descr': '";
  for (npy_name const& known : npy_names)
    if (known.element == header.element) {
      dict += bytes_of(header.element) == 1 ? '|' : '<';
      dict += known.code;
    }
  dict += "', 'fortran_order': ";
  dict += header.order == npy_order::fortran ? "True" : "False";
  dict += ", 'shape': (";
  for (int d = 0; d < header.extents.size(); ++d) {
    if (d) dict += ' ';
    dict += std::to_string(header.extents[d]);
    if (d + 1 < header.extents.size() || d == 0) dict += ',';
  }
  dict += "), }";
  while ((10 + dict.size() + 1) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string text = "\x93NUMPY";
  text += '\x01';
  text += '\x00';
  text += static_cast<char>(dict.size() & 255);
  text += static_cast<char>(dict.size() >> 8);
  return text + dict;
}

}  // namespace tessera::detail
