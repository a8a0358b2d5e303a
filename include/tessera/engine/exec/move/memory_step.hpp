// SPDX-License-Identifier: Apache-2.0
#pragma once
// A step that copies a value from or to host memory, where a device has memory of its own. Kernels do not read it: each run of
// elements that is one in both memories is one transfer. On a host both memories are one, and copy_step copies.

#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/exec/device/device.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace tessera::detail {

struct memory_step {
  struct run_of_bytes {
    std::int64_t from, to;
  };
  int in_slot = -1, out_slot = -1;
  memory_kind from = memory_kind::device, to = memory_kind::device;
  std::int64_t bytes = 0;  // of each run
  std::vector<run_of_bytes> runs;

  static bool takes(step_binding const& b) {
    if (runs_on_host || !b.is(step_kind::copy) || b.at.exchanges.count > 0) return false;
    if (b.its_node().op->kind != op_class::identity) return false;
    graph_view const& g = b.plan.local;
    return b.its_node().facts.memory == memory_kind::host ||
           g[g.operand(b.at.node, 0)].facts.memory == memory_kind::host;
  }

  TESSERA_COLD static memory_step bind(step_binding& b) {
    mesh_value const& mesh = *b.plan.local.mesh;
    int const operand = b.plan.local.operand(b.at.node, 0);
    array_value const &facts = b.its_node().facts, &read = b.plan.local[operand].facts;
    location const &from = b.where[operand], &to = b.where[b.at.node];
    std::int64_t const size = bytes_of(facts.element);
    memory_step made{from.slot, to.slot, read.memory, facts.memory, size, {}};
    std::vector<dim> dims;
    for (int a = 0; a < mesh.rank; ++a)
      if (facts.varying.contains(a)) dims.push_back({mesh.held(a), from.at.axis_stride[a], to.at.axis_stride[a]});
    for (int d = 0; d < facts.rank; ++d) dims.push_back({facts.extent(d), from.at.dim_stride[d], to.at.dim_stride[d]});
    if (std::any_of(dims.begin(), dims.end(), [](dim const& d) { return d.extent == 0; })) return made;
    std::int64_t run = 1;
    for (auto it = dims.begin(); it != dims.end();) {
      if (it->extent != 1 && (it->in != run || it->out != run)) {
        ++it;
        continue;
      }
      run *= it->extent;
      dims.erase(it);
      it = dims.begin();
    }
    made.bytes = run * size;
    made.runs.push_back({from.bytes + from.at.offset * size, to.bytes + to.at.offset * size});
    for (dim const& d : dims) {
      std::size_t const before = made.runs.size();
      for (std::int64_t i = 1; i < d.extent; ++i)
        for (std::size_t k = 0; k < before; ++k)
          made.runs.push_back({made.runs[k].from + i * d.in * size, made.runs[k].to + i * d.out * size});
    }
    return made;
  }

  void run(step_run const& r) const {
    if (from == memory_kind::device) fence();
    for (run_of_bytes const& x : runs) {
      std::byte* const out = r.frame[out_slot] + x.to;
      std::byte const* const in = r.frame[in_slot] + x.from;
      if (from == to)
        std::memcpy(out, in, bytes);
      else
        copy_bytes(out, in, bytes, to == memory_kind::device);
    }
  }

private:
  struct dim {
    std::int64_t extent, in, out;
  };
};

}  // namespace tessera::detail
