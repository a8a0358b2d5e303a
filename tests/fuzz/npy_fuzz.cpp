// SPDX-License-Identifier: Apache-2.0
// A file as it is, or, where the first byte is odd, behind the right magic and the length of a head of 128 bytes.

#include <tessera/data.hpp>

#include "fuzz/survive.hpp"

#include <stdexcept>
#include <vector>

namespace ts = tessera;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  if (bytes == 0) return 0;
  std::string text(ts::testing::text_of(data + 1, bytes - 1));
  if ((*data & 1) != 0) {
    if (text.size() < 118) text.resize(118, ' ');
    text = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text;
  }
  auto const file = ts::mapped_file::of_bytes("x", text);
  ts::testing::survive<std::exception>([&] {
    ts::npy_file const x(file);
    ts::region all;
    for (auto extent : x.extents()) all.push_back({0, extent});
    std::int64_t const size = ts::detail::size_of(all) * ts::bytes_of(x.element());
    if (size > file.size()) ts::testing::found("more than the file has", std::to_string(size));
    std::vector<std::byte> out(static_cast<std::size_t>(size));
    x.read(all, out.data());
    x.rows<float>();
  });
  return 0;
}
