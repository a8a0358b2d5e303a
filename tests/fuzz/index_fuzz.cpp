// SPDX-License-Identifier: Apache-2.0
// The index of a checkpoint with the right hash beneath, so that what is inside is read.

#include <tessera/checkpoint.hpp>
#include <tessera/engine/checkpoint/hash.hpp>
#include <tessera/engine/checkpoint/index.hpp>

#include "fuzz/survive.hpp"
#include "support/own_folder.hpp"

#include <filesystem>

namespace ts = tessera;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  static ts::testing::own_folder const folder;
  static std::string const path = [] {
    std::filesystem::create_directory(folder / "x");
    return folder / "x/index.json";
  }();
  std::string text(ts::testing::text_of(data, bytes));
  auto const hash = ts::detail::hash_of(reinterpret_cast<std::byte const*>(text.data()), text.size());
  text += ts::detail::hash_key;
  ts::detail::append_hash(text, hash);
  ts::testing::write_file(path, text + "}\n");
  ts::testing::survive<ts::checkpoint_error>([] { static_cast<void>(ts::describe_checkpoint(folder / "x")); });
  return 0;
}
