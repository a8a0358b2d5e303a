// SPDX-License-Identifier: Apache-2.0
#pragma once
// An operation on an array in host memory. JAX refuses operands in two memories, and computes on those in host memory.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct in_host_memory {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: an array in host memory, whose layout says on_host, cannot be "
                                               "computed on. Fix: device_put(x, on_device{}) first.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::in_host_memory> {
  template <class... Facts>
  using type = in_host_memory<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "an array in host memory cannot be computed on.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "device_put(x, on_device{}) first";
  }
};

}  // namespace tessera::error
