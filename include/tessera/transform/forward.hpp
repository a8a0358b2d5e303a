// SPDX-License-Identifier: Apache-2.0
#pragma once
// Forward-mode differentiation, graph to graph: walks a recorded range of nodes and appends the tangents of its values.
// The tangent of an operation is the transpose of its transpose. There are no other rules than those of the backward
// pass, so the two modes agree by construction. Loops and branches: forward_loop.hpp.
// Source: JAX jax/_src/interpreters/ad.py. Differs: JAX has rules for jvp, and transposes of what they record.

#include <tessera/op/base/custom_rule.hpp>
#include <tessera/transform/forward_loop.hpp>
#include <tessera/transform/linear.hpp>

namespace tessera::detail {

// B: builder, as a template parameter, so that a program without forward passes instantiates nothing of this.
template <class B>
class forward {
public:
  using graph_type = B;

  // Instead: nothing but this pass reads the record, so that what is recorded again performs the effects, once.
  constexpr forward(B& b, bool instead) : b_(b), now_(b, 0), instead_(instead) { tangents_.resize(b.size(), -1); }

  // Node `tangent` is the tangent of node `id`, which the range reads.
  constexpr void enter(int id, int tangent) {
    if (id >= 0) tangents_[id] = tangent;
  }
  // Walks nodes first..end-1. `outputs`: the nodes whose tangents are asked for.
  constexpr void run(int first, int end, growable<int> const& outputs) {
    auto const [part, read_later] = divided(first, end, outputs);
    int begin = first;
    for (int id = first; id < end && alive(); ++id) {
      if (part[id - first] >= 0) continue;
      linear_part(begin, id, first, read_later);
      begin = id + 1;
      if (part[id - first] == inner || !alive()) continue;
      if (b_.at(id).op->kind == op_class::loop)
        loop(id);
      else if (again_)
        record_again(id);
    }
    if (alive()) linear_part(begin, end, first, read_later);
  }

  // The tangent of a node; -1 if it is zero.
  constexpr int tangent(int id) const { return id < 0 ? id : tangents_[id]; }
  // The node that has the value of node `id`: behind a loop that was recorded again, another one.
  constexpr int primal(int id) const { return id < 0 ? id : now_.at(id); }

private:
  template <class Forward>
  friend class forward_loop;
  static constexpr int border = -1, inner = -2;

  constexpr bool alive() const { return b_.refused.what.why == reason::none; }
  constexpr int operand(int id, int k) const { return b_.recorded.operands[b_.at(id).first_operand + k]; }

  struct parts_of_range {
    growable<int> part;  // of node first + i, by number; loops and their results are a border, their regions inner
    growable<bool> read_later;  // by other parts, by loops, or behind the range
  };
  constexpr parts_of_range divided(int first, int end, growable<int> const& outputs) const {
    parts_of_range made;
    made.part.resize(end - first, 0);
    for (int id = first; id < end; ++id) {
      node const& n = b_.at(id);
      if (n.op->kind == op_class::loop || n.op->kind == op_class::loop_result) made.part[id - first] = border;
      b_.in_regions(id, [&](int inside) { made.part[inside - first] = inner; });
    }
    int number = 0;
    for (int& p : made.part)
      if (p < 0)
        ++number;
      else
        p = number;
    made.read_later.resize(end - first, false);
    for (int id = first; id < end; ++id)
      for (int k = 0; k < b_.at(id).operand_count; ++k)
        if (int const x = operand(id, k); x >= first) {
          bool const together = made.part[id - first] >= 0 && made.part[id - first] == made.part[x - first];
          made.read_later[x - first] = made.read_later[x - first] || !together;
        }
    for (int id : outputs)
      if (id >= first) made.read_later[id - first] = true;
    return made;
  }

  // A node is recorded again once, behind the regions that it runs; arguments of the region that is being recorded have
  // been.
  constexpr void record_again(int id) {
    if (now_.at(id) != id) return;
    b_.in_regions(id, [&](int inside) { record_again(inside); });
    now_.clone(id);
    node& made = b_.recorded.nodes[b_.size() - 1];
    node& old = b_.recorded.nodes[id];
    made.at.pass = old.at.pass;
    if (!instead_ || !old.op->act) return;
    made.op = old.op;
    old.op = &cloner::acted;
  }
  constexpr void loop(int id) {
    if (loop_shape const& shape = b_.at(id).attrs.template as<loop_shape>(); shape.kind == loop_kind::grid) {
      bool moves = false;
      for (int k = 0; k < shape.sliced; ++k) moves = moves || tangent(operand(id, k)) >= 0;
      if (moves)
        b_.refuse(refuse(reason::not_differentiable), *b_.at(id).op, b_.facts(id));
      else if (again_)
        record_again(id);
      return;
    }
    forward_loop<forward> turns(*this, id);
    if (turns.moves()) {
      turns.run();
      again_ = true;
    } else if (again_) {
      record_again(id);
    }
  }
  // Whether no derivative goes through this node: an argument of a function that has a rule.
  constexpr bool stops(int id) const {
    node const& n = b_.at(id);
    return is_op<ops::rule_argument>(n.op) && rules_here(b_, n.attrs);
  }
  // The rule of a custom_vjp is for cotangents: it can be turned if it is linear.
  constexpr bool turns(int id) const {
    node const n = b_.at(id);
    if (!rules_here(b_, n.attrs) || n.attrs.template as<custom_rule_params>().forward) return true;
    if (region_is_linear(b_, b_.recorded.regions[n.first_region])) return true;
    b_.refuse(refusal{refuse(reason::not_linear), &bare_info<ops::custom_vjp>, n.at, {}, {}, 0});
    return false;
  }

  // The tangents of a part without loops: its outputs' cotangents, as unknowns, are walked back to the values that have
  // a tangent; what this records is linear in the unknowns, and is walked back from there, which begins with the
  // tangents.
  constexpr void linear_part(int first, int end, int base, growable<bool> const& read_later) {
    if (first == end) return;
    if (again_)
      for (int id = first; id < end; ++id) record_again(id);
    growable<int> wanted, outputs, unknown;
    growable<bool> known, moved;
    known.resize(end, false);
    moved.resize(end - first, false);
    for (int id = first; id < end; ++id) {
      bool& moves = moved[id - first];
      moves = tangents_[id] >= 0;
      for (int k = 0; k < b_.at(id).operand_count; ++k) {
        int const x = operand(id, k);
        bool const entered = tangents_[x] >= 0;
        if (entered && !known[x]) wanted.push_back(x);
        known[x] = known[x] || entered;
        moves = moves || entered || (x >= first && moved[x - first]);
      }
      if (moves && stops(id)) moves = false;
      bool const rule = b_.at(id).op->kind == op_class::rule;
      if (rule && moves && !turns(id)) return;
      bool const output =
          moves && !rule && tangents_[id] < 0 && read_later[id - base] && is_inexact(b_.facts(id).element);
      if (output) outputs.push_back(id);
    }
    if (outputs.empty()) return;
    for (int id : outputs) unknown.push_back(zeros_of(b_, cotangent_facts(b_.facts(now_.at(id)))).id);
    int const start = b_.size();
    backward down(b_, first, end, wanted.data(), static_cast<int>(wanted.size()), &now_);
    for (std::size_t k = 0; k < outputs.size(); ++k) down.seed(outputs[k], term{&b_, unknown[k]});
    down.walk(end - 1);
    if (!alive()) return;
    int const turned = b_.size();
    backward up(b_, start, unknown.data(), static_cast<int>(unknown.size()));
    for (int id : wanted)
      if (int const c = down.cotangent(id); c >= 0) up.seed(c, term{&b_, tangents_[id]});
    up.walk(turned - 1);
    for (std::size_t k = 0; k < outputs.size(); ++k) tangents_[outputs[k]] = up.cotangent(unknown[k]);
    for (int id = turned; id < b_.size(); ++id) b_.recorded.nodes[id].at.pass = b_.here.pass;
  }

  B& b_;
  cloner now_;
  growable<int> tangents_;  // by node; -1: zero
  bool instead_ = false;
  bool again_ = false;  // nodes are recorded again
};

}  // namespace tessera::detail
