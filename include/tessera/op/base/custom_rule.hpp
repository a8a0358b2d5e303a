// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operations that custom_vjp and custom_jvp record: graph/custom_rule.hpp.

#include <tessera/graph/backward.hpp>
#include <tessera/graph/custom_rule.hpp>
#include <tessera/op/base/foundation.hpp>

namespace tessera {
namespace detail {

// The transpose of a custom_rule. B and G: backward and builder.
template <class B, class G>
class rule_transpose {
public:
  constexpr rule_transpose(B& back, G& graph, int id)
      : back_(back), b_(graph), id_(id), part_(b_.recorded.regions[b_.at(back.result().id).first_region]) {}

  constexpr void run() {
    if (back_.attrs().template as<custom_rule_params>().forward)
      turn();
    else
      call();
  }

private:
  constexpr int input(int k) const { return b_.recorded.region_values[part_.first_input + k]; }
  constexpr int output(int k) const { return b_.recorded.region_values[part_.first_output + k]; }

  // The results' cotangents, by number; -1: zero.
  constexpr growable<int> cotangents(int count) const {
    growable<int> found;
    found.resize(count, -1);
    for (int r = id_ + 1; r < b_.size(); ++r) {
      node const& n = b_.at(r);
      if (n.operand_count != 2 || b_.recorded.operands[n.first_operand + 1] != id_ || back_.cotangent(r) < 0) continue;
      if (n.op->kind == op_class::identity) found[n.attrs.template as<custom_rule_params>().which] = back_.cotangent(r);
    }
    return found;
  }
  // Records the region with other inputs.
  constexpr cloner recorded(growable<int> const& inputs, bool acts) {
    cloner made(b_, part_.first_node, acts);
    int const before = b_.size();
    for (int k = 0; k < part_.input_count; ++k) {
      int const given = inputs[k];
      made.stand_for(input(k), given >= 0 ? given : zeros_of(b_, b_.facts(input(k))).id);
    }
    for (int id = part_.first_node; id < part_.first_node + part_.node_count; ++id)
      if (made.at(id) == id) made.clone(id);
    for (int id = before; id < b_.size(); ++id) b_.recorded.nodes[id].at.pass = program_pass::backward;
    return made;
  }
  // The rule of a custom_vjp.
  constexpr void call() {
    cloner const made = recorded(cotangents(part_.input_count), true);
    for (int k = 0; k < part_.output_count; ++k) back_.give(k, term{&b_, made.at(output(k))});
  }
  // That of a custom_jvp is linear, and is walked back.
  constexpr void turn() {
    growable<int> unknown, wanted;
    unknown.resize(part_.input_count, -1);
    growable<int> const given = cotangents(part_.output_count);
    cloner const seen = recorded(unknown, false);
    for (int k = 0; k < part_.input_count; ++k) wanted.push_back(input(k));
    int const end = part_.first_node + part_.node_count;
    B inside(b_, part_.first_node, end, wanted.data(), part_.input_count, &seen);
    for (int k = 0; k < part_.output_count; ++k)
      if (output(k) >= part_.first_node && given[k] >= 0) inside.seed(output(k), term{&b_, given[k]});
    inside.walk(end - 1);
    if (!inside.alive()) return;
    for (int k = 0; k < part_.input_count; ++k)
      if (int const found = inside.cotangent(input(k)); found >= 0) back_.give(k, term{&b_, found});
  }

  B& back_;
  G& b_;
  int id_;
  graph_region part_;
};

}  // namespace detail

namespace ops {

// The operations that refusals of custom_vjp and custom_jvp name.
struct custom_vjp {
  static constexpr std::string_view name = "custom_vjp";
  static constexpr op_class kind = op_class::identity;
  static constexpr bool forward = false;
};
struct custom_jvp {
  static constexpr std::string_view name = "custom_jvp";
  static constexpr op_class kind = op_class::identity;
  static constexpr bool forward = true;
};

struct rule_argument {
  static constexpr std::string_view name = "rule_argument";
  static constexpr op_class kind = op_class::identity;
  template <class B>
  static constexpr void transpose(B& back, int) {
    if (!tessera::detail::rules_here(back.graph(), back.attrs())) back.give(0, back.cotangent());
  }
};

struct custom_rule {
  static constexpr std::string_view name = "custom_rule";
  static constexpr op_class kind = op_class::rule;
  template <class B>
  static constexpr void transpose(B& back, int id) {
    tessera::detail::rule_transpose(back, back.graph(), id).run();
  }
};

struct rule_result {
  static constexpr std::string_view name = "rule_result";
  static constexpr op_class kind = op_class::identity;
  template <class B>
  static constexpr void transpose(B& back, int) {
    if (tessera::detail::rules_here(back.graph(), back.attrs()))
      back.touch_operand(1);
    else
      back.give(0, back.cotangent());
  }
};

}  // namespace ops

namespace detail {

constexpr bool has_rule_params(node const& n) {
  return n.op->kind == op_class::rule || is_op<ops::rule_argument>(n.op) || is_op<ops::rule_result>(n.op);
}
// A call that will be differentiated has been recorded: rules whose arguments do not depend on its own belong to the call
// around it.
constexpr void hand_on_rules(builder& b, differentiated const& call, int number) {
  if (b.rules == 0) return;
  dependence depends(b, call.first);
  for (int id = call.first; id < call.begin; ++id) depends.mark(id);
  depends.spread();
  growable<bool> kept;
  kept.resize(b.rules + 1, false);
  for (int id = call.first; id < b.size(); ++id) {
    node const& n = b.at(id);
    if (n.op->kind != op_class::rule) continue;
    auto const params = n.attrs.as<custom_rule_params>();
    graph_region const& part = b.recorded.regions[n.first_region];
    for (int k = 0; k < (params.forward ? part.input_count : part.output_count); ++k)
      if (depends.on(b.recorded.operands[n.first_operand + k])) kept[params.rule] = true;
  }
  for (int id = call.first; id < b.size(); ++id) {
    node& n = b.recorded.nodes[id];
    if (!has_rule_params(n)) continue;
    auto params = n.attrs.as<custom_rule_params>();
    if (params.call != number || kept[params.rule]) continue;
    --params.call;
    n.attrs.set(params);
  }
}

}  // namespace detail
}  // namespace tessera
