// SPDX-License-Identifier: Apache-2.0
#pragma once
// The batch of a kernel: a dimension of its grid (rule/batched_grid.hpp). Where it is split over mesh axes, each device
// runs the instances of its elements, so that what depends on these differs between devices. Part of
// transform/batch.hpp.

#include <tessera/graph/dependence.hpp>

namespace tessera::detail {

// The batch in front of a kernel, with the operands that must have it: those whose values a result begins with. A
// layout that does not divide it evenly, or whose axes split another batch of the kernel, is given up.
constexpr grid_batch batch_of_kernel(loop_shape const& kernel, mesh_value const& mesh, std::int64_t size,
                                     entry_value entry) {
  grid_batch made{size};
  std::int64_t const devices = mesh.devices(entry.axes());
  bool const even = size != dynamic && devices != dynamic && size % devices == 0;
  if (even && (entry.axes() & axes_of_batches(kernel)).empty()) made.entry = entry;
  for (int k = 0; k < kernel.grid->outputs; ++k)
    if (int const operand = kernel.grid->output(k).alias; operand >= 0) made.operands |= grid_batch::bit(operand);
  return made;
}
constexpr loop_shape with_batch(loop_shape kernel, grid_batch const& batch) {
  grid_batches all{batch};
  for (grid_batch const& inner : kernel.batches) all.push_back(inner);
  kernel.batches = all;
  kernel.length = kernel.length == dynamic || batch.extent == dynamic ? dynamic : kernel.length * batch.extent;
  return kernel;
}
// Whether the blocks of operand k, or their numbers, differ between elements of a batch.
constexpr bool varies_with(loop_shape const& kernel, grid_batch const& batch, int k) {
  block_value const& blocks = kernel.grid->blocks[k];
  bool by_table = false;
  for (int d = 0; d < blocks.rank; ++d)
    by_table = by_table || (blocks.at[d].reads() && batch.maps(blocks.at[d].read.value.dim));
  return by_table || batch.maps(k);
}
// Marks the values of a kernel's body, from node `first` on, that differ between the devices that a batch is split
// over.
constexpr void vary_with_batch(builder& b, int first, growable<int> const& inputs, loop_shape const& kernel,
                               grid_batch const& batch) {
  if (batch.entry.empty()) return;
  dependence on_batch(b, first);
  int const variables = kernel.grid->outputs + kernel.grid->scratches;
  for (int k = 0; k < kernel.sliced + variables; ++k)
    if (k >= kernel.sliced || varies_with(kernel, batch, k)) on_batch.mark(inputs[k]);
  on_batch.spread();
  int const end = b.size();
  for (int id = first; id < end; ++id)
    if (on_batch.on(id)) b.recorded.nodes[id].facts.varying |= batch.entry.axes();
}

}  // namespace tessera::detail
