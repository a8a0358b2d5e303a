// SPDX-License-Identifier: Apache-2.0
#pragma once
// The function of a kernel reads an array that is not its operand: it would have no blocks.
// JAX: ValueError (the kernel function captures constants).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct kernel_reads_around {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the function of a kernel reads an array that is not its "
                                               "operand. Fix: pass it as an operand, with a block_spec; block_spec<> "
                                               "gives the whole array to each instance.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::kernel_reads_around> {
  template <class... Facts>
  using type = kernel_reads_around<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the function of a kernel reads an array that is not its operand.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "pass it as an operand, with a block_spec; block_spec<> gives the whole array to each instance";
  }
};

}  // namespace tessera::error
