// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bytes that a collective sends under the ring model of a network, in which each device sends to its neighbor. In one
// process nothing is sent: devices read each other's blocks.

#include <tessera/aval/value.hpp>

namespace tessera {

// How devices exchange their blocks; `none`: nothing is sent.
enum class collective : std::uint8_t {
  none,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  permute,
  ragged_all_to_all
};

// Bytes that a device sends over n devices; B = `block` is the size of its block before the collective:
// all_reduce ceil(2 (n-1) B / n), all_gather (n-1) B, reduce_scatter and all_to_all ceil((n-1) B / n), permute B.
// dynamic if B or n is.
constexpr std::int64_t bytes_sent(collective kind, std::int64_t block, std::int64_t n) {
  if (block == dynamic || n == dynamic) return dynamic;
  switch (kind) {
    case collective::all_reduce: return (2 * (n - 1) * block + n - 1) / n;
    case collective::ragged_all_to_all:  // an upper bound; here `block` is the block that is received
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

// The same over these axes, weighted by their prices, for comparisons; the unit is a byte on an axis without a price.
// Reductions and all_gathers over several axes send most bytes along the cheapest axes.
constexpr std::int64_t bytes_priced(mesh_value const& mesh, collective kind, std::int64_t block, axis_set axes) {
  constexpr std::int64_t one = detail::common_price;
  std::int64_t const n = mesh.devices(axes);
  std::int64_t const sent = bytes_sent(kind, block, n);
  if (mesh.prices.items[0] == 0 || sent == dynamic) return sent;
  bool const in_steps =
      kind == collective::all_gather || kind == collective::reduce_scatter || kind == collective::all_reduce;
  std::int64_t left = kind == collective::all_gather ? n * block : block, sum = 0, dearest = 0;
  for (axis_set rest = axes; !rest.empty();) {
    int next = -1;
    for (int a = 0; a < mesh.rank; ++a)
      if (rest.contains(a) && (next < 0 || mesh.price(a) < mesh.price(next))) next = a;
    rest = rest - axis_set::of(next);
    sum += bytes_sent(collective::reduce_scatter, left, mesh.size(next)) * mesh.price(next);
    left /= mesh.size(next);
    dearest = mesh.price(next);
  }
  if (!in_steps) return sent * dearest / one;
  return (kind == collective::all_reduce ? 2 * sum : sum) / one;
}

}  // namespace tessera
