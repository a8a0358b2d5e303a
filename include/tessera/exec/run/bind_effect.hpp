// SPDX-License-Identifier: Apache-2.0
#pragma once
// An effect step with its addresses, and what it does: operands' blocks come to the host, device after device.

#include <tessera/exec/memory/blocks.hpp>
#include <tessera/exec/memory/device_blocks.hpp>
#include <tessera/graph/effect.hpp>

#include <vector>

namespace tessera::detail {

struct effect_step {
  struct source {
    array_value facts{};
    device_blocks blocks{};
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
    s.blocks = bind_blocks(plan, where, id);
    made.sources.push_back(s);
  }
  return made;
}

inline void run_effect(effect_step const& s, std::byte* const* frame) {
  fence();
  std::vector<effect_operand> operands(s.sources.size());
  std::vector<std::vector<std::byte>> blocks(s.sources.size());
  axis_set const axes = s.attrs.as<effect_params>().axes;
  for (std::int64_t held = 0; held < s.mesh.held_devices(axes); ++held) {
    mesh_coordinates place = coordinates_of(s.mesh.held(), held, axes);
    for (std::size_t k = 0; k < s.sources.size(); ++k) {
      effect_step::source const& from = s.sources[k];
      blocks[k].resize(static_cast<std::size_t>(from.facts.size() * bytes_of(from.facts.element)));
      copy_bytes(blocks[k].data(), from.blocks.of(frame, place), blocks[k].size(), false);
      operands[k] = {from.facts, blocks[k].data()};
    }
    for (int a = 0; a < s.mesh.rank; ++a)
      if (axes.contains(a)) place[static_cast<std::size_t>(a)] += s.mesh.first_held(a);
    auto const device = position_of(s.mesh, place, axes);
    s.act({&s.attrs, operands.data(), static_cast<int>(operands.size()), device, &s.mesh, place});
  }
}

}  // namespace tessera::detail
