// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a fuzzer looks for, beside what the sanitizers find: bytes are read, or refused by an exception of the kind that is
// expected, in a sentence with a fix. Anything else ends the program, and libFuzzer keeps the bytes.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace tessera::testing {

[[noreturn]] inline void found(char const* what, std::string const& text) {
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

template <class Error, class Read>
void survive(Read const& read) {
  try {
    read();
  } catch (Error const& error) {
    std::string const said = error.what();
    if (said.find("Fix: ") == std::string::npos) found("no fix", said);
    if (said.size() > 4000) found("no sentence", said);
  }
}

inline std::string_view text_of(std::uint8_t const* data, std::size_t bytes) {
  return {reinterpret_cast<char const*>(data), bytes};
}

}  // namespace tessera::testing
