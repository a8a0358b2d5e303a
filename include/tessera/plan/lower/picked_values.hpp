// SPDX-License-Identifier: Apache-2.0
#pragma once
// Of which values slices and gathers read elements, and how many: directly, or after changes of layout.

#include <tessera/graph/graph.hpp>

namespace tessera::detail {

constexpr bool reads_elements(op_class kind) { return kind == op_class::slice || kind == op_class::gather; }

class picked_values {
public:
  // Notes node id, which is computed, if it reads elements.
  constexpr void note(graph_view const& g, int id) {
    if (!reads_elements(g.nodes[id].op->kind)) return;
    auto const size = g.nodes[id].facts.size();
    for (int x = g.operand(id, 0);; x = g.operand(x, 0)) {
      add(x, size == dynamic ? unknown : size);
      if (g.nodes[x].op->kind != op_class::reshard) return;
    }
  }
  // How many elements of the value several of them read together; 0 if only one does.
  constexpr std::int64_t by_several(int id) const {
    for (picked const& p : all_)
      if (p.id == id) return p.times > 1 ? p.elements : 0;
    return 0;
  }

private:
  static constexpr std::int64_t unknown = std::int64_t{1} << 40;
  struct picked {
    int id = -1, times = 0;
    std::int64_t elements = 0;
  };
  constexpr void add(int id, std::int64_t elements) {
    for (picked& p : all_)
      if (p.id == id) {
        ++p.times;
        p.elements += elements;
        return;
      }
    all_.push_back({id, 1, elements});
  }
  growable<picked> all_;
};

}  // namespace tessera::detail
