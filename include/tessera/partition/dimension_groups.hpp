// SPDX-License-Identifier: Apache-2.0
#pragma once
// Groups of dimensions that are split alike through any number of operations: batch, width, hidden units ... One axis
// cannot split two dimensions of a value that belong to different groups; partition/choice.hpp decides which goes
// first.

#include <tessera/partition/links.hpp>

namespace tessera::detail {

class dimension_groups {
public:
  // Sets the group of every link.
  constexpr dimension_groups(graph_view const& g, links& tied) {
    first_.reserve(g.node_count);
    int dims = 0;
    for (int id = 0; id < g.node_count; ++id) {
      first_.push_back(dims);
      dims += g[id].facts.rank;
    }
    parent_.reserve(dims);
    for (int d = 0; d < dims; ++d) parent_.push_back(d);
    for (link const& l : tied.all)
      for (int i = 1; i < l.count; ++i) join(place(tied.places[l.first]), place(tied.places[l.first + i]));
    for (link& l : tied.all) l.group = root(place(tied.places[l.first]));
  }
  // The number of a dimension's group.
  constexpr int of(int value, int dim) { return root(first_[value] + dim); }

private:
  constexpr int place(link_place const& p) const { return first_[p.value] + p.dim; }
  constexpr int root(int d) {
    while (parent_[d] != d) {
      parent_[d] = parent_[parent_[d]];
      d = parent_[d];
    }
    return d;
  }
  constexpr void join(int a, int b) {
    a = root(a);
    b = root(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }

  growable<int> first_, parent_;
};

}  // namespace tessera::detail
