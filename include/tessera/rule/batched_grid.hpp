// SPDX-License-Identifier: Apache-2.0
#pragma once
// The grid of a kernel in vmap: each batch is one more parallel dimension, in front of those that the kernel has, and
// the first dimension of the results and of the operands that are mapped. A block has one element of the batch, which
// the body does not see. A table that is mapped is a table of one dimension more. Source: JAX 0.10.2
// pallas/pallas_call.py, _pallas_call_batching_rule.

#include <tessera/rule/grid.hpp>
#include <tessera/spec/entry.hpp>

namespace tessera {

struct grid_batch {
  std::int64_t extent = 0;
  std::uint64_t operands = 0;  // bit k: operand k is mapped; the last bit is for all operands from 63 on
  entry_value entry{};         // of a spec: the axes that split it
  static constexpr std::uint64_t bit(int operand) { return std::uint64_t{1} << (operand < 63 ? operand : 63); }
  constexpr bool maps(int operand) const { return (operands & bit(operand)) != 0; }
  constexpr bool operator==(grid_batch const&) const = default;
};
using grid_batches = inplace_list<grid_batch, max_batches>;  // the outermost vmap first

namespace detail {

// The blocks of operand k, or of result k - grid.inputs.
constexpr block_value batched_block(grid_value const& g, grid_batches const& batches, int k) {
  block_value const& one = g.blocks[k];
  auto const is_batch = [&](int batch, int of) { return of >= g.inputs || batches[batch].maps(of); };
  block_value all = one;
  all.rank = 0;
  for (int b = 0; b < batches.size(); ++b) {
    if (!is_batch(b, k)) continue;
    int const d = all.rank++;
    all.whole[d] = batches[b].extent;
    all.extent[d] = 1;
    all.before[d] = all.behind[d] = 0;
    all.by_element[d] = false;
    all.squeezed[d] = true;
    all.at[d] = grid_index::of(b);
  }
  for (int d = 0; d < one.rank; ++d) {
    int const to = all.rank++;
    all.whole[to] = one.whole[d];
    all.extent[to] = one.extent[d];
    all.before[to] = one.before[d];
    all.behind[to] = one.behind[d];
    all.by_element[to] = one.by_element[d];
    all.squeezed[to] = one.squeezed[d];
    grid_index& at = all.at[to] = one.at[d];
    for (int i = 0; i < at.parts.size(); ++i) at.parts[i].dim += batches.size();
    if (!at.reads()) continue;
    for (int i = 0; i < at.read.parts.size(); ++i) at.read.parts[i].dim += batches.size();
    std::int64_t apart = 1;
    block_value const& table = g.blocks[at.read.value.dim];
    for (int t = 0; t < table.rank; ++t) apart *= table.whole[t];
    for (int b = batches.size() - 1; b >= 0; --b) {
      if (!is_batch(b, at.read.value.dim)) continue;
      at.read.parts.push_back({b, 1, 0, apart});
      apart *= batches[b].extent;
    }
  }
  return all;
}
// The grid without its blocks.
constexpr grid_value batched_grid(grid_value const& g, grid_batches const& batches) {
  grid_value all = g;
  all.blocks = nullptr;
  all.rank += batches.size();
  all.parallel += batches.size();
  for (int d = 0; d < g.rank; ++d) all.extent[d + batches.size()] = g.extent[d];
  for (int b = 0; b < batches.size(); ++b) all.extent[b] = batches[b].extent;
  return all;
}

}  // namespace detail
}  // namespace tessera
