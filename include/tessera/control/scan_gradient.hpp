// SPDX-License-Identifier: Apache-2.0
#pragma once
// The backward pass of a scan: a scan in reverse, which carries the cotangents of the forward one's carried values and
// the sums of the cotangents of values from outside.

#include <tessera/control/loop_result.hpp>
#include <tessera/graph/clone.hpp>
#include <tessera/op/base/foundation.hpp>

namespace tessera::detail {

// B and G: backward and builder, as template parameters, so that the ops used here may be incomplete.
template <class B, class G>
class scan_gradient {
public:
  constexpr scan_gradient(B& back, G& graph, int id)
      : back_(back),
        b_(graph),
        id_(id),
        self_(back.result().id),
        shape_(b_.at(self_).attrs.template as<loop_shape>()),
        body_(b_.recorded.regions[b_.at(self_).first_region]),
        here_(b_.here),
        seen_(b_, body_.first_node) {}

  constexpr void run() {
    choose_operands();
    begin();
    int const first = b_.size();
    arguments();
    see_forward_values();
    growable<int> outputs;
    int const stacked = transpose_body(outputs);
    if (!back_.alive()) return;
    find_used(first);
    growable<int> inputs = arguments_;
    for (int id : used_) inputs.push_back(seen_.at(id));
    growable<graph_region> regions;
    regions.push_back(b_.close_region(first, inputs, outputs));
    for (int id : used_) slices_.push_back(stacked_value(id));
    loop_shape backward;
    backward.carried = static_cast<int>(begins_.size());
    backward.sliced = static_cast<int>(slices_.size());
    backward.reverse = !shape_.reverse;
    backward.length = shape_.length;
    growable<int> operands = begins_;
    for (int id : slices_) operands.push_back(id);
    int const loop = push_loop<ops::scan>(b_, regions, operands, backward);
    give(loop, outputs, stacked);
  }

private:
  constexpr int input(int k) const { return b_.recorded.region_values[body_.first_input + k]; }
  constexpr int output(int k) const { return b_.recorded.region_values[body_.first_output + k]; }
  constexpr int operand(int k) const { return b_.recorded.operands[b_.at(self_).first_operand + k]; }
  constexpr bool inexact(int id) const { return is_inexact(b_.facts(id).element); }

  // The differentiated values: carried values, slices, values from outside.
  constexpr void choose_operands() {
    for (int k = 0; k < shape_.carried; ++k)
      if (inexact(input(k))) carried_.push_back(k);
    for (int k = 0; k < shape_.sliced; ++k)
      if (inexact(input(shape_.carried + k)) && back_.wants(shape_.carried + k)) sliced_.push_back(k);
    for (int k = shape_.first_capture(); k < b_.at(self_).operand_count; ++k)
      if (inexact(operand(k)) && back_.wants(k)) outside_.push_back(k);
  }
  // Initial values of the backward loop: the cotangents of the results, and zeros.
  constexpr void begin() {
    growable<int> const results = results_of(back_, b_, id_, body_.output_count);
    for (int k : carried_) {
      int const r = results[k];
      begins_.push_back(r >= 0 ? back_.cotangent(r) : zeros_of(b_, cotangent_facts(b_.facts(input(k)))).id);
    }
    for (int k : outside_) begins_.push_back(zeros_of(b_, cotangent_facts(b_.facts(operand(k)))).id);
    for (int k = shape_.carried; k < body_.output_count; ++k)
      if (results[k] >= 0 && inexact(output(k))) {
        stacked_.push_back(k);
        slices_.push_back(back_.cotangent(results[k]));
      }
  }
  constexpr int argument(array_value const& facts) { return b_.push(info<ops::argument>, nullptr, 0, {}, facts); }
  constexpr void arguments() {
    for (int id : begins_) {
      array_value facts = b_.facts(id);
      facts.weak = false;
      arguments_.push_back(argument(facts));
    }
    for (int id : slices_) arguments_.push_back(argument(slice_facts(b_.facts(id))));
  }

  // Each forward value of the turn, as a slice of its stack; constants, rules and loops are recorded again, but for what a
  // checkpoint saves.
  constexpr void see_forward_values() {
    stacked_for_.resize(body_.node_count, -1);
    growable<bool> inside;
    inside.resize(body_.node_count, false);
    int const first = body_.first_node, end = first + body_.node_count;
    for (int id = first; id < end; ++id) b_.in_regions(id, [&](int n) { inside[n - first] = true; });
    for (int id = first; id < end; ++id) {
      auto const kind = b_.at(id).op->kind;
      bool const constant = b_.at(id).operand_count == 0 && kind != op_class::argument;
      bool const loop = kind == op_class::loop || (kind == op_class::loop_result && !saved(id));
      if (inside[id - first] || constant || loop || kind == op_class::rule)
        seen_.clone(id);
      else
        seen_.stand_for(id, stacked_for_[id - first] = argument(b_.facts(id)));
    }
  }

  constexpr bool saved(int result) const {
    int const loop = b_.recorded.operands[b_.at(result).first_operand];
    return is_saved(b_.at(loop).attrs.template as<loop_shape>(),
                    b_.at(result).attrs.template as<result_params>().which);
  }

  // Returns the number of carried values among `outputs`.
  constexpr int transpose_body(growable<int>& outputs) {
    growable<int> wanted;
    for (int k : carried_) wanted.push_back(input(k));
    for (int k : sliced_) wanted.push_back(input(shape_.carried + k));
    for (int k : outside_) wanted.push_back(operand(k));
    int const end = body_.first_node + body_.node_count;
    B inside(b_, body_.first_node, end, wanted.data(), static_cast<int>(wanted.size()), &seen_);
    std::size_t at = 0;
    for (int k : carried_) inside.seed(output(k), term{&b_, arguments_[at++]});
    at += outside_.size();
    for (int k : stacked_) inside.seed(output(k), term{&b_, arguments_[at++]});
    inside.walk(end - 1);
    if (!inside.alive()) return 0;
    for (int k : carried_) {
      int const cotangent = inside.cotangent(input(k));
      outputs.push_back(cotangent >= 0 ? cotangent : zeros_of(b_, cotangent_facts(b_.facts(input(k)))).id);
    }
    at = carried_.size();
    for (int k : outside_) {
      int const more = inside.cotangent(operand(k)), sum = arguments_[at++];
      outputs.push_back(more < 0 ? sum : (term{&b_, sum} + term{&b_, more}).id);
    }
    int const carried = static_cast<int>(outputs.size());
    for (int k : sliced_)
      if (int const cotangent = inside.cotangent(input(shape_.carried + k)); cotangent >= 0) {
        outputs.push_back(cotangent);
        sliced_given_.push_back(k);
      }
    return carried;
  }

  // The forward values that the backward loop reads.
  constexpr void find_used(int first) {
    int const start = body_.first_node, count = body_.node_count;
    growable<int> forward;  // by the node in its place
    forward.resize(b_.size() - first, -1);
    for (int i = 0; i < count; ++i)
      if (stacked_for_[i] >= 0) forward[stacked_for_[i] - first] = start + i;
    growable<bool> known, unread;  // unread: by rules, which are not run
    known.resize(count, false);
    unread.resize(b_.size() - first, false);
    for (int id = first; b_.rules > 0 && id < b_.size(); ++id) {
      if (b_.at(id).op->kind != op_class::rule) continue;
      b_.in_regions(id, [&](int n) { unread[n - first] = true; });
      unread[id - first] = true;
    }
    for (int id = first; id < b_.size(); ++id)
      for (int k = 0; !unread[id - first] && k < b_.at(id).operand_count; ++k) {
        int const x = b_.recorded.operands[b_.at(id).first_operand + k];
        int const value = x >= first ? forward[x - first] : -1;
        if (value < 0 || known[value - start]) continue;
        known[value - start] = true;
        used_.push_back(value);
      }
  }
  // All turns' values of a forward value: an array that was sliced, or an additional result of the forward loop.
  constexpr int stacked_value(int id) {
    for (int k = 0; k < shape_.sliced; ++k)
      if (input(shape_.carried + k) == id) return operand(shape_.carried + k);
    int const region = b_.at(self_).first_region;
    int const which = b_.add_output(region, id);
    body_ = b_.recorded.regions[region];
    return loop_result(b_, self_, which, stacked_facts(b_.facts(id), shape_.length)).id;
  }

  constexpr void give(int loop, growable<int> const& outputs, int carried) {
    b_.here = here_;
    growable<term> made;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      array_value facts = b_.facts(outputs[k]);
      facts.weak = false;
      bool const stacked = static_cast<int>(k) >= carried;
      made.push_back(loop_result(b_, loop, static_cast<int>(k), stacked ? stacked_facts(facts, shape_.length) : facts));
    }
    std::size_t at = 0;
    for (int k : carried_) back_.give(k, made[at++]);
    for (int k : outside_) back_.give(k, made[at++]);
    for (int k : sliced_given_) back_.give(shape_.carried + k, made[at++]);
  }

  B& back_;
  G& b_;
  int id_, self_;  // the loop, and its visible copy: its like in a backward loop around it
  loop_shape shape_;
  graph_region body_;
  site here_;
  cloner seen_;
  growable<int> carried_, sliced_, outside_, sliced_given_;  // operands that have a cotangent
  growable<int> stacked_;                                    // outputs of the body that have one
  growable<int> begins_, slices_, arguments_, used_;
  growable<int> stacked_for_;  // of each forward value: the backward body's argument for it, or -1
};

}  // namespace tessera::detail
