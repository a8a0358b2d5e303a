// SPDX-License-Identifier: Apache-2.0
#pragma once
// Joins small all_reduces over the same axes, with the same monoid and dtype, none of which depends on another, to one
// message: a collective node with several operands and results. Readers of one result come after all of them.
// Reductions of rows are not joined: the step that computes the rows does them in registers.

#include <tessera/op/base/opaque.hpp>
#include <tessera/plan/lower/lowering.hpp>

namespace tessera::detail {

class message_joiner {
public:
  // Finds the messages that may be joined, and gives them the same message::kin.
  constexpr explicit message_joiner(lowering& l) : l_(l) {
    for (std::size_t m = 0; m < l.messages.size(); ++m)
      if (may_join(m)) candidates_.push_back(static_cast<int>(m));
    if (candidates_.size() > 1) find_kin();
  }
  // Joins messages, up to `most_bytes` together.
  constexpr void join(std::int64_t most_bytes) {
    if (candidates_.size() < 2) return;
    bool several = false;
    for (int m : candidates_) several = into_group(m, most_bytes) || several;
    if (several) rewrite();
  }

private:
  constexpr node const& carrier(int message) const { return l_.at(l_.carriers[message]); }

  constexpr bool may_join(std::size_t m) const {
    message const& sent = l_.messages[m];
    if (sent.kind != collective::all_reduce || sent.group > 0 || sent.block == dynamic) return false;
    node const& n = l_.at(l_.carriers[m]);
    if (n.attrs.as<collective_params>().axes.empty()) return false;  // within replica groups
    node const& x = l_.at(l_.local.operands[n.first_operand]);
    if (x.op->kind != op_class::reduce) return true;
    extents_list const& dims = x.attrs.as<reduce_params>().dims;
    array_value const& reduced = l_.facts(l_.local.operands[x.first_operand]);
    return reduced.rank == 1 || dims.size() != 1 || dims[0] != reduced.rank - 1;
  }

  // Messages with the same number of messages in the longest chain behind them: none of them depends on another.
  constexpr void find_kin() {
    int const n = static_cast<int>(l_.local.nodes.size());
    group_of_.resize(n, -1);
    growable<int> behind;
    behind.resize(n, 0);
    for (int m : candidates_) group_of_[l_.carriers[m]] = 0;
    for (int id = n - 1; id >= 0; --id) {
      int const own = behind[id] + (group_of_[id] >= 0);
      node const& x = l_.at(id);
      for (int k = 0; k < x.operand_count; ++k) {
        int& before = behind[l_.local.operands[x.first_operand + k]];
        if (before < own) before = own;
      }
    }
    growable<int> firsts;
    for (int m : candidates_) {
      int& kin = l_.messages[m].kin;
      for (int other : firsts)
        if (behind[l_.carriers[m]] == behind[l_.carriers[other]] && alike(m, other)) kin = other;
      if (kin >= 0) continue;
      kin = m;
      firsts.push_back(m);
    }
  }
  constexpr bool alike(int m, int other) const {
    return detail::bare_of(carrier(m).op) == detail::bare_of(carrier(other).op) &&
           carrier(m).facts.element == carrier(other).facts.element && l_.messages[m].axes == l_.messages[other].axes;
  }
  // Puts a message into the first group that has room for it. True: the group has other messages.
  constexpr bool into_group(int m, std::int64_t most) {
    message const& sent = l_.messages[m];
    int& found = group_of_[l_.carriers[m]];
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      message& to = groups_[g];
      if (to.kin != sent.kin || !fits_together(to.block, sent.block, most)) continue;
      ++to.joined;
      to.block += sent.block;
      to.at.scope.meet(sent.at.scope);
      found = static_cast<int>(g);
      return true;
    }
    found = static_cast<int>(groups_.size());
    groups_.push_back(sent);
    first_.push_back(m);
    return false;
  }

  // Writes the nodes in their order. A joined message comes after its last operand, its readers after the message.
  constexpr void rewrite() {
    int const n = static_cast<int>(l_.local.nodes.size());
    now_.resize(n, -1);
    arrived_.resize(groups_.size(), 0);
    nodes_.reserve(n);
    operands_.reserve(l_.local.operands.size());
    for (int id = 0; id < n; ++id)
      if (!place(id)) {
        waiting_.push_back(id);
        effect_waits_ = effect_waits_ || acts(id);
      }
    l_.local.nodes = static_cast<growable<node>&&>(nodes_);
    l_.local.operands = static_cast<growable<int>&&>(operands_);
    for (int& id : l_.local.inputs) id = now_[id];
    for (int& id : l_.local.outputs) id = now_[id];
    join_messages();
  }
  constexpr bool acts(int id) const {
    node const& n = l_.at(id);
    if (n.op->act) return true;
    for (int r = 0; r < n.region_count; ++r) {
      growable<node> const& inside = l_.regions[n.first_region + r].local.nodes;
      for (std::size_t i = 0; i < inside.size(); ++i)
        if (inside[i].op->act || inside[i].region_count > 0) return true;
    }
    return false;
  }
  // Effects keep their order.
  constexpr bool place(int id) {
    node const& n = l_.at(id);
    for (int k = 0; k < n.operand_count; ++k)
      if (now_[l_.local.operands[n.first_operand + k]] < 0) return false;
    if (effect_waits_ && acts(id)) return false;
    int const g = group_of_[id];
    if (g < 0 || groups_[g].joined == 1) {
      push(n, &id, 1, true);
      return true;
    }
    if (++arrived_[g] == groups_[g].joined) {
      growable<int> members;
      for (int m : candidates_)
        if (group_of_[l_.carriers[m]] == g) members.push_back(l_.carriers[m]);
      push_joined(members, groups_[g].at);
      place_waiting();
    }
    return true;
  }
  // Adds a copy of `made` with the operands of nodes `of`.
  constexpr void push(node made, int const* of, int count, bool own) {
    int const first = static_cast<int>(operands_.size());
    int total = 0;
    for (int i = 0; i < count; ++i) {
      node const& n = l_.at(of[i]);
      for (int k = 0; k < n.operand_count; ++k) operands_.push_back(now_[l_.local.operands[n.first_operand + k]]);
      total += n.operand_count;
    }
    made.first_operand = first;
    made.operand_count = total;
    if (own) now_[of[0]] = static_cast<int>(nodes_.size());
    nodes_.push_back(made);
  }
  constexpr void push_joined(growable<int> const& members, site at) {
    int const joined = static_cast<int>(nodes_.size());
    node all = l_.at(members[0]);
    all.at = at;
    push(all, members.data(), static_cast<int>(members.size()), true);
    for (std::size_t k = 1; k < members.size(); ++k) {
      node part = l_.at(members[k]);
      part.op = &planning_info<ops::opaque_part>;
      part.attrs = result_params{static_cast<std::int64_t>(k)};
      part.first_operand = static_cast<int>(operands_.size());
      part.operand_count = 1;
      operands_.push_back(joined);
      now_[members[k]] = static_cast<int>(nodes_.size());
      nodes_.push_back(part);
    }
  }
  constexpr void place_waiting() {
    if (placing_) {
      again_ = true;
      return;
    }
    placing_ = true;
    do {
      again_ = false;
      growable<int> const rest = static_cast<growable<int>&&>(waiting_);
      effect_waits_ = false;
      for (int id : rest)
        if (!place(id)) {
          waiting_.push_back(id);
          effect_waits_ = effect_waits_ || acts(id);
        }
    } while (again_);
    placing_ = false;
  }

  constexpr void join_messages() {
    growable<message> all;
    growable<int> carriers;
    for (std::size_t m = 0; m < l_.messages.size(); ++m) {
      int const g = group_of_[l_.carriers[m]];
      message sent = l_.messages[m];
      if (g >= 0 && first_[g] != static_cast<int>(m)) continue;
      if (g >= 0) {
        sent = groups_[g];
        sent.bytes = bytes_sent(sent.kind, sent.block, sent.devices(l_.mesh()));
      }
      all.push_back(sent);
      carriers.push_back(now_[l_.carriers[m]]);
    }
    l_.messages = static_cast<growable<message>&&>(all);
    l_.carriers = static_cast<growable<int>&&>(carriers);
  }

  lowering& l_;
  growable<int> candidates_;  // messages
  growable<message> groups_;  // the first message of each, with the bytes and the number of all
  growable<int> first_;       // by group: the position of its first message
  growable<int> arrived_;     // by group: the number of messages whose operand is computed
  growable<int> group_of_;    // by node: the group of its message, if that may be joined
  bool placing_ = false, again_ = false, effect_waits_ = false;
  growable<int> now_, waiting_;  // by old node: its new position; nodes that wait for a message
  growable<node> nodes_;
  growable<int> operands_;
};

// For a program and its regions.
constexpr void find_kin(lowering& l) {
  message_joiner const found(l);
  for (lowering& part : l.regions) find_kin(part);
}
constexpr void join_messages(lowering& l, std::int64_t most_bytes) {
  message_joiner(l).join(most_bytes);
  for (lowering& part : l.regions) join_messages(part, most_bytes);
}

}  // namespace tessera::detail
