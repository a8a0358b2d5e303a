// SPDX-License-Identifier: Apache-2.0
#pragma once
// The elements or the devices of a traced value are read while the function is traced.
// JAX: ConcretizationTypeError, TracerArrayConversionError, TracerIntegerConversionError.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct value_on_host {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: a traced value is read as an array in memory (device_get(x), "
                                   "to_host(), item(), float(x), sharding()): it has elements and devices only when "
                                   "the program runs. Fix: return it and read the result, "
                                   "debug_print<\"{}\">(x), or typeof_t<decltype(x)>::spec for its layout.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::value_on_host> {
  template <class... Facts>
  using type = value_on_host<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "its result is read as an array in memory, and has elements and devices only when the program runs.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "return it and read the result, or debug_print<\"{}\">(x)";
  }
};

}  // namespace tessera::error
