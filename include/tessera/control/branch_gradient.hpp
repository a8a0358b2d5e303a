// SPDX-License-Identifier: Apache-2.0
#pragma once
// The backward pass of a branch: the same choice, with each branch computed again and transposed. What a checkpoint
// saves is read.

#include <tessera/control/loop_result.hpp>
#include <tessera/graph/clone.hpp>
#include <tessera/op/base/foundation.hpp>
#include <tessera/op/base/to_memory.hpp>

namespace tessera::detail {

// B and G: backward and builder, as template parameters, so that the ops used here may be incomplete.
template <class B, class G>
class branch_gradient {
public:
  constexpr branch_gradient(B& back, G& graph, int id)
      : back_(back), b_(graph), id_(id), self_(back.result().id), here_(b_.here) {}

  constexpr void run() {
    loop_shape const shape = b_.at(self_).attrs.template as<loop_shape>();
    int const regions = b_.at(self_).region_count, first_region = b_.at(self_).first_region;
    for (int k = shape.first_capture(); k < b_.at(self_).operand_count; ++k)
      if (is_inexact(b_.facts(operand(k)).element) && back_.wants(k)) outside_.push_back(k);
    growable<graph_region> made;
    growable<array_value> facts;
    for (int r = 0; r < regions; ++r) {
      graph_region const part = b_.recorded.regions[first_region + r];
      int const first = b_.size();
      growable<int> const outputs = turned(part);
      if (!back_.alive()) return;
      if (r == 0)
        for (int id : outputs) facts.push_back(b_.facts(id));
      made.push_back(b_.close_region(first, {}, outputs));
    }
    b_.here = here_;
    growable<int> operands;
    operands.push_back(operand(0));
    int const loop = push_loop<ops::branch>(b_, made, operands, shape);
    for (std::size_t i = 0; i < outside_.size(); ++i)
      back_.give(outside_[i], loop_result(b_, loop, static_cast<int>(i), facts[i]));
  }

private:
  constexpr int operand(int k) const { return b_.recorded.operands[b_.at(self_).first_operand + k]; }

  // What a checkpoint saves is not computed again.
  constexpr void see_saved(graph_region const& part, cloner& seen) const {
    loop_shape const shape = b_.at(id_).attrs.template as<loop_shape>();
    if (shape.results < 0) return;
    for (int r = id_ + 1; r < b_.size(); ++r) {
      node const& n = b_.at(r);
      if (n.op->kind != op_class::loop_result || b_.recorded.operands[n.first_operand] != id_) continue;
      auto const which = n.attrs.template as<result_params>().which;
      if (!is_saved(shape, which)) continue;
      int value = b_.recorded.region_values[part.first_output + static_cast<int>(which)];
      int saved = back_.visible(r);
      while (value >= part.first_node) {
        seen.stand_for(value, saved);
        node const& same = b_.at(value);  // as what a name is given to
        if (same.op->kind != op_class::identity) break;
        int const x = b_.recorded.operands[same.first_operand];
        if (memory_kind const there = b_.facts(x).memory; there != same.facts.memory)
          saved = moved_into(b_, term{&b_, saved}, there).id;
        else if (!(b_.facts(x) == same.facts))
          break;
        value = x;
      }
    }
  }
  // Records a branch again, then its transposes. Gives the cotangents of all values from outside.
  constexpr growable<int> turned(graph_region const& part) {
    cloner seen(b_, part.first_node);
    int const end = part.first_node + part.node_count;
    see_saved(part, seen);
    for (int id = part.first_node; id < end; ++id)
      if (seen.at(id) == id) seen.clone(id);
    growable<int> wanted, outputs;
    for (int k : outside_) wanted.push_back(operand(k));
    B inside(b_, part.first_node, end, wanted.data(), static_cast<int>(wanted.size()), &seen);
    growable<int> const results = results_of(back_, b_, id_, part.output_count);
    for (int k = 0; k < part.output_count; ++k)
      if (results[k] >= 0)
        inside.seed(b_.recorded.region_values[part.first_output + k], term{&b_, back_.cotangent(results[k])});
    inside.walk(end - 1);
    for (int k : outside_) {
      int const found = inside.alive() ? inside.cotangent(operand(k)) : -1;
      outputs.push_back(found >= 0 ? found : zeros_of(b_, cotangent_facts(b_.facts(operand(k)))).id);
    }
    return outputs;
  }

  B& back_;
  G& b_;
  int id_, self_;
  site here_;
  growable<int> outside_;
};

}  // namespace tessera::detail
