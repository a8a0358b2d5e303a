// SPDX-License-Identifier: Apache-2.0
#pragma once
// An effect step with its addresses, and what it does: operands' blocks come to the host, device after device.

#include <tessera/exec/blocks.hpp>
#include <tessera/exec/layout.hpp>
#include <tessera/graph/effect.hpp>

#include <vector>

namespace tessera::detail {

struct effect_step {
  struct source {
    array_value facts{};
    int slot = -1;
    std::int64_t bytes = 0;                          // where the first block begins,
    std::array<std::int64_t, max_rank> axis_step{};  // bytes to the next one along an axis
  };
  effect_function act = nullptr;
  attributes attrs{};
  mesh_value mesh{};
  std::vector<source> sources;
};

TESSERA_COLD inline effect_step bind_effect(plan_view const& plan, step const& at, locations const& where) {
  node const& n = plan.local[at.node];
  effect_step made;
  made.act = n.op->act;
  made.attrs = n.attrs;
  made.mesh = *plan.local.mesh;
  for (int k = 0; k < n.operand_count; ++k) {
    int const id = plan.local.operand(at.node, k);
    location const& from = where[id];
    effect_step::source s;
    s.facts = plan.local[id].facts;
    std::int64_t step = 1;
    for (int d = s.facts.rank - 1; d >= 0; step *= s.facts.extent(d), --d)
      if (s.facts.extent(d) > 1 && from.at.dim_stride[static_cast<std::size_t>(d)] != step)
        throw std::logic_error("tessera: an effect's operand does not lie row-major.");
    if (from.slot < 0) throw std::logic_error("tessera: an effect's operand has no memory.");
    auto const size = bytes_of(s.facts.element);
    s.slot = from.slot;
    s.bytes = from.bytes + from.at.offset * size;
    for (int a = 0; a < made.mesh.rank; ++a)
      if (s.facts.varying.contains(a))
        s.axis_step[static_cast<std::size_t>(a)] = from.at.axis_stride[static_cast<std::size_t>(a)] * size;
    made.sources.push_back(s);
  }
  return made;
}

inline void run_effect(effect_step const& s, std::byte* const* frame) {
  fence();
  std::vector<effect_operand> operands(s.sources.size());
  std::vector<std::vector<std::byte>> blocks(s.sources.size());
  for (std::int64_t device = 0; device < s.mesh.devices(s.attrs.axes); ++device) {
    for (std::size_t k = 0; k < s.sources.size(); ++k) {
      effect_step::source const& from = s.sources[k];
      std::byte const* at = frame[from.slot] + from.bytes;
      std::int64_t rest = device;
      for (int a = s.mesh.rank - 1; a >= 0; --a) {
        if (!s.attrs.axes.contains(a)) continue;
        at += rest % s.mesh.size(a) * from.axis_step[static_cast<std::size_t>(a)];
        rest /= s.mesh.size(a);
      }
      blocks[k].resize(static_cast<std::size_t>(from.facts.size() * bytes_of(from.facts.element)));
      copy_bytes(blocks[k].data(), at, blocks[k].size(), false);
      operands[k] = {from.facts, blocks[k].data()};
    }
    s.act({&s.attrs, operands.data(), static_cast<int>(operands.size()), device});
  }
}

}  // namespace tessera::detail
