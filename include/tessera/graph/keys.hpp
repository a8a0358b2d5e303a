// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks in the recorded graph that a key of random numbers is read once. Parts of a batch of keys are separate keys,
// and so are results of fold_in and clone. Reads in different branches do not conflict; a read in a loop happens in
// each iteration.
// Source: JAX 0.10.2 jax.experimental.key_reuse, which checks a program while it runs.

#include <tessera/graph/loop.hpp>
#include <tessera/graph/pairs.hpp>

namespace tessera::detail {

class keys_judged {
public:
  constexpr explicit keys_judged(builder& b) : b_(b), g_(b.recorded.view()) {
    for (int id = 0; id < g_.node_count; ++id)
      if (g_[id].op->key == key_role::consumed) reads_.push_back(origin(id));
    for (std::size_t i = 0; i < reads_.size() && ok(); ++i) {
      for (std::size_t k = 0; k < i && ok(); ++k)
        if (same_key(reads_[k], reads_[i]) && !(g_[reads_[k].node].attrs == g_[reads_[i].node].attrs) &&
            !exclude_each_other(reads_[k].node, reads_[i].node))
          refuse_at(reads_[i].node);
      if (ok() && repeated(reads_[i])) refuse_at(reads_[i].node);
    }
  }

private:
  // A read of keys first .. last - 1, in each dimension, of the batch that node `base` returns; of all keys if not `part`.
  struct reading {
    int node = -1, base = -1;
    bool part = false;
    extents_list first{}, last{};
  };

  constexpr bool ok() const { return b_.refused.what.why == reason::none; }
  constexpr void refuse_at(int id) {
    b_.here = g_[id].at;
    b_.refuse(refuse(reason::key_used_twice), *g_[id].op, g_[id].facts);
  }
  static constexpr bool keeps_value(node const& n) {
    switch (n.op->kind) {
      case op_class::identity: return n.op->key != key_role::cloned;
      case op_class::reshape:
      case op_class::reshard:
      case op_class::mesh_cast:
      case op_class::enter: return true;
      default: return false;
    }
  }
  constexpr reading origin(int id) const {
    reading r{id, id};
    while (g_[r.base].operand_count > 0 && keeps_value(g_[r.base])) r.base = g_.operand(r.base, 0);
    if (g_[r.base].op->kind != op_class::slice || g_[r.base].facts.rank < 2) return r;
    auto const& part = g_[r.base].attrs.as<slice_params>();
    r.part = true;
    r.first = part.start;
    r.last = part.limit;
    r.base = g_.operand(r.base, 0);
    while (g_[r.base].operand_count > 0 && keeps_value(g_[r.base]) && g_[r.base].op->kind != op_class::reshape)
      r.base = g_.operand(r.base, 0);
    return r;
  }
  constexpr bool same_key(reading const& x, reading const& y) const {
    int left = 2000;
    if (!same_value(x.base, y.base, left)) return false;
    for (int d = 0; x.part && y.part && d < x.first.size(); ++d)
      if (x.first[d] >= y.last[d] || y.first[d] >= x.last[d]) return false;
    return true;
  }
  // Whether two nodes are the same operations on the same values; each use of a constant is a separate node. `left`:
  // how many nodes are compared before the answer is no.
  constexpr bool same_value(int one, int other, int& left) const {
    if (one == other) return true;
    node const &x = g_[one], &y = g_[other];
    bool const leaf = x.op->kind == op_class::argument || x.op->kind == op_class::loop_result || x.region_count;
    if (--left < 0 || leaf || x.op != y.op || x.op->key == key_role::cloned || x.operand_count != y.operand_count ||
        !(x.attrs == y.attrs))
      return false;
    for (int k = 0; k < x.operand_count; ++k)
      if (!same_value(g_.operand(one, k), g_.operand(other, k), left)) return false;
    return true;
  }
  static constexpr bool inside(graph_region const& r, int id) {
    return id >= r.first_node && id < r.first_node + r.node_count;
  }
  // Whether the nodes are in different branches of one node, of which only one runs.
  constexpr bool exclude_each_other(int one, int other) const {
    for (int id = 0; id < g_.node_count; ++id) {
      if (g_[id].region_count < 2 || loop_of(g_, id).kind != loop_kind::branch) continue;
      int of[2]{-1, -1};
      for (int r = 0; r < g_[id].region_count; ++r) {
        if (inside(g_.part(id, r), one)) of[0] = r;
        if (inside(g_.part(id, r), other)) of[1] = r;
      }
      if (of[0] >= 0 && of[1] >= 0 && of[0] != of[1]) return true;
    }
    return false;
  }
  // Whether the key is read in each iteration of a loop that reads it from outside, or that carries it unchanged.
  constexpr bool repeated(reading const& x) const {
    for (int id = x.node + 1; id < g_.node_count; ++id) {
      if (g_[id].region_count == 0 || loop_of(g_, id).kind == loop_kind::branch) continue;
      for (int r = 0; r < g_[id].region_count; ++r) {
        graph_region const& part = g_.part(id, r);
        if (!inside(part, x.node)) continue;
        if (!inside(part, x.base)) return true;
        for (int k = 0; k < loop_of(g_, id).carried && r == loop_of(g_, id).body(); ++k)
          if (g_.input(part, k) == x.base && origin(g_.output(part, k)).base == x.base) return true;
      }
    }
    return false;
  }

  builder& b_;
  graph_view g_;
  growable<reading> reads_;
};

// Refuses a program that draws from one key twice.
constexpr void judge_keys(builder& b) {
  bool any = false;
  for (int id = 0; id < b.size(); ++id) any = any || b.at(id).op->key == key_role::consumed;
  if (any && b.refused.what.why == reason::none) keys_judged const judged(b);
}

}  // namespace tessera::detail
