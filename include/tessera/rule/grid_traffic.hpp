// SPDX-License-Identifier: Apache-2.0
#pragma once
// How often a kernel fetches the blocks of an operand, or writes those of a result. Instances that differ in a parallel
// program id each fetch for themselves; over the sequential dimensions a block is fetched when its number changes.
// Source: JAX 0.10.2 pallas/mosaic/pipeline.py, which runs the whole grid in order.

#include <tessera/rule/grid.hpp>

namespace tessera {

struct block_traffic {
  std::int64_t count = 0;  // blocks that are fetched or written
  bool bound = false;      // at most as many: a table decides, or there are too many turns to try them
};

namespace detail {

class traffic_counter {
public:
  constexpr traffic_counter(grid_value const& g, block_value const& b) : g_(g), b_(b) {}

  constexpr block_traffic count() const {
    block_traffic made = in_order();
    made.count *= g_.instances(0, g_.parallel);
    return made;
  }

private:
  using part = grid_index::part;
  struct change {
    bool any = false, by_table = false;
  };
  constexpr block_traffic in_order() const {
    std::int64_t const turns = g_.instances(g_.parallel, g_.rank);
    bool plain = true;
    for (int d = 0; d < b_.rank; ++d) {
      grid_index const& x = b_.at[d];
      plain = plain && is_plain(x.parts.begin(), x.parts.end()) && is_plain(x.read.parts.begin(), x.read.parts.end());
    }
    block_traffic made{1, false};
    if (plain) {
      for (int level = g_.parallel; level < g_.rank; ++level)
        if (g_.extent[level] > 1)
          add(made, at_turn(g_.instances(level + 1, g_.rank)),
              g_.instances(g_.parallel, level) * (g_.extent[level] - 1));
    } else if (turns <= most_tried) {
      for (std::int64_t turn = 1; turn < turns; ++turn) add(made, at_turn(turn), 1);
    } else {
      made = {turns, true};
    }
    return made;
  }
  static constexpr void add(block_traffic& to, change const& found, std::int64_t times) {
    if (!found.any) return;
    to.count += times;
    to.bound = to.bound || found.by_table;
  }
  // Whether ids are only multiplied. Then a number changes by the same each time that one of the dimensions goes on and
  // those behind it begin again.
  constexpr bool is_plain(part const* p, part const* end) const {
    for (; p != end; ++p)
      if (p->dim >= g_.parallel && g_.extent[p->dim] > 1 && (p->divided != 1 || p->modulo != 0)) return false;
    return true;
  }
  // From the turn before.
  constexpr change at_turn(std::int64_t turn) const {
    program_ids before{}, now{};
    g_.ids_at(turn - 1, g_.parallel, g_.rank, before);
    g_.ids_at(turn, g_.parallel, g_.rank, now);
    change found;
    for (int d = 0; d < b_.rank; ++d) {
      grid_index const& x = b_.at[d];
      bool const by_table = x.reads() && x.element_at(before) != x.element_at(now);
      grid_index own = x;
      own.read = {};
      found.any = found.any || by_table || own.at(before) != own.at(now);
      found.by_table = found.by_table || by_table;
    }
    return found;
  }

  grid_value const& g_;
  block_value const& b_;
};

// For the blocks of one array.
constexpr block_traffic traffic_of(grid_value const& g, block_value const& b) { return traffic_counter(g, b).count(); }
// The elements of a block, with those behind the end of its array.
constexpr std::int64_t elements_of(block_value const& b) {
  std::int64_t all = 1;
  for (int d = 0; d < b.rank; ++d) all *= b.extent[d];
  return all;
}

}  // namespace detail
}  // namespace tessera
