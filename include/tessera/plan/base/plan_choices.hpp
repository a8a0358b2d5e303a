// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a plan may do. Programs run with the defaults; tests and tools take one away, or lower a limit.

#include <tessera/plan/base/message.hpp>

#include <cstdint>

namespace tessera {

struct plan_choices {
  bool share = true;  // what several devices of a process have in common is computed and stored once
  bool fuse = true;   // false: one step per operation
  std::int64_t joined = detail::joined_bytes;  // bytes of a device up to which blocks are joined to one message
  // Elements from which a concatenation is read piece by piece: below, a copy costs less than more loops.
  std::int64_t in_pieces = 4096;
};

}  // namespace tessera
