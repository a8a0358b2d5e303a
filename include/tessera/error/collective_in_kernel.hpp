// SPDX-License-Identifier: Apache-2.0
#pragma once
// The function of a kernel communicates with other devices: the instances of a kernel run on one device, in any order.
// JAX: NotImplementedError (no lowering rule), except for remote copies of TPU kernels.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct collective_in_kernel {
  static consteval void explain() {
    static_assert(lawful<Op>,
                  TESSERA_SENTENCE("tessera: the function of a kernel calls a collective: its instances run on one "
                                   "device, in any order. Fix: call it before or after the kernel, in the "
                                   "same shard_map.",
                                   Op, Facts...));
  }
};

template <>
struct words<reason::collective_in_kernel> {
  template <class... Facts>
  using type = collective_in_kernel<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the function of a kernel calls it: its instances run on one device, in any order.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "call it before or after the kernel, in the same shard_map";
  }
};

}  // namespace tessera::error
