// SPDX-License-Identifier: Apache-2.0
#pragma once
// From groups to steps in the order they run, with the instructions of each fused group.

#include <tessera/plan/fuse.hpp>

namespace tessera::detail {

class step_writer {
 public:
  constexpr step_writer(graph_view local, fusion& groups, growable_plan& out) : g_(local), f_(groups), out_(out) {
    auto const n = static_cast<std::size_t>(g_.node_count);
    register_.resize(n, -1);
    loaded_by_.resize(n, -1);
    next_.resize(n, -1);
    first_.resize(n, -1);
    last_.resize(n, -1);
    collect();
    write();
  }

 private:
  // Members of each group in order, and the heads of all steps by depth.
  constexpr void collect() {
    int deepest = 0;
    for (int id = 0; id < g_.node_count; ++id)
      if (f_.at(id).depth > deepest) deepest = f_.at(id).depth;
    by_depth_first_.resize(static_cast<std::size_t>(deepest) + 1, -1);
    by_depth_last_.resize(static_cast<std::size_t>(deepest) + 1, -1);
    next_step_.resize(static_cast<std::size_t>(g_.node_count), -1);
    for (int id = 0; id < g_.node_count; ++id) {
      auto const is = f_.at(id).is;
      if (is == role::alone) {
        enqueue(id);
      } else if (is == role::fused) {
        int const group = f_.group_of(id);
        int& last = last_[static_cast<std::size_t>(group)];
        if (last < 0) {
          first_[static_cast<std::size_t>(group)] = id;
          enqueue(id);
        } else {
          next_[static_cast<std::size_t>(last)] = id;
        }
        last = id;
      }
    }
  }
  constexpr void enqueue(int id) {
    auto const depth = static_cast<std::size_t>(f_.at(id).depth);
    if (by_depth_first_[depth] < 0)
      by_depth_first_[depth] = id;
    else
      next_step_[static_cast<std::size_t>(by_depth_last_[depth])] = id;
    by_depth_last_[depth] = id;
  }

  constexpr void write() {
    for (int head : by_depth_first_)
      for (int id = head; id >= 0; id = next_step_[static_cast<std::size_t>(id)])
        if (f_.at(id).is == role::alone)
          alone(id);
        else
          group(id);
  }

  constexpr void alone(int id) {
    step s;
    switch (g_[id].op->kind) {
      case op_class::dot: s.kind = step_kind::dot; break;
      case op_class::reduce: s.kind = step_kind::reduce; break;
      case op_class::collective: s.kind = step_kind::collective; break;
      case op_class::opaque: s.kind = step_kind::opaque; break;
      default: s.kind = step_kind::copy; break;
    }
    s.node = id;
    s.inputs = {static_cast<int>(out_.lists.size()), g_[id].operand_count};
    for (int k = 0; k < g_[id].operand_count; ++k) out_.lists.push_back(g_.operand(id, k));
    s.outputs = {static_cast<int>(out_.lists.size()), 1};
    out_.lists.push_back(id);
    out_.steps.push_back(s);
  }

  constexpr void group(int first) {
    int const group = f_.group_of(first);
    step s;
    s.kind = step_kind::fused;
    s.node = f_.at(first).space;
    inputs_.clear();
    outputs_.clear();
    code_start_ = static_cast<int>(out_.code.size());
    for (int id = first; id >= 0; id = next_[static_cast<std::size_t>(id)]) instruct(group, id);
    for (int id = first; id >= 0; id = next_[static_cast<std::size_t>(id)]) {
      if (!f_.at(id).stored) continue;
      instruction store;
      store.kind = code_kind::store;
      store.element = g_[id].facts.element;
      store.row = f_.at(id).row;
      store.a = register_[static_cast<std::size_t>(id)];
      store.b = static_cast<int>(outputs_.size());
      outputs_.push_back(id);
      out_.code.push_back(store);
    }
    s.code = {code_start_, static_cast<int>(out_.code.size()) - code_start_};
    s.inputs = {static_cast<int>(out_.lists.size()), static_cast<int>(inputs_.size())};
    for (int id : inputs_) out_.lists.push_back(id);
    s.outputs = {static_cast<int>(out_.lists.size()), static_cast<int>(outputs_.size())};
    for (int id : outputs_) out_.lists.push_back(id);
    out_.steps.push_back(s);
  }

  constexpr void instruct(int group, int id) {
    node const& n = g_[id];
    instruction i;
    i.op = n.op;
    i.element = n.facts.element;
    i.row = f_.at(id).row;
    int registers[3]{-1, -1, -1};
    for (int k = 0; k < n.operand_count && k < 3; ++k) registers[k] = operand(group, id, g_.operand(id, k));
    if (n.op->kind == op_class::iota) {
      i.kind = code_kind::index;
      i.a = static_cast<int>(n.attrs.integer);
      i.b = id;
    } else {
      i.kind = n.op->kind == op_class::reduce ? code_kind::reduce : code_kind::compute;
      i.a = registers[0];
      i.b = registers[1];
      i.c = registers[2];
    }
    register_[static_cast<std::size_t>(id)] = put(i);
  }

  constexpr int operand(int group, int id, int operand) {
    if (int const value = f_.in_group(id, operand); value >= 0) return register_[static_cast<std::size_t>(value)];
    auto const at = static_cast<std::size_t>(operand);
    if (loaded_by_[at] == group) return register_[at];
    instruction i;
    i.element = g_[operand].facts.element;
    if (g_[operand].op->kind == op_class::literal) {
      i.kind = code_kind::literal;
      i.a = operand;
      i.row = false;
    } else {
      i.kind = code_kind::load;
      i.a = static_cast<int>(inputs_.size());
      i.row = f_.at(id).row && reads_rows(id);
      inputs_.push_back(operand);
    }
    loaded_by_[at] = group;
    return register_[at] = put(i);
  }
  // What a row value loads is one value a row; what a reduction loads is the row itself.
  constexpr bool reads_rows(int id) const { return g_[id].op->kind != op_class::reduce; }

  constexpr int put(instruction const& i) {
    out_.code.push_back(i);
    return static_cast<int>(out_.code.size()) - 1 - code_start_;
  }

  graph_view g_;
  fusion& f_;
  growable_plan& out_;
  growable<int> register_, loaded_by_, next_, first_, last_, next_step_, by_depth_first_, by_depth_last_;
  growable<int> inputs_, outputs_;
  int code_start_ = 0;
};

}  // namespace tessera::detail
