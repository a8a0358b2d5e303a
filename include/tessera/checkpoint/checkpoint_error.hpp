// SPDX-License-Identifier: Apache-2.0
#pragma once
// The error for a checkpoint that cannot be written or is refused: its text names the file, the array or number, the
// problem, and the fix.

#include <tessera/base/config.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace tessera {

struct checkpoint_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {
// "tessera: where: what. Fix: fix."
[[noreturn]] TESSERA_COLD inline void refuse_checkpoint(std::string_view where, std::string_view what,
                                                        std::string_view fix) {
  std::string text = "tessera: ";
  text += where;
  text += ": ";
  text += what;
  text += ". Fix: ";
  text += fix;
  text += ".";
  throw checkpoint_error(text);
}
}  // namespace detail
}  // namespace tessera
