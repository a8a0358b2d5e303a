// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective step of a plan as an exchange. What its attributes mean: collective/*.hpp.

#include <tessera/collective/permute.hpp>
#include <tessera/comm/exchange.hpp>
#include <tessera/exec/memory/locations.hpp>
#include <tessera/spec/position.hpp>

namespace tessera::detail {

struct placed_exchange {
  exchange what{};
  int out_slot = -1, in_slot = -1;
};

TESSERA_COLD inline placed_exchange bind_exchange(plan_view const& plan, step const& at, locations const& where) {
  node const& n = plan.local[at.node];
  int const operand = plan.local.operand(at.node, 0);
  location const &in = where[operand], &out = where[at.node];
  if (in.slot < 0 || out.slot < 0) throw std::logic_error("tessera: a collective's operand or result has no memory.");
  placed_exchange e;
  e.out_slot = out.slot;
  e.in_slot = in.slot;
  e.what.mesh = *plan.local.mesh;
  e.what.in = plan.local[operand].facts;
  e.what.out = n.facts;
  e.what.in_at = in.at;
  e.what.out_at = out.at;
  e.what.in_at.offset += in.bytes / bytes_of(n.facts.element);
  e.what.out_at.offset += out.bytes / bytes_of(n.facts.element);
  e.what.kind = n.op->message;
  e.what.combine = n.op->reduction;
  e.what.axes = n.attrs.out[0];
  e.what.dim = static_cast<int>(n.attrs.integer);
  if (device_groups const groups{e.what.kind == collective::permute ? nullptr : n.attrs.table})
    for (int g = 0; g < groups.count(); ++g) {
      auto& members = e.what.groups.emplace_back();
      for (int k = 0; k < groups.size(g); ++k) members.push_back(groups.member(g, k));
    }
  if (e.what.kind == collective::all_reduce) {
    for (int a = 0; a < e.what.mesh.rank; ++a)
      if (n.attrs.axes.contains(a)) e.what.axes.append(a);  // within groups: attrs.axes is empty
  } else if (e.what.kind == collective::all_to_all) {
    e.what.dim = static_cast<int>(n.attrs.first[0]);
    e.what.other_dim = static_cast<int>(n.attrs.first[1]);
  } else if (e.what.kind == collective::permute && n.attrs.table) {
    auto const* const sources = n.attrs.table + 1 + n.attrs.integer * n.attrs.table[0];
    e.what.source.assign(sources, sources + n.attrs.table[0]);
  } else if (e.what.kind == collective::permute) {
    axis_set axes;
    for (auto a : n.attrs.first) axes |= axis_set::of(static_cast<int>(a));
    for (auto a : n.attrs.second) axes |= axis_set::of(static_cast<int>(a));
    for (int a = 0; a < e.what.mesh.rank; ++a)
      if (axes.contains(a)) e.what.axes.append(a);
    if (n.attrs.third.empty()) {
      e.what.from = n.attrs.first;
      e.what.to = n.attrs.second;
    } else {  // positions along several axes at once change places
      for (std::int64_t target = 0; target < e.what.positions(); ++target) {
        mesh_coordinates const to = moved_along(e.what.mesh, {}, e.what.axes, target);
        e.what.source.push_back(position_of(e.what.mesh, collectives::permute::source(e.what.mesh, n.attrs, to), axes));
      }
    }
  }
  return e;
}

}  // namespace tessera::detail
