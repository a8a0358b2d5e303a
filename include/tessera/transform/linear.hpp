// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a recorded part is linear in some of its values: whether its transpose does not depend on them, and nothing
// but zero is added to what does. linear_transpose, custom_jvp and tangents of custom_vjp need it.

#include <tessera/graph/backward.hpp>
#include <tessera/graph/clone.hpp>
#include <tessera/graph/dependence.hpp>
#include <tessera/op/base/foundation.hpp>

namespace tessera::detail {

class linearity {
public:
  constexpr linearity(builder& b, int first, int end, growable<int> const& inputs, growable<int> const& outputs)
      : b_(b), first_(first), end_(end), inputs_(inputs), outputs_(outputs) {}

  constexpr bool holds() {
    graph_size const before = b_.recorded.size();
    refusal const kept = b_.refused;
    bool const linear = adds_zeros() && turns();
    b_.take_back(before);
    b_.refused = kept;
    return linear;
  }

private:
  constexpr int operand(int id, int k) const { return b_.recorded.operands[b_.at(id).first_operand + k]; }

  // Whether a value is zeros, possibly converted or repeated.
  constexpr bool zero(int id) const {
    for (;; id = operand(id, 0)) {
      node const& n = b_.at(id);
      if (n.op->kind == op_class::literal) {
        auto const& given = n.attrs.as<literal_params>();
        return given.number == 0 && given.integer == 0;
      }
      bool const kept = n.op->kind == op_class::broadcast || n.op->kind == op_class::reshape ||
                        n.op->kind == op_class::identity || n.op->kind == op_class::reshard ||
                        n.op->kind == op_class::collective || is_op<ops::cast>(n.op);
      if (!kept || n.operand_count == 0) return false;
    }
  }
  // Operations that give a sum or a choice of their operands: all of these are linear, or zero.
  static constexpr bool joins(node const& n) {
    switch (n.op->kind) {
      case op_class::elementwise:
        return is_op<ops::add>(n.op) || is_op<ops::subtract>(n.op) || is_op<ops::where>(n.op) ||
               is_op<ops::complex>(n.op);
      case op_class::concatenate:
      case op_class::pad:
      case op_class::update_slice:
      case op_class::scatter: return true;
      default: return false;
    }
  }
  constexpr bool adds_zeros() const {
    dependence depends(b_, first_);
    for (int id : inputs_) depends.mark(id);
    depends.spread();
    for (int id = first_; id < end_; ++id) {
      node const& n = b_.at(id);
      if (!depends.on(id) || n.op->kind == op_class::rule) continue;
      if (!is_inexact(n.facts.element) && n.op->kind != op_class::loop) return false;
      if (!joins(n)) continue;
      for (int k = 0; k < n.operand_count; ++k) {
        int const x = operand(id, k);
        if (is_inexact(b_.facts(x).element) && !depends.on(x) && !zero(x)) return false;
      }
    }
    for (int id : outputs_)
      if (!depends.on(id) && !zero(id)) return false;
    return true;
  }
  constexpr bool turns() {
    int const begin = b_.size();
    cloner seen(b_, first_);
    growable<int> unknown, given;
    auto const argument = [&](array_value const& facts) { return b_.push(info<ops::argument>, nullptr, 0, {}, facts); };
    for (int id : inputs_) {
      unknown.push_back(argument(b_.facts(id)));
      seen.stand_for(id, unknown.back());
    }
    for (int id = first_; id < end_; ++id)
      if (seen.at(id) == id) seen.clone(id);
    for (int id : outputs_) given.push_back(argument(cotangent_facts(b_.facts(id))));
    backward back(b_, first_, end_, inputs_.data(), static_cast<int>(inputs_.size()), &seen);
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      if (outputs_[k] >= first_) back.seed(outputs_[k], term{&b_, given[k]});
    back.walk(end_ - 1);
    if (!back.alive()) return false;
    dependence depends(b_, begin);
    for (int id : unknown) depends.mark(id);
    depends.spread();
    for (int id : inputs_)
      if (depends.on(back.cotangent(id))) return false;
    return true;
  }

  builder& b_;
  int first_, end_;
  growable<int> const& inputs_;
  growable<int> const& outputs_;
};

constexpr bool region_is_linear(builder& b, graph_region const& part) {
  growable<int> inputs, outputs;
  for (int k = 0; k < part.input_count; ++k) inputs.push_back(b.recorded.region_values[part.first_input + k]);
  for (int k = 0; k < part.output_count; ++k) outputs.push_back(b.recorded.region_values[part.first_output + k]);
  return linearity(b, part.first_node, part.first_node + part.node_count, inputs, outputs).holds();
}

}  // namespace tessera::detail
