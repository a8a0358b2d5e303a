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

// How many of the calls that are recorded begin at node `id` or before it.
constexpr int calls_around(builder const& b, int id) {
  int count = b.calls.size();
  while (count > 0 && b.calls[count - 1].first > id) --count;
  return count;
}
// The calls that are recorded on whose arguments a node depends: call k as bit k - 1. A loop, branch or mapped function in
// them may depend on them while it is recorded. No program is differentiated 31 times: each time doubles it.
constexpr int calls_of(builder const& b, int id) {
  return id < 0 ? 0 : b.dependent[id] & ((1 << calls_around(b, id)) - 1);
}
constexpr int calls_of_result(builder const& b, int loop, int which) {
  loop_shape const shape = b.at(loop).attrs.as<loop_shape>();
  auto const region = [&](int r) { return b.recorded.regions[b.at(loop).first_region + r]; };
  auto const value = [&](int at) { return calls_of(b, b.recorded.region_values[at]); };
  int found = 0;
  if (shape.kind == loop_kind::while_) found |= value(region(0).first_output);
  if (shape.kind != loop_kind::branch)
    return found |
           value(which < shape.carried ? region(shape.body()).first_input + which : region(0).first_output + which);
  found |= calls_of(b, b.recorded.operands[b.at(loop).first_operand]);
  for (int r = 0; r < b.at(loop).region_count; ++r) found |= value(region(r).first_output + which);
  return found;
}
// Looks at the nodes recorded since the last time: a node's operands are in front of it.
constexpr void find_dependence(builder& b) {
  for (int id = static_cast<int>(b.dependent.size()); id < b.size(); ++id) {
    node const& n = b.at(id);
    op_class const kind = n.op->kind;
    int found = 0;
    for (int k = 0, around = calls_around(b, id); k < around; ++k)
      if (id < b.calls[k].begin || kind == op_class::argument) found |= 1 << k;
    auto const operand = [&](int k) { return b.recorded.operands[n.first_operand + k]; };
    if (kind == op_class::loop_result)
      found |= calls_of_result(b, operand(0), static_cast<int>(n.attrs.as<result_params>().which));
    else if (kind != op_class::loop && kind != op_class::rule)
      for (int k = 0; k < n.operand_count; ++k) found |= calls_of(b, operand(k));
    b.dependent.push_back(found);
  }
}
// The number of the innermost call on whose arguments one of these values depends; 0 if there is none.
constexpr int call_of(builder& b, growable<int> const& ids) {
  if (b.calls.size() == 0 || !b.refused.what) return 0;  // a refused region lacks values
  find_dependence(b);
  int found = 0;
  for (int id : ids) found |= calls_of(b, id);
  int number = b.calls.size();
  while (number > 0 && !(found >> (number - 1) & 1)) --number;
  return number;
}

// While it lives, a rule is recorded: it is differentiated by the calls around `number` only.
struct [[nodiscard]] recording_rule {
  builder& graph;
  differentiated_calls kept;
  int first;
  constexpr recording_rule(builder& b, int number) : graph(b), kept(b.calls), first(b.size()) {
    if (b.refused.what) find_dependence(b);
    while (b.calls.size() >= number) b.calls.pop_back();
  }
  recording_rule(recording_rule const&) = delete;
  recording_rule& operator=(recording_rule const&) = delete;
  constexpr ~recording_rule() {
    graph.calls = kept;
    graph.forget_dependence(first);
  }
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
