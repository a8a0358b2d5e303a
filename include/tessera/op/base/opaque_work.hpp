// SPDX-License-Identifier: Apache-2.0
#pragma once
// An opaque step ready to run: its loops over blocks and batch, and the positions of operands and results in them.

#include <tessera/base/dense_view.hpp>
#include <tessera/base/loops.hpp>
#include <tessera/rule/input.hpp>

#include <cstddef>

namespace tessera {

// The argument of a kernel in addition to its views: the operation's parameters.
struct opaque_call {
  attributes attrs{};
};

struct opaque_operand {
  int slot = -1;
  std::int64_t bytes = 0;                                         // of the first element of the batch
  std::int64_t step[2 * max_rank]{};                              // in bytes, for each loop
  std::int64_t extents[max_rank + 1]{}, strides[max_rank + 1]{};  // of the working dimensions, in elements
  std::int64_t last[max_rank + 1]{};                              // extents at the end of the innermost loop
  int rank = 0;
  int element_bytes = 0;
};

struct opaque_work {
  static constexpr int most = 8;  // operands and results together
  opaque_call call{};
  dtype element = dtype::float32;  // of operand 0
  int loops = 0;
  std::int64_t extent[2 * max_rank]{};
  std::int64_t elements = 0, grain = 1, tiles = 0, bytes = 0;
  int operands = 0, inputs = 0;
  bool launches = false;           // the kernel runs on the host and launches others
  opaque_operand operand[most]{};  // operands, then results

  // The working dimensions' extents at batch element e.
  TESSERA_FUNCTION std::int64_t const* extents(int which, std::int64_t e) const {
    return loops > 0 && (e + 1) % extent[loops - 1] == 0 ? operand[which].last : operand[which].extents;
  }
  // The beginning of the operand of batch element e.
  TESSERA_FUNCTION std::int64_t offset(int which, std::int64_t e) const {
    std::int64_t at = operand[which].bytes;
    detail::unravel(extent, loops, e, [&](int i, std::int64_t index) { at += index * operand[which].step[i]; });
    return at;
  }
};

}  // namespace tessera
