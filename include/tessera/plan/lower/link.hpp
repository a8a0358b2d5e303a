// SPDX-License-Identifier: Apache-2.0
#pragma once
// Appends the plans of a loop's regions to the plan of the surrounding program: one list of nodes, steps and code, one
// frame of addresses, one arena.

#include <tessera/graph/loop.hpp>
#include <tessera/plan/lower/lowering.hpp>

namespace tessera::detail {

// How often each region of a node runs per run of the node. A branch with one region, as of checkpoint, runs it once.
constexpr std::int64_t times_in(node const& n) {
  loop_shape const& loop = n.attrs.as<loop_shape>();
  if (loop.kind == loop_kind::scan || loop.kind == loop_kind::grid) return loop.length;
  return loop.kind == loop_kind::branch && n.region_count == 1 ? 1 : dynamic;
}
constexpr message repeated(message m, std::int64_t times) {
  m.times = m.times == dynamic || times == dynamic ? dynamic : m.times * times;
  return m;
}

// The messages of a program and of its regions, in plan order.
constexpr growable<message> all_messages(lowering const& lowered) {
  growable<message> all = lowered.messages;
  for (int id = 0; id < static_cast<int>(lowered.local.nodes.size()); ++id) {
    node const& n = lowered.at(id);
    for (int r = 0; r < n.region_count; ++r) {
      int const before = static_cast<int>(all.size());
      for (message m : all_messages(lowered.regions[n.first_region + r])) {
        if (m.kin >= 0) m.kin += before;
        all.push_back(repeated(m, times_in(n)));
      }
    }
  }
  return all;
}

// Bytes of the results of a while_loop's condition, one per device; 0 for other loops.
constexpr std::int64_t answer_bytes(loop_shape const& loop, std::int64_t devices) {
  return loop.kind == loop_kind::while_ && devices != dynamic ? (devices + 63) / 64 * 64 : 0;
}

template <class List>
constexpr int count_of(List const& list) {
  return static_cast<int>(list.size());
}

class region_linker {
public:
  constexpr region_linker(growable_plan& plan, growable_plan const& part, std::int64_t workspace, std::int64_t on_host,
                          std::int64_t times)
      : p_(plan),
        part_(part),
        nodes_(count_of(plan.local.nodes)),
        operands_(count_of(plan.local.operands)),
        lists_(count_of(plan.lists)),
        code_(count_of(plan.code)),
        steps_(count_of(plan.steps)),
        regions_(count_of(plan.regions)),
        workspace_(workspace),
        on_host_(on_host),
        times_(times) {}

  // Fills entry `named` of the plan's regions.
  constexpr void link(std::size_t named, int node, int first_capture, int captures) {
    plan_region made;
    made.node = node;
    made.first_step = steps_;
    made.step_count = part_.own_steps;
    made.first_slot = p_.region_slots;
    made.first_capture = first_capture;
    made.captures = captures;
    slots_ = p_.region_slots;
    int const inputs = count_of(part_.local.inputs), outputs = count_of(part_.local.outputs);
    p_.region_slots += inputs + outputs + part_.region_slots;
    nodes();
    for (int id : part_.lists) p_.lists.push_back(id + nodes_);
    for (instruction i : part_.code) {
      if (i.kind == code_kind::literal) i.a += nodes_;
      if (i.kind == code_kind::index) i.b += nodes_;
      p_.code.push_back(i);
    }
    for (step s : part_.steps) {
      s.node += nodes_;
      for (span_of* span : {&s.inputs, &s.outputs, &s.exchanges}) span->first += lists_;
      s.code.first += code_;
      if (s.kind == step_kind::loop) {
        s.region += regions_;
        s.workspace += workspace_;
        s.on_host += on_host_;
      }
      p_.steps.push_back(s);
    }
    for (message const& m : part_.messages) p_.messages.push_back(repeated(m, times_));
    for (plan_region r : part_.regions) {
      r.node += nodes_;
      r.first_step += steps_;
      r.first_slot += slots_ + inputs + outputs;
      r.inputs.first += lists_;
      r.outputs.first += lists_;
      p_.regions.push_back(r);
    }
    made.inputs = values(part_.local.inputs);
    made.outputs = values(part_.local.outputs);
    p_.regions[named] = made;
  }

private:
  constexpr void nodes() {
    int const inputs = count_of(part_.local.inputs);
    for (std::size_t i = 0; i < part_.local.nodes.size(); ++i) {
      node n = part_.local.nodes[i];
      n.first_operand += operands_;
      n.first_region += regions_;
      place at = part_.places[i];
      switch (at.kind) {
        case place_kind::argument: at = {place_kind::slot, slots_ + at.index, 0}; break;
        case place_kind::result: at = {place_kind::slot, slots_ + inputs + at.index, 0}; break;
        case place_kind::slot: at.index += slots_ + inputs + count_of(part_.local.outputs); break;
        case place_kind::buffer: at.offset += workspace_; break;
        case place_kind::on_host: at.offset += on_host_; break;
        case place_kind::view: at.index += nodes_; break;
        case place_kind::within: at.index += nodes_; break;
        case place_kind::pieces:
        case place_kind::nowhere: break;
      }
      p_.local.nodes.push_back(n);
      p_.places.push_back(at);
    }
    for (int id : part_.local.operands) p_.local.operands.push_back(id + nodes_);
  }
  constexpr span_of values(growable<int> const& ids) {
    span_of const made{count_of(p_.lists), count_of(ids)};
    for (int id : ids) p_.lists.push_back(id + nodes_);
    return made;
  }

  growable_plan& p_;
  growable_plan const& part_;
  int nodes_, operands_, lists_, code_, steps_, regions_, slots_ = 0;
  std::int64_t workspace_, on_host_, times_;
};

// Links the regions of step s at the end of the plan.
constexpr void link_regions(growable_plan& plan, int s, lowering const& lowered, growable<growable_plan> const& parts) {
  step& at = plan.steps[s];
  int const id = at.node;
  node const& n = plan.local.nodes[id];
  loop_shape const loop = n.attrs.as<loop_shape>();
  std::int64_t const times = times_in(n);
  int const first = n.first_region, regions = n.region_count;
  std::int64_t const workspace =
      at.workspace + answer_bytes(loop, plan.local.mesh.held_devices(plan.local.mesh.axes()));
  std::int64_t const on_host = at.on_host;
  int const named = static_cast<int>(plan.regions.size());
  at.region = named;
  plan.local.nodes[id].first_region = named;
  for (int r = 0; r < regions; ++r) plan.regions.push_back({});
  int capture = loop.first_capture();
  for (int r = 0; r < regions; ++r) {
    std::size_t const part = first + r;
    int const captures = lowered.captures[part];
    region_linker(plan, parts[part], workspace, on_host, times).link(named + r, id, capture, captures);
    capture += captures;
  }
}

}  // namespace tessera::detail
