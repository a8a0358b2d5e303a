// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of the nodes recorded since `first` depend on marked ones; a loop's results each for itself.

#include <tessera/graph/builder.hpp>
#include <tessera/graph/loop.hpp>
#include <tessera/graph/node_map.hpp>

namespace tessera::detail {

class dependence {
public:
  constexpr dependence(builder const& b, int first)
      : b_(b), first_(first), end_(b.size()), marked_(first, end_, false) {}

  constexpr void mark(int id) {
    if (id >= 0) marked_[id] = true;
  }
  // Not in a program that is refused, where a region may lack values.
  constexpr void spread() {
    if (!b_.refused.what) return;
    while (pass()) {
    }
  }
  constexpr bool on(int id) const { return id >= 0 && marked_.at(id); }
  // Whether a loop has a part that depends on them.
  constexpr bool in_loop(int id) const {
    node const& n = b_.at(id);
    for (int k = 0; k < n.operand_count; ++k)
      if (on(operand(id, k))) return true;
    return false;
  }

private:
  constexpr int operand(int id, int k) const { return b_.recorded.operands[b_.at(id).first_operand + k]; }
  constexpr graph_region const& region(int loop, int r) const {
    return b_.recorded.regions[b_.at(loop).first_region + r];
  }
  constexpr int value(int at) const { return b_.recorded.region_values[at]; }

  constexpr bool find(int id, bool depends) {
    if (id < 0 || !depends || marked_.at(id)) return false;
    return marked_[id] = true;
  }
  constexpr bool pass() {
    bool more = false;
    for (int id = first_; id < end_; ++id) {
      node const& n = b_.at(id);
      if (n.op->kind == op_class::rule) continue;
      if (n.op->kind == op_class::loop)
        more |= enter(id);
      else if (n.op->kind == op_class::loop_result)
        more |= find(id, result(operand(id, 0), static_cast<int>(n.attrs.as<result_params>().which)));
      else
        for (int k = 0; k < n.operand_count; ++k) more |= find(id, on(operand(id, k)));
    }
    return more;
  }
  constexpr bool chosen(int loop) const {
    loop_shape const shape = b_.at(loop).attrs.as<loop_shape>();
    return shape.kind == loop_kind::branch   ? on(operand(loop, 0))
           : shape.kind == loop_kind::while_ ? on(value(region(loop, 0).first_output))
                                             : false;
  }
  constexpr bool enter(int loop) {
    loop_shape const shape = b_.at(loop).attrs.as<loop_shape>();
    bool more = false;
    if (shape.kind == loop_kind::grid) {
      bool any = false;
      for (int k = 0; k < shape.sliced; ++k) any = any || on(operand(loop, k));
      for (int k = 0; k < region(loop, 0).input_count; ++k) more |= find(value(region(loop, 0).first_input + k), any);
      return more;
    }
    for (int k = 0; k < shape.carried + shape.sliced; ++k) {
      bool const carried = k < shape.carried && on(value(region(loop, shape.body()).first_output + k));
      for (int r = 0; r < b_.at(loop).region_count; ++r)
        more |= find(value(region(loop, r).first_input + k), carried || on(operand(loop, k)));
    }
    return more;
  }
  constexpr bool result(int loop, int which) const {
    loop_shape const shape = b_.at(loop).attrs.as<loop_shape>();
    if (chosen(loop)) return true;
    if (shape.kind != loop_kind::branch)
      return on(which < shape.carried ? value(region(loop, shape.body()).first_input + which)
                                      : value(region(loop, 0).first_output + which));
    for (int r = 0; r < b_.at(loop).region_count; ++r)
      if (on(value(region(loop, r).first_output + which))) return true;
    return false;
  }

  builder const& b_;
  int first_, end_;
  node_map<bool> marked_;
};

}  // namespace tessera::detail
