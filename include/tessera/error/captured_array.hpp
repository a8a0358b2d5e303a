// SPDX-License-Identifier: Apache-2.0
#pragma once
// Traced code met an array that is not one of its arguments. JAX makes it a constant of the program.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct captured_array {
  static consteval void explain() {
    static_assert(
        lawful<Op>,
        TESSERA_SENTENCE(
            "tessera: traced code captured an array: it has no value while the "
            "function is traced. Fix: pass the array as an argument of the traced "
            "function; in traced code constant({1.f, 2.f}) and zeros<float, 8>(), without device_put, asarray or "
            "reshard<P<...>, grid>: with a layout broadcast_to<8, 2>(constant({1.f, 2.f}), out_sharding<P<...>, grid>).",
            Op, Facts...));
  }
};

template <>
struct words<reason::captured_array> {
  template <class... Facts>
  using type = captured_array<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "traced code met an array that is not one of its arguments.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text +=
        "pass the array as an argument of the traced function; in traced code constant({1.f, 2.f}) and zeros<float, "
        "8>(), without device_put, asarray or reshard<P<...>, grid>: with a layout broadcast_to<8, 2>(constant({1.f, "
        "2.f}), out_sharding<P<...>, grid>)";
  }
};

}  // namespace tessera::error
