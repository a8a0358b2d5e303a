// SPDX-License-Identifier: Apache-2.0
#pragma once
// The forward pass of a loop or branch: it is recorded again, with tangents beside the values that have them. Values and
// tangents are computed together, and nothing is stacked, so that a while_loop has a forward pass, too. What reads the
// results is recorded again behind it; the first record then has no reader.
// Source: JAX jax/_src/lax/control_flow (_scan_jvp, _while_loop_jvp, _cond_jvp).

#include <tessera/control/loop_ops.hpp>
#include <tessera/graph/backward.hpp>
#include <tessera/graph/clone.hpp>
#include <tessera/op/base/foundation.hpp>

namespace tessera::detail {

// Forward: the pass around it, transform/forward.hpp.
template <class Forward>
class forward_loop {
public:
  constexpr forward_loop(Forward& pass, int id)
      : pass_(pass), b_(pass.b_), id_(id), shape_(b_.at(id).attrs.template as<loop_shape>()), moving_(has_tangents()) {}

  // Whether a result has a tangent.
  constexpr bool moves() const {
    for (bool moving : moving_)
      if (moving) return true;
    return false;
  }
  constexpr void run() {
    site const kept = b_.here;
    b_.here = b_.at(id_).at;
    bool const again = std::exchange(pass_.again_, true);
    int const loop = shape_.kind == loop_kind::branch ? branches() : turns();
    pass_.again_ = again;
    if (pass_.alive()) results(loop);
    b_.here = kept;
  }

private:
  constexpr graph_region region(int r) const { return b_.recorded.regions[b_.at(id_).first_region + r]; }
  constexpr int input(graph_region const& r, int k) const { return b_.recorded.region_values[r.first_input + k]; }
  constexpr int output(graph_region const& r, int k) const { return b_.recorded.region_values[r.first_output + k]; }
  constexpr int operand(int k) const { return pass_.operand(id_, k); }
  constexpr bool entered(int id) const { return pass_.tangents_[id] >= 0; }
  constexpr array_value tangent_facts(int id) const {
    array_value facts = b_.facts(id);
    facts.weak = false;
    facts.memory = memory_kind::device;
    return facts;
  }
  constexpr int tangent_or_zero(int id, array_value const& facts) const {
    return id >= 0 && entered(id) ? pass_.tangents_[id] : zeros_of(b_, facts).id;
  }

  // By result, whether it has a tangent. A carried value has one if it begins with one or gets one in a turn.
  constexpr growable<bool> has_tangents() const {
    graph_region const body = region(shape_.body());
    growable<bool> moving;
    moving.resize(body.output_count, false);
    for (int k = 0; k < shape_.carried; ++k) moving[k] = entered(operand(k));
    for (bool more = true; more;) {
      more = false;
      int const regions = shape_.kind == loop_kind::branch ? b_.at(id_).region_count : 1;
      for (int r = 0; r < regions; ++r) {
        graph_region const part = regions == 1 ? body : region(r);
        growable<bool> const reached = reached_in(part, moving);
        for (int k = 0; k < part.output_count; ++k) {
          int const x = output(part, k);
          if (moving[k] || !reaches(part, reached, x) || !is_inexact(b_.facts(x).element)) continue;
          moving[k] = true;
          more = more || k < shape_.carried;
        }
      }
    }
    return moving;
  }
  constexpr bool reaches(graph_region const& part, growable<bool> const& reached, int id) const {
    return id >= part.first_node ? reached[id - part.first_node] : entered(id);
  }
  constexpr growable<bool> reached_in(graph_region const& part, growable<bool> const& moving) const {
    growable<bool> reached;
    reached.resize(part.node_count, false);
    for (int k = 0; k < part.input_count; ++k)
      reached[input(part, k) - part.first_node] = k < shape_.carried ? moving[k] : entered(operand(k));
    for (int id = part.first_node; id < part.first_node + part.node_count; ++id)
      for (int k = 0; k < b_.at(id).operand_count; ++k)
        if (reaches(part, reached, pass_.operand(id, k))) reached[id - part.first_node] = true;
    return reached;
  }

  // Records a region again, with the tangents of its outputs.
  constexpr void record(graph_region const& part) {
    growable<int> outputs;
    for (int k = 0; k < part.output_count; ++k) outputs.push_back(output(part, k));
    pass_.run(part.first_node, part.first_node + part.node_count, outputs);
  }
  constexpr void add_outputs(graph_region const& part, int from, int to, growable<int>& outputs) const {
    for (int k = from; k < to; ++k) outputs.push_back(pass_.primal(output(part, k)));
  }
  constexpr void add_tangents(graph_region const& part, int from, int to, growable<int>& outputs) const {
    for (int k = from; k < to; ++k)
      if (moving_[k]) outputs.push_back(tangent_or_zero(output(part, k), tangent_facts(output(part, k))));
  }

  constexpr int branches() {
    growable<graph_region> regions;
    for (int r = 0; r < b_.at(id_).region_count; ++r) {
      graph_region const part = region(r);
      int const first = b_.size();
      record(part);
      if (!pass_.alive()) return -1;
      growable<int> outputs;
      add_outputs(part, 0, part.output_count, outputs);
      add_tangents(part, 0, part.output_count, outputs);
      regions.push_back(b_.close_region(first, {}, outputs));
    }
    growable<int> selector;
    selector.push_back(pass_.primal(operand(0)));
    values_ = region(0).output_count;
    return push_loop<ops::branch>(b_, regions, selector, shape_);
  }

  // An argument of the new region for input k of the old one.
  constexpr int argument(array_value const& facts) { return b_.push(info<ops::argument>, nullptr, 0, {}, facts); }
  constexpr void add_argument(int old, growable<int>& inputs) {
    inputs.push_back(argument(b_.facts(old)));
    pass_.now_.stand_for(old, inputs.back());
  }
  constexpr int turns() {
    graph_region const body = region(shape_.body());
    int const carried = shape_.carried, sliced = shape_.sliced;
    loop_shape shape = shape_;
    growable<int> operands;
    for (int k = 0; k < carried; ++k) operands.push_back(pass_.primal(operand(k)));
    for (int k = 0; k < carried; ++k)
      if (moving_[k]) operands.push_back(tangent_or_zero(operand(k), tangent_facts(input(body, k))));
    shape.carried = static_cast<int>(operands.size());
    for (int k = carried; k < carried + sliced; ++k) operands.push_back(pass_.primal(operand(k)));
    for (int k = carried; k < carried + sliced; ++k)
      if (entered(operand(k))) operands.push_back(pass_.tangents_[operand(k)]);
    shape.sliced = static_cast<int>(operands.size()) - shape.carried;

    growable<graph_region> regions;
    if (shape_.kind == loop_kind::while_) regions.push_back(condition(body));
    int const first = b_.size();
    growable<int> inputs, outputs;
    for (int k = 0; k < carried; ++k) add_argument(input(body, k), inputs);
    for (int k = 0; k < carried; ++k)
      if (moving_[k]) add_tangent(input(body, k), inputs);
    for (int k = carried; k < carried + sliced; ++k) add_argument(input(body, k), inputs);
    for (int k = carried; k < carried + sliced; ++k)
      if (entered(operand(k))) add_tangent(input(body, k), inputs);
    record(body);
    if (!pass_.alive()) return -1;
    add_outputs(body, 0, carried, outputs);
    add_tangents(body, 0, carried, outputs);
    add_outputs(body, carried, body.output_count, outputs);
    add_tangents(body, carried, body.output_count, outputs);
    regions.push_back(b_.close_region(first, inputs, outputs));
    values_ = carried;
    return shape_.kind == loop_kind::while_ ? push_loop<ops::while_loop>(b_, regions, operands, shape)
                                            : push_loop<ops::scan>(b_, regions, operands, shape);
  }
  constexpr void add_tangent(int old, growable<int>& inputs) {
    inputs.push_back(argument(tangent_facts(old)));
    pass_.tangents_[old] = inputs.back();
  }
  // The condition of a while_loop again, which tangents do not change.
  constexpr graph_region condition(graph_region const& body) {
    graph_region const part = region(0);
    int const first = b_.size();
    growable<int> inputs, outputs;
    for (int k = 0; k < shape_.carried; ++k) add_argument(input(part, k), inputs);
    for (int k = 0; k < shape_.carried; ++k)
      if (moving_[k]) inputs.push_back(argument(tangent_facts(input(body, k))));
    for (int i = 0; i < part.node_count; ++i) pass_.record_again(part.first_node + i);
    add_outputs(part, 0, part.output_count, outputs);
    return b_.close_region(first, inputs, outputs);
  }

  // Results 0..values_-1 are followed by their tangents, and the others by theirs.
  constexpr int place(int k) const { return k < values_ ? k : values_ + count_moving(0, values_) + (k - values_); }
  constexpr int tangent_place(int k) const {
    int const count = static_cast<int>(moving_.size());
    return k < values_ ? values_ + count_moving(0, k)
                       : values_ + count_moving(0, values_) + (count - values_) + count_moving(values_, k);
  }
  constexpr int count_moving(int from, int to) const {
    int n = 0;
    for (int k = from; k < to; ++k) n += moving_[k];
    return n;
  }
  constexpr void results(int loop) {
    int const end = static_cast<int>(pass_.tangents_.size());
    for (int r = id_ + 1; r < end; ++r) {
      if (b_.at(r).op->kind != op_class::loop_result || pass_.operand(r, 0) != id_) continue;
      int const k = b_.at(r).attrs.template as<result_params>().which;
      pass_.now_.stand_for(r, loop_result(b_, loop, place(k), b_.facts(r)).id);
      if (moving_[k]) pass_.tangents_[r] = loop_result(b_, loop, tangent_place(k), tangent_facts(r)).id;
    }
  }

  Forward& pass_;
  typename Forward::graph_type& b_;
  int id_;
  loop_shape shape_;
  growable<bool> moving_;
  int values_ = 0;
};

}  // namespace tessera::detail
