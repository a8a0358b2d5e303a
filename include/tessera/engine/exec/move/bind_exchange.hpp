// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds a collective step of a plan as an exchange. For the meaning of its parameters, see collective/*.hpp.

#include <tessera/collective/permute.hpp>
#include <tessera/engine/comm/channel/exchange.hpp>
#include <tessera/engine/exec/memory/locations.hpp>
#include <tessera/engine/spec/position.hpp>

namespace tessera::detail {

struct placed_exchange {
  exchange what{};
  int out_slot = -1, in_slot = -1;
};

// Binds an exchange of the positions along axes.
template <class Exchange>
TESSERA_COLD void bind_exchanged_axes(Exchange& what, exchange_params const& swap) {
  axis_set axes;
  for (auto a : swap.from) axes |= axis_set::of(static_cast<int>(a));
  for (auto a : swap.to) axes |= axis_set::of(static_cast<int>(a));
  for (int a = 0; a < what.mesh.rank; ++a)
    if (axes.contains(a)) what.axes.append(a);
  if (swap.groups.empty()) {
    what.from = swap.from;
    what.to = swap.to;
    return;
  }
  for (std::int64_t target = 0; target < what.positions(); ++target) {  // groups of axes: a table of sources
    mesh_coordinates const to = moved_along(what.mesh, {}, what.axes, target);
    what.source.push_back(position_of(what.mesh, collectives::permute::source(what.mesh, swap, to), axes));
  }
}

// `which`: one of the values that a joined message carries.
TESSERA_COLD inline placed_exchange bind_exchange(plan_view const& plan, step const& at, locations const& where,
                                                  int which = 0) {
  node const& n = plan.local[at.node];
  int const operand = plan.local.operand(at.node, which),
            result = which == 0 ? at.node : plan.lists[at.outputs.first + which];
  location const &in = where[operand], &out = where[result];
  if (in.slot < 0 || out.slot < 0) throw std::logic_error("tessera: a collective's operand or result has no memory.");
  placed_exchange e;
  e.out_slot = out.slot;
  e.in_slot = in.slot;
  e.what.mesh = plan.local.mesh->held();  // its axes connect devices of this process only
  e.what.in = plan.local[operand].facts;
  e.what.out = plan.local[result].facts;
  e.what.in_at = in.at;
  e.what.out_at = out.at;
  e.what.in_at.offset += in.bytes / bytes_of(n.facts.element);
  e.what.out_at.offset += out.bytes / bytes_of(n.facts.element);
  e.what.kind = n.op->message;
  e.what.combine = n.op->reduction;
  if (n.attrs.kind() == params_kind::exchange) {
    bind_exchanged_axes(e.what, n.attrs.as<exchange_params>());
    return e;
  }
  auto const& over = n.attrs.as<collective_params>();
  e.what.axes = over.order;
  e.what.dim = static_cast<int>(over.dim);
  e.what.other_dim = static_cast<int>(over.concat_dim);
  if (e.what.kind == collective::permute) {
    auto const* const sources = over.table + 1 + (over.backwards ? over.table[0] : 0);
    e.what.source.assign(sources, sources + over.table[0]);
  } else if (device_groups const groups{over.table}) {
    for (int g = 0; g < groups.count(); ++g) {
      auto& members = e.what.groups.emplace_back();
      for (int k = 0; k < groups.size(g); ++k) members.push_back(groups.member(g, k));
    }
  }
  if (e.what.kind == collective::all_reduce)
    for (int a = 0; a < e.what.mesh.rank; ++a)
      if (over.axes.contains(a)) e.what.axes.append(a);  // within groups, over.axes is empty
  return e;
}

}  // namespace tessera::detail
