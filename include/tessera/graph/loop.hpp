// SPDX-License-Identifier: Apache-2.0
#pragma once
// Nodes that run regions: scan, while_loop, a branch of cond or switch_, a kernel. Their parameters: loop_shape,
// rule/params.hpp.
//   operands  initial carried values, arrays to take slices of, the selector of a branch, then values that the regions
//             read from outside
//   regions   scan: its body, (carried..., slices...) -> (carried..., stacked...); while_loop: its condition, then its
//             body; branch: one per choice; kernel: its body, (blocks of the operands..., what the blocks of the results
//             and the scratch blocks hold..., program ids...) -> (blocks of the results..., scratch blocks...)
//   results   nodes of op loop_result: final carried values, then stacked ones; of a branch: its outputs; of a
//             checkpoint also the values inside that it saves; of a kernel: its results

#include <tessera/graph/graph.hpp>

namespace tessera::detail {

constexpr loop_shape const& loop_of(graph_view const& g, int loop) { return g[loop].attrs.as<loop_shape>(); }
// Carried value k of a loop at the start of an iteration; its layout is the same in all iterations.
constexpr array_value const& carried_in(graph_view const& g, int loop, int k) {
  return g[g.input(g.part(loop, loop_of(g, loop).body()), k)].facts;
}
// The facts of result k: of a carried value, of one slice of a stacked value, or of an output of a branch.
constexpr array_value result_slice(graph_view const& g, int loop, int k) {
  loop_shape const& shape = loop_of(g, loop);
  if (k < shape.carried) return carried_in(g, loop, k);
  return g[g.output(g.part(loop, shape.body()), k)].facts;
}
// The blocks of operand k of a kernel, or of result k - sliced.
constexpr block_value blocks_of_kernel(loop_shape const& kernel, int k) {
  return batched_block(*kernel.grid, kernel.batches, k);
}
// The axes that split the batches of a kernel.
constexpr axis_set axes_of_batches(loop_shape const& kernel) {
  axis_set axes;
  for (grid_batch const& batch : kernel.batches) axes |= batch.entry.axes();
  return axes;
}
// Result k of a kernel, of which `block` is one block.
constexpr array_value whole_result(loop_shape const& kernel, int k, array_value block) {
  block_value const blocks = blocks_of_kernel(kernel, kernel.grid->inputs + k);
  block.rank = blocks.rank;
  block.spec = {};
  for (int d = 0; d < blocks.rank; ++d) block.extent(d) = blocks.whole[d];
  for (int b = 0; b < kernel.batches.size(); ++b) block.entry(b) = kernel.batches[b].entry;
  block.varying = block.varying - axes_of_batches(kernel);
  return block;
}
// Whether a local value is the final value of a carried value. Such values are stored densely.
constexpr bool is_carried(graph_view const& local, int id) {
  bool const other = local[id].op->kind == op_class::opaque_part;
  int const loop = other ? local.operand(id, 0) : id;
  return local[loop].op->kind == op_class::loop &&
         (other ? local[id].attrs.as<result_params>().which : 0) < loop_of(local, loop).carried;
}
// The facts of result k of a loop; its readers may use another layout.
constexpr array_value loop_result_facts(graph_view const& g, int loop, int k) {
  loop_shape const& shape = loop_of(g, loop);
  array_value const slice = result_slice(g, loop, k);
  if (shape.kind == loop_kind::grid) return whole_result(shape, k, slice);
  return shape.kind == loop_kind::scan && k >= shape.carried ? with_dim(slice, 0, shape.length) : slice;
}

// Whether a loop_result is a value that a checkpoint saves for its gradient.
constexpr bool is_saved(loop_shape const& loop, std::int64_t which) {
  return loop.results >= 0 && which >= loop.results;
}

}  // namespace tessera::detail
