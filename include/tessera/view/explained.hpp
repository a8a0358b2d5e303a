// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program planned to be looked at, and what is said of it: the definitions of explain_program.hpp.

#include <tessera/partition/partition.hpp>
#include <tessera/plan/make_plan.hpp>
#include <tessera/plan/memory_use.hpp>
#include <tessera/view/explain_program.hpp>
#include <tessera/view/reasons.hpp>

namespace tessera::detail {

// The global program with its layouts, its plan, its messages and what each was sent for.
struct explained_program {
  growable<int> grown_from;  // of each value over Auto axes: what its layout came from, or -1
  growable_graph global;
  growable_plan planned;
  growable<message> messages;
  growable<layout_change> changes;
  memory_reader memory;

  explicit explained_program(graph_view const& traced)
      : global(with_layouts(traced)), planned(make_plan(global.view())), memory(planned.view()) {
    lowering const lowered = lower(global.view(), true, true);
    messages = all_messages(lowered);
    changes = all_changes(lowered);
  }

private:
  growable_graph with_layouts(graph_view const& traced) {
    if (!leaves_layouts_open(traced)) return growable_graph::copy_of(traced);
    return laid_out(traced, choose_layouts(traced, nullptr, &grown_from).data());
  }
};

TESSERA_ENGINE std::string explanation(asked_program const& asked) {
  explained_program const p(asked.traced);
  growable<std::string> once;
  growable<known_bytes> in_all;
  known_bytes sent;
  for (message const& m : p.messages) {
    once.push_back(describe(known_bytes{m.bytes, m.is_bound()}));
    in_all.push_back({m.times == dynamic ? dynamic : m.times * m.bytes, m.is_bound()});
    sent += in_all.back();
  }
  std::string text = message_table(p.messages, once, in_all, p.global.mesh) + "  " + describe(sent) +
                     " bytes sent per device and call (ring model)\n";
  graph_view const global = p.global.view();
  reason_writer const words(global, asked.inputs, p.grown_from);
  for (std::size_t i = 0; i < p.messages.size(); ++i) text += "  " + words.line(p.messages[i], p.changes[i]) + '\n';
  return text + explain(p.memory.use);
}

}  // namespace tessera::detail
