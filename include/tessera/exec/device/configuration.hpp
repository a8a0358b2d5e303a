// SPDX-License-Identifier: Apache-2.0
#pragma once
// All files of a program that run Tessera must be compiled alike: with or without tessera::engine, for one processor,
// by g++ and clang or by nvcc, with one size for joined messages. Inline functions depend on these settings, and a
// linker keeps one definition of each. A difference stops the program before main, with a message. Optimization, debug
// symbols and warnings may differ.

#include <tessera/base/config.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tessera::detail {

TESSERA_COLD inline void require_one_configuration(char const* own) {
  static char const* const first = own;
  if (std::strcmp(first, own) == 0) return;
  std::fprintf(
      stderr,
      "tessera: files of this program were compiled differently: '%s' and '%s'. Fix: link all of them to "
      "tessera::engine or none, and give -march, -ffast-math and TESSERA_JOINED_BYTES to the whole build, by TESSERA_ARCH "
      "and CMAKE_CXX_FLAGS.\n",
      first, own);
  std::abort();
}
[[maybe_unused]] static bool const configured = (require_one_configuration(TESSERA_CONFIGURATION), true);

}  // namespace tessera::detail
