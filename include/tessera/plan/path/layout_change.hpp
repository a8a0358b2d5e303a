// SPDX-License-Identifier: Apache-2.0
#pragma once
// The reason of a message: the value of the global program that changes its layout, and the operation that requires it.
// Recorded in a log on request, at run time; engine/view/reasons.hpp describes it in words.

#include <tessera/plan/path/block_layout.hpp>

namespace tessera {

struct layout_change {
  // What moves: an operand of the operation (its number), its result, or a result of the program or of a loop's body.
  static constexpr int result = -1, output = -2;

  int node = -1;  // the operation, in the global program
  int operand = result;
  bool changes = false;  // false: the program wrote the collective itself
  array_value value{};
  block_layout from{}, to{};
};

// Receives the reason of each message, in the order of the messages of a program or region.
class change_log {
public:
  // Begins a program or region. Returns its number.
  virtual int open() = 0;
  virtual void add(int part, layout_change const& change) = 0;

protected:
  ~change_log() = default;
};

}  // namespace tessera
