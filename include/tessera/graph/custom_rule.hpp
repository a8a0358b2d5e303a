// SPDX-License-Identifier: Apache-2.0
#pragma once
// Derivatives of a user's own, as custom_vjp and custom_jvp record them within a call that is differentiated:
//   rule_argument  x -> x, for the recorded function: no derivative goes through it
//   custom_rule    a node that is never run. Its region is the user's derivative. Operands: the arguments, then values
//                  that the region reads. Backward: the cotangents of the results -> those of the arguments. Forward:
//                  the tangents of the arguments -> those of the results
//   rule_result    (result, custom_rule) -> result: its derivative is that rule's
// They belong to the innermost of the differentiated calls around them whose arguments they depend on, and are identities
// for the others. What a loop's values depend on is known when it has been recorded: a rule begins as that of the
// innermost call, and is handed on to the next one where that call ends. The completed program has no rules.

#include <tessera/graph/clone.hpp>
#include <tessera/graph/dependence.hpp>
#include <tessera/rule/own_params.hpp>

namespace tessera {

struct custom_rule_params {
  std::int64_t call = 0;   // the number of the differentiated call whose walk uses the rule
  bool forward = false;    // custom_jvp
  std::int64_t which = 0;  // of a rule_result
  std::int64_t rule = 0;   // the number of the rule
  static constexpr void fields(auto& p, auto&& each) { each(p.call, p.forward, p.which, p.rule); }
};

namespace detail {

// Whether this node's derivative is the user's in the walk that is under way.
constexpr bool rules_here(builder const& b, attributes const& attrs) {
  return attrs.as<custom_rule_params>().call == b.walked;
}

// The values that depend on the arguments of a differentiated call; while it is recorded those of loops, branches and
// mapped functions in it may.
constexpr dependence dependents(builder const& b, differentiated const& call, bool recorded = false) {
  dependence found(b, call.first);
  for (int id = call.first; id < b.size(); ++id)
    if (id < call.begin || (!recorded && b.at(id).op->kind == op_class::argument)) found.mark(id);
  found.spread();
  return found;
}
// The number of the innermost call whose arguments one of these values depends on; 0 if there is none.
constexpr int call_of(builder const& b, growable<int> const& ids) {
  for (int number = b.calls.size(); number > 0; --number) {
    dependence const found = dependents(b, b.calls[number - 1]);
    for (int id : ids)
      if (found.on(id)) return number;
  }
  return 0;
}

// While it lives, a rule is recorded: it is differentiated by the calls around `number` only.
struct [[nodiscard]] recording_rule {
  builder& graph;
  differentiated_calls kept;
  constexpr recording_rule(builder& b, int number) : graph(b), kept(b.calls) {
    while (b.calls.size() >= number) b.calls.pop_back();
  }
  recording_rule(recording_rule const&) = delete;
  recording_rule& operator=(recording_rule const&) = delete;
  constexpr ~recording_rule() { graph.calls = kept; }
};

// Removes the rules from a program that is not differentiated any more.
constexpr void forget_rules(builder& b) {
  if (b.rules == 0) return;
  for (int id = 0; id < b.size(); ++id) {
    node& n = b.recorded.nodes[id];
    if (n.op->kind == op_class::rule) {
      b.in_regions(id, [&](int inside) {
        node& unused = b.recorded.nodes[inside];
        if (unused.op->act || unused.op->key == key_role::consumed) unused.op = &cloner::acted;
      });
      n.region_count = n.operand_count = 0;
    } else if (n.operand_count == 2 && b.at(b.recorded.operands[n.first_operand + 1]).op->kind == op_class::rule) {
      n.operand_count = 1;
    }
  }
}

}  // namespace detail
}  // namespace tessera
