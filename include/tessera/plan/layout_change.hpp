// SPDX-License-Identifier: Apache-2.0
#pragma once
// Why a message is sent: which value of the global program changes its layout, and for which operation. Recorded beside
// the messages where somebody asks; view/reasons.hpp says it in words.

#include <tessera/plan/block_layout.hpp>

namespace tessera {

struct layout_change {
  // What moves: the operation's operand of that number, its result, or a result of the program or of a loop's body.
  static constexpr int result = -1, output = -2;

  int node = -1;  // the operation, in the global program
  int operand = result;
  bool changes = false;  // else the program wrote the collective itself
  array_value value{};
  block_layout from{}, to{};
};

}  // namespace tessera
