// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a collective sends, under the ring model of a network: each device passes its neighbour what it must.
// In process nothing is sent: devices read each other's blocks.

#include <tessera/aval/value.hpp>

namespace tessera {

// How devices exchange their blocks; `none` for what sends nothing.
enum class collective : std::uint8_t {
  none,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  permute,
  ragged_all_to_all
};

// Bytes a device sends, its block before the collective having `block` bytes, over n devices:
// all_reduce ceil(2 (n-1) B / n), all_gather (n-1) B, reduce_scatter and all_to_all ceil((n-1) B / n), permute B.
// dynamic when one of them is.
constexpr std::int64_t bytes_sent(collective kind, std::int64_t block, std::int64_t n) {
  if (block == dynamic || n == dynamic) return dynamic;
  switch (kind) {
    case collective::all_reduce: return (2 * (n - 1) * block + n - 1) / n;
    case collective::ragged_all_to_all:  // at most: the block is that of what is received
    case collective::all_gather: return (n - 1) * block;
    case collective::reduce_scatter:
    case collective::all_to_all: return ((n - 1) * block + n - 1) / n;
    case collective::permute: return block;
    default: return 0;
  }
}
constexpr std::int64_t bytes_sent(collective kind, array_value const& block, std::int64_t n) {
  auto const elements = block.size();
  return bytes_sent(kind, elements == dynamic ? dynamic : elements * bytes_of(block.element), n);
}

}  // namespace tessera
