// SPDX-License-Identifier: Apache-2.0
#pragma once
// Concatenations that are never assembled: x rolled by one is two slices of x, a block with its halo is three values. If
// only fused groups of the same shape read one, they read its operands, in a loop for each box between the seams.
// Each value is computed by the same instructions as if the concatenation were in memory.

#include <tessera/graph/graph.hpp>
#include <tessera/plan/fuse/fusion_node.hpp>
#include <tessera/plan/fuse/seams.hpp>

namespace tessera::detail {

class pieces_finder {
public:
  static constexpr int most_boxes = 27;       // a stencil in three dimensions
  static constexpr std::int64_t narrow = 16;  // columns: fewer are no run of lanes

  // least: how many elements a concatenation must have.
  constexpr pieces_finder(graph_view local, fusion_node* nodes, std::int64_t least)
      : g_(local), n_(nodes), least_(least) {}

  // Changes the role of such concatenations from alone to pieces. group_of(id): the name of a group.
  template <class GroupOf>
  constexpr void find(GroupOf const& group_of) {
    for (int id = 0; id < g_.node_count; ++id)
      if (is_candidate(id)) candidates_.push_back({id});
    if (candidates_.empty()) return;
    which_.resize(g_.node_count, -1);
    for (std::size_t c = 0; c < candidates_.size(); ++c) which_[candidates_[c].id] = static_cast<int>(c);
    has_rows_.resize(g_.node_count);
    for (int id = 0; id < g_.node_count; ++id)
      if (n_[id].is == role::fused && n_[id].row) has_rows_[group_of(id)] = true;
    for (int i = 0; i < g_.output_count; ++i) drop(g_.outputs[i]);
    for (int id = 0; id < g_.node_count; ++id)
      for (int k = 0; k < g_.nodes[id].operand_count; ++k) {
        int const x = g_.operand(id, k);
        if (which_[x] < 0) continue;
        if (reads_elements(id, x) && !has_rows_[group_of(id)])
          candidates_[which_[x]].groups.push_back(group_of(id));
        else
          drop(x);
      }
    for (candidate& c : candidates_)
      if (c.is_read && cuts(c)) n_[c.id].is = role::pieces;
  }

private:
  struct candidate {
    int id;
    bool is_read = true;  // by fused groups only
    growable<int> groups{};
  };
  // The loops of a group: where each dimension is cut.
  struct cut_group {
    int name = -1;
    by_dim<inplace_list<std::int64_t, most_boxes>> at{};

    constexpr void cut(int dim, std::int64_t place) {
      for (std::int64_t p : at[dim])
        if (p == place) return;
      if (at[dim].size() < most_boxes) at[dim].push_back(place);
    }
    constexpr std::int64_t boxes() const {
      std::int64_t all = 1;
      for (int d = 0; d < max_rank; ++d) all *= at[d].size() + 1;
      return all;
    }
  };

  constexpr bool is_candidate(int id) const {
    node const& n = g_.nodes[id];
    if (n.op->kind != op_class::concatenate || n_[id].is != role::alone || n.operand_count > seams::most_operands)
      return false;
    auto const size = n.facts.size();
    if (size == dynamic || size < least_) return false;
    int const dim = seams(g_, id).dim;
    if (dim == n.facts.rank - 1 && !has_long_runs(id)) return false;
    for (int k = 0; k < n.operand_count; ++k) {
      int x = g_.operand(id, k);
      if (g_.nodes[x].facts.extent(dim) == 0) return false;
      while (n_[x].is == role::view) x = g_.operand(x, 0);
      if (n_[x].is == role::constant || n_[x].is == role::absorbed) return false;
    }
    return true;
  }
  // Whether seven of eight elements of a row are in pieces that are not narrow.
  constexpr bool has_long_runs(int id) const {
    std::int64_t in_narrow = 0, all = 0;
    for (int k = 0; k < g_.nodes[id].operand_count; ++k) {
      array_value const& x = g_.nodes[g_.operand(id, k)].facts;
      all += x.extent(x.rank - 1);
      if (x.extent(x.rank - 1) < narrow) in_narrow += x.extent(x.rank - 1);
    }
    return 8 * in_narrow <= all;
  }
  // Whether node id, in a group, reads x element by element.
  constexpr bool reads_elements(int id, int x) const {
    if (n_[id].is != role::fused || n_[id].takes >= 0 || g_.nodes[id].op->kind != op_class::elementwise) return false;
    array_value const &own = g_.nodes[x].facts, &space = g_.nodes[n_[id].space].facts;
    return own.same_shape(space) && n_[n_[id].space].across.empty();
  }
  constexpr void drop(int id) {
    if (which_[id] >= 0) candidates_[which_[id]].is_read = false;
  }
  // Cuts the loops of its readers at its seams, unless these become too many.
  constexpr bool cuts(candidate const& c) {
    seams const meet(g_, c.id);
    growable<cut_group> cut;
    for (int name : c.groups) {
      cut_group loops = loops_of(name);
      for (std::int64_t place : meet.at) loops.cut(meet.dim, place);
      if (loops.boxes() > most_boxes) return false;
      cut.push_back(loops);
    }
    for (cut_group const& loops : cut) {
      bool known = false;
      for (cut_group& g : groups_)
        if (g.name == loops.name) g = loops, known = true;
      if (!known) groups_.push_back(loops);
    }
    return !cut.empty();
  }
  constexpr cut_group loops_of(int name) const {
    for (cut_group const& g : groups_)
      if (g.name == name) return g;
    return {name};
  }

  graph_view g_;
  fusion_node* n_;
  std::int64_t least_;
  growable<candidate> candidates_;
  growable<int> which_;  // by node: its candidate, or -1
  growable<bool> has_rows_;
  growable<cut_group> groups_;
};

}  // namespace tessera::detail
