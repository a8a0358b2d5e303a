// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reverse-mode differentiation, graph to graph: walks a recorded range of nodes backward and appends each op's
// transpose through the same builder, so that rules, communication and source lines of the backward pass have the same
// origin.
// Source: JAX jax/_src/interpreters/ad.py (backward_pass); cotangents have the primal's sharding (JAX 0.10 types).

#include <tessera/graph/clone.hpp>
#include <tessera/graph/op_names.hpp>

namespace tessera {

// The facts of a value's cotangent: those of the value, with `reduced` and `unreduced` (pending partial sums)
// exchanged. Source: JAX 0.10.2; conformance surprise 21.
constexpr array_value cotangent_facts(array_value facts) {
  axis_set const reduced = facts.reduced;
  facts.reduced = facts.unreduced;
  facts.unreduced = reduced;
  facts.memory = memory_kind::device;
  return facts;
}

class backward {
public:
  // Differentiates `output` (a floating scalar) with respect to nodes `wanted`; nodes before `start` are constants.
  constexpr backward(builder& b, int start, int const* wanted, int count)
      : backward(b, start, b.size(), wanted, count, nullptr) {}
  // The same for nodes start..end-1, a region. Transposes see node seen_as->at(id) in place of node id.
  constexpr backward(builder& b, int start, int end, int const* wanted, int count, cloner const* seen_as)
      : graph_(b),
        start_(start),
        reached_(start, end, false),
        cotangents_(start, end, -1),
        parts_(start, end, -1),
        seen_as_(seen_as) {
    for (int i = 0; i < count; ++i)
      if (wanted[i] >= 0) reached_[wanted[i]] = true;
    for (int id = start; id < end; ++id)
      if (b.at(id).op->transpose != &detail::gives_nothing && depends_on_operands(id)) reached_[id] = true;
  }

  template <class Term>
  constexpr void run(int output, Term given) {
    if (output < 0) return;  // refused: its sizes do not fit
    seed(output, given);
    walk(output);
  }
  // Adds `given` to the cotangent of `output`.
  template <class Term>
  constexpr void seed(int output, Term given) {
    site const kept = graph_.here;
    graph_.here.pass = program_pass::backward;
    axis_set const varying = graph_.facts(output).varying;
    accumulate(output, varying_as(given, varying), varying);
    graph_.here = kept;
  }
  // Walks from node `last` back to the start. It and the functions below that make operations are templates, because
  // these operations are only declared here.
  template <class Term = term>
  constexpr void walk(int last) {
    if (!alive()) return;  // a loop of a refused program may lack results
    site const kept = graph_.here;
    for (int id = last; id >= start_; --id) {
      if (!has_cotangent(id) || !reached_.at(id)) continue;
      graph_.here = graph_.at(id).at;
      graph_.here.sums = kept.sums;
      graph_.here.pass = program_pass::backward;
      sum_over_devices<Term>(id);
      if (graph_.at(id).operand_count == 0 || !depends_on_operands(id)) continue;
      current_ = id;
      auto const transpose = graph_.at(id).op->transpose;
      if (!transpose) {
        graph_.refuse(refuse(reason::not_differentiable), *graph_.at(id).op, graph_.facts(id));
        break;
      }
      transpose(*this, id);
    }
    for (int id : parts_.before()) sum_over_devices<Term>(id);
    graph_.here = kept;
  }
  // The cotangent of a wanted node, in that node's sharding; -1 (zeros) if the output does not depend on it.
  constexpr int cotangent(int id) const { return id < 0 ? -1 : cotangents_.at(id); }

  constexpr bool alive() const { return graph_.refused.what.why == reason::none; }
  // Node `id` as transposes see it.
  constexpr int visible(int id) const { return seen(id); }
  // For transposes of ops:
  constexpr term operand(int k) const { return {&graph_, seen(operand_id(current_, k))}; }
  constexpr int operand_count() const { return graph_.at(current_).operand_count; }
  constexpr term result() const { return {&graph_, seen(current_)}; }
  constexpr term cotangent() const { return {&graph_, cotangents_.at(current_)}; }
  constexpr attributes attrs() const { return graph_.at(current_).attrs; }
  constexpr bool wants(int k) const { return reaches(operand_id(current_, k)); }
  // The layout of operand k's cotangent: the operand's entries, and the incoming cotangent's partial sums.
  constexpr spec_value layout(int k) const {
    spec_value spec = layout_of(operand(k).facts());
    spec.unreduced = cotangent().facts().unreduced;
    spec.reduced = cotangent().facts().reduced;
    return spec;
  }
  // For one result of a node with several results: gives that node, operand k, a cotangent, so that its transpose runs.
  constexpr void touch_operand(int k = 0) {
    int& slot = cotangents_[operand_id(current_, k)];
    if (slot < 0) slot = cotangents_.at(current_);
  }
  template <class Op>
  constexpr term make(std::initializer_list<term> operands, attributes const& attrs = no_attributes) const {
    return graph_.make<Op>(operands, attrs);
  }
  constexpr builder& graph() const { return graph_; }
  // Adds `value` to operand k's cotangent: sums it for a broadcast scalar, and gives it the operand's dtype and
  // sharding.
  template <class Term>
  constexpr void give(int k, Term value) {
    if (!wants(k) || !value) return;
    array_value const primal = operand(k).facts();
    if (primal.rank == 0 && value.facts().rank != 0) {
      reduce_params all;
      for (int d = 0; d < value.facts().rank; ++d) all.dims.push_back(d);
      value = tessera::make<ops::reduce_sum>(*value.graph, {value}, all);
    }
    if (value && value.facts().element != primal.element) {
      cast_params to;
      to.element = primal.element;
      value = tessera::make<ops::cast>(*value.graph, {value}, to);
    }
    array_value const wanted = cotangent_facts(primal);
    collective_params terms;
    if (value) terms.axes = value.facts().varying & wanted.unreduced;
    if (!terms.axes.empty()) value = tessera::make<ops::pcast_unreduced>(*value.graph, {value}, terms);
    if (value && !(value.facts().same_spec(wanted) && value.facts().unreduced == wanted.unreduced &&
                   value.facts().reduced == wanted.reduced)) {
      attributes to;
      to.has_out = true;
      to.out = layout_of(wanted);
      value = tessera::make<ops::reshard>(*value.graph, {value}, to);
    }
    accumulate(operand_id(current_, k), pvaried(value, primal.varying), primal.varying);
  }

private:
  constexpr bool has_cotangent(int id) const { return cotangents_.at(id) >= 0 || parts_.at(id) >= 0; }
  // If a value is the same on all devices along an axis, each device computes a part of its cotangent. The parts are
  // added up here, or after the node's transpose if they are smaller there.
  template <class Term>
  constexpr void sum_over_devices(int id) {
    if (parts_.at(id) < 0) return;
    int& parts = parts_[id];
    int& whole = cotangents_[id];
    if (whole < 0 && repeats(id))
      whole = parts;
    else
      add_to(whole, varying_as(Term{&graph_, parts}, graph_.facts(id).varying));
    parts = -1;
  }
  // Sums `value` over the axes over which it varies and its primal does not.
  template <class Term>
  static constexpr Term varying_as(Term value, axis_set varying) {
    if (!value || value.facts().varying == varying) return value;
    collective_params more;
    more.axes = value.facts().varying - varying;
    if (!more.axes.empty()) value = tessera::make<ops::psum>(*value.graph, {value}, more);
    return pvaried(value, varying);
  }
  template <class Term>
  static constexpr Term pvaried(Term value, axis_set varying) {
    if (!value) return value;
    collective_params less;
    less.axes = varying - value.facts().varying;
    return less.axes.empty() ? value : tessera::make<ops::pvary>(*value.graph, {value}, less);
  }
  // Whether this node repeats a smaller value.
  constexpr bool repeats(int id) const {
    for (; id >= start_; id = operand_id(id, 0)) {
      auto const kind = graph_.at(id).op->kind;
      if (kind == op_class::broadcast) return true;
      if (kind != op_class::reshape && kind != op_class::permute) return false;
    }
    return false;
  }

  constexpr bool reaches(int id) const { return id >= 0 && reached_.at(id); }
  constexpr int seen(int id) const { return seen_as_ ? seen_as_->at(id) : id; }
  constexpr int operand_id(int id, int k) const { return graph_.recorded.operands[graph_.at(id).first_operand + k]; }
  constexpr bool depends_on_operands(int id) const {
    for (int k = 0; k < graph_.at(id).operand_count; ++k)
      if (reaches(operand_id(id, k))) return true;
    return false;
  }
  template <class Term>
  constexpr void accumulate(int id, Term value, axis_set varying) {
    int& parts = parts_[id];
    bool const part = value && !(value.facts().varying == varying);
    if (part && (parts < 0 || graph_.facts(parts).varying == value.facts().varying))
      add_to(parts, value);
    else
      add_to(cotangents_[id], part ? varying_as(value, varying) : value);
  }
  template <class Term>
  constexpr void add_to(int& sum, Term value) {
    sum = sum < 0 ? value.id : tessera::make<ops::add>(*value.graph, {term{&graph_, sum}, value}).id;
  }

  builder& graph_;
  int start_ = 0;
  int current_ = -1;
  detail::node_map<bool> reached_;
  detail::node_map<int> cotangents_, parts_;  // parts_: not yet summed over devices
  cloner const* seen_as_ = nullptr;
};

}  // namespace tessera
