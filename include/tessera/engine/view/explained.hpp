// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program that is planned to be explained, and its explanation as text.

#include <tessera/engine/plan/explain/message_table.hpp>
#include <tessera/engine/view/kernel_blocks.hpp>
#include <tessera/engine/view/memory_by_name.hpp>
#include <tessera/engine/view/reasons.hpp>
#include <tessera/plan/cost/partitioned.hpp>
#include <tessera/plan/make/make_plan.hpp>
#include <tessera/plan/memory/memory_use.hpp>
#include <tessera/view/asked_program.hpp>

#include <vector>

namespace tessera::detail {

// The reasons for the messages of each part of a program.
struct changes_by_part final : change_log {
  std::vector<std::vector<layout_change>> parts;

  int open() override {
    parts.emplace_back();
    return static_cast<int>(parts.size()) - 1;
  }
  void add(int part, layout_change const& change) override { parts[part].push_back(change); }
  // Collects the changes of a program and of its regions, in the order of all_messages.
  void collect(lowering const& lowered, std::vector<layout_change>& all) const {
    for (layout_change const& change : parts[lowered.part()]) all.push_back(change);
    for (node const& n : lowered.local.nodes)
      for (int r = 0; r < n.region_count; ++r) collect(lowered.regions[n.first_region + r], all);
  }
};

// The global program with its layouts, its plan, its messages and the reason for each.
struct explained_program {
  growable<int> grown_from;  // by value over Auto axes: the value that its layout came from, or -1
  growable_graph global;
  growable_plan planned;
  growable<message> messages;  // one for each value that is moved
  std::vector<layout_change> changes;
  growable<message> sent;  // with small messages joined
  memory_reader<plan_view> memory;
  growable<bool> needed;  // by value of the global program: whether anything reads it

  explicit explained_program(graph_view const& traced)
      : global(with_layouts(traced)), planned(make_plan(global.view())), memory(planned.view()) {
    changes_by_part log;
    lowering lowered = lower(global.view(), true, &log);
    messages = all_messages(lowered);
    log.collect(lowered, changes);
    join_messages(lowered, joined_bytes);
    sent = all_messages(lowered);
    find_needed();
  }
  bool shows(int id) const { return needed[id]; }

private:
  void find_needed() {
    graph_view const g = global.view();
    needed.resize(g.node_count, false);
    auto const need = [this](int id) { needed[id] = true; };
    for (int i = 0; i < g.input_count; ++i) need(g.inputs[i]);
    for (int i = 0; i < g.output_count; ++i) need(g.outputs[i]);
    for (int id = g.node_count - 1; id >= 0; --id) {
      if (acts(g, id)) need(id);
      if (!shows(id)) continue;
      for (int k = 0; k < g[id].operand_count; ++k) need(g.operand(id, k));
      for (int r = 0; r < g[id].region_count; ++r) {
        for (int i = 0; i < g.part(id, r).input_count; ++i) need(g.input(g.part(id, r), i));
        for (int i = 0; i < g.part(id, r).output_count; ++i) need(g.output(g.part(id, r), i));
      }
    }
  }
  growable_graph with_layouts(graph_view const& traced) {
    if (!leaves_layouts_open(traced)) return in_blocks(growable_graph::copy_of(traced));
    return in_blocks(laid_out(traced, choose_layouts<layout_costs>(traced, nullptr, &grown_from).data()));
  }
};

TESSERA_ENGINE std::string explanation(asked_program const& asked) {
  explained_program const p(asked.traced);
  growable<std::string> once;
  std::vector<known_bytes<std::string>> in_all;
  known_bytes<std::string> total;
  for (message const& m : p.sent) {
    once.push_back(describe(known_bytes<std::string>{m.bytes, m.is_bound()}));
    in_all.push_back({m.times == dynamic ? dynamic : m.times * m.bytes, m.is_bound()});
    total += in_all.back();
  }
  std::string text = message_table(p.sent.data(), once, in_all.data(), p.global.mesh) + "  " + describe(total) +
                     " bytes sent per device and call (ring model)\n";
  graph_view const global = p.global.view();
  reason_writer const words(global, asked.inputs, p.grown_from);
  for (std::size_t i = 0; i < p.messages.size(); ++i) text += "  " + words.line(p.messages[i], p.changes[i]) + '\n';
  return text + kernels_text(p.planned.view()) + memory_by_name(p.memory.use, p.planned.local.view(), words);
}

}  // namespace tessera::detail
