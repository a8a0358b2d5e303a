// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values that are computed from element positions (random numbers, arange, masks) and are only sliced afterwards are
// computed in blocks: each device computes its own part, with the same bits as in the whole. Explicit layouts say where
// values are sliced; over Auto axes layouts spread, see partition/propagation.hpp. Moves 0 bytes.

#include <tessera/graph/node_factors.hpp>

namespace tessera {
namespace detail {

class block_maker {
public:
  constexpr explicit block_maker(growable_graph& g) : to_(g), g_(g.view()) {}

  // Whether a program may slice such values.
  static constexpr bool has_work(graph_view const& g) {
    bool places = false, cut = false;
    for (int id = 0; id < g.node_count; ++id) {
      places = places || (g[id].op->kind == op_class::iota && g[id].facts.rank > 0);
      cut = cut || g[id].op->kind == op_class::reshard;
    }
    return places && cut;
  }

  constexpr void run() {
    find_regions();
    find_placed();
    wanted_.resize(g_.node_count);
    state_.resize(g_.node_count, nobody);
    for (int i = 0; i < g_.output_count; ++i) keep(g_.outputs[i]);
    for (int i = 0; i < g_.region_value_count; ++i) keep(g_.region_values[i]);
    for (int id = g_.node_count - 1; id >= 0; --id) see(id);
  }

private:
  static constexpr int nobody = 0, somebody = 1, stays = 2;

  constexpr void find_regions() {
    for (int id = 0; id < g_.node_count; ++id) region_.push_back(innermost_region(g_, id));
  }
  // By value: whether it is computed from positions by operations that work on blocks as on the whole.
  constexpr void find_placed() {
    placed_.resize(g_.node_count, false);
    for (int id = 0; id < g_.node_count; ++id) {
      node const& n = g_[id];
      if (n.facts.rank == 0 || !(n.facts.unreduced | n.facts.varying).empty()) continue;
      switch (n.op->kind) {
        case op_class::iota: placed_[id] = true; break;
        case op_class::identity:
          if (n.attrs.has_out) break;
          [[fallthrough]];
        case op_class::elementwise:
        case op_class::reduce:
        case op_class::broadcast:
        case op_class::permute:
        case op_class::reshape:
          for (int k = 0; k < n.operand_count; ++k) placed_[id] = placed_[id] || placed_[g_.operand(id, k)];
          break;
        default: break;
      }
    }
  }
  constexpr void keep(int id) { state_[id] = stays; }
  // `reader` reads x in the layout `entries`.
  constexpr void want(int reader, int x, by_dim<entry_value> const& entries) {
    array_value const& facts = g_[x].facts;
    bool fits = region_[x] == region_[reader] && state_[x] != stays;
    for (int d = 0; d < facts.rank && fits; ++d)
      fits = begins_with(entries.items[d], facts.entry(d)) &&
             (state_[x] == nobody || wanted_[x].items[d].code == entries.items[d].code);
    if (!fits) return keep(x);
    state_[x] = somebody;
    wanted_[x] = entries;
  }
  static constexpr bool begins_with(entry_value whole, entry_value front) {
    for (int k = 0; front.axis(k) >= 0; ++k)
      if (whole.axis(k) != front.axis(k)) return false;
    return true;
  }

  constexpr void see(int id) {
    node const& n = g_[id];
    bool const cuts = n.op->kind == op_class::reshard;
    if (cuts && placed_[g_.operand(id, 0)] && n.facts.unreduced.empty() && n.facts.varying.empty())
      want(id, g_.operand(id, 0), n.facts.spec);
    else if (!placed_[id] || state_[id] != somebody || !lies_so(id))
      for (int k = 0; k < n.operand_count; ++k) keep(g_.operand(id, k));
  }
  // Gives the value the wanted layout, if its factors allow that, and wants matching layouts of its operands.
  constexpr bool lies_so(int id) {
    node const& n = g_[id];
    array_value const* operands[factor_map::most_tensors]{};
    for (int k = 0; k < n.operand_count; ++k) operands[k] = &g_[g_.operand(id, k)].facts;
    factor_map const map = factors_of(*n.op, {*g_.mesh, operands, n.operand_count, n.attrs}, n.facts);
    factor_layout split(map, *g_.mesh);
    split.take(map.result(), wanted_[id], n.facts.rank);
    for (int d = 0; d < n.facts.rank; ++d)
      if (split.joined(map.result(), d).code != wanted_[id].items[d].code) return false;
    to_.nodes[id].facts.spec = wanted_[id];
    for (int k = 0; k < n.operand_count; ++k) {
      int const x = g_.operand(id, k);
      if (!placed_[x]) continue;
      by_dim<entry_value> entries = g_[x].facts.spec;
      axis_set used;
      bool once = true;
      for (int d = 0; d < g_[x].facts.rank; ++d) {
        if (entry_value const more = split.joined(k, d); !more.empty()) entries.items[d] = more;
        once = once && (used & entries.items[d].axes()).empty();
        used |= entries.items[d].axes();
      }
      if (once)
        want(id, x, entries);
      else
        keep(x);
    }
    return true;
  }

  growable_graph& to_;
  graph_view g_;
  growable<int> region_;  // by value: the innermost region that contains it
  growable<bool> placed_;
  growable<int> state_;  // by value: whether a reader wants another layout, and all readers want the same one
  growable<by_dim<entry_value>> wanted_;
};

}  // namespace detail

// The program with these layouts, in which such values are computed in blocks.
constexpr growable_graph in_blocks(growable_graph laid) {
  if (detail::block_maker::has_work(laid.view())) detail::block_maker(laid).run();
  return laid;
}

}  // namespace tessera
