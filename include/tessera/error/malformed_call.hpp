// SPDX-License-Identifier: Apache-2.0
#pragma once
// A function that is composed of operations (<tessera/functions.hpp>) does not take its arguments, for a reason of its own, not
// that of an operation within. JAX: ValueError or TypeError of the function.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

// Fault has the sentence: functions/faults.hpp.
template <class Fault, class... Facts>
struct malformed_call {
  static consteval void explain() { Fault::template say<lawful<Fault>>(); }
};

template <>
struct words<reason::malformed_call> {
  template <class... Facts>
  using type = malformed_call<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the function does not take these arguments.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "the error of the compiler says what it takes";
  }
};

}  // namespace tessera::error
