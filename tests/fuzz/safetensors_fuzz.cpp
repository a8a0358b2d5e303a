// SPDX-License-Identifier: Apache-2.0
// A file as it is, or, where the first byte is odd, a head with its length before it and 256 bytes behind it.

#include <tessera/checkpoint.hpp>

#include "fuzz/survive.hpp"
#include "support/own_folder.hpp"

namespace ts = tessera;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  if (bytes == 0) return 0;
  static ts::testing::own_folder const folder;
  std::string text(ts::testing::text_of(data + 1, bytes - 1));
  if ((*data & 1) != 0) {
    std::uint64_t const head = text.size();
    std::string length(sizeof head, '\0');
    std::memcpy(length.data(), &head, sizeof head);
    text = length + text + std::string(256, '\1');
  }
  static std::string const path = folder / "x.safetensors";
  ts::testing::write_file(path, text);
  ts::testing::survive<ts::checkpoint_error>([] { static_cast<void>(ts::describe_checkpoint(path)); });
  return 0;
}
