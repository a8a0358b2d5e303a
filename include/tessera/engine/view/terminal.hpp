// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a stream is a terminal that shows colors.

#include <tessera/view/terminal.hpp>

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace tessera {

TESSERA_ENGINE bool shows_colors(std::ostream const& out) {
  int const file = &out == &std::cout ? STDOUT_FILENO : &out == &std::cerr || &out == &std::clog ? STDERR_FILENO : -1;
  if (file < 0 || !isatty(file)) return false;
  char const *refused = std::getenv("NO_COLOR"), *kind = std::getenv("TERM");
  return !(refused && *refused) && kind && std::string_view(kind) != "dumb";
}

}  // namespace tessera
