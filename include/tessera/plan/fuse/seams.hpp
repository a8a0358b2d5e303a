// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the operands of a concatenation meet.

#include <tessera/graph/graph.hpp>

namespace tessera::detail {

struct seams {
  static constexpr int most_operands = 4;

  int dim = 0;
  inplace_list<std::int64_t, most_operands - 1> at{};  // where the second operand begins, the third ...

  constexpr seams(graph_view const& g, int concatenation)
      : dim(static_cast<int>(g[concatenation].attrs.as<concatenate_params>().dim)) {
    std::int64_t place = 0;
    for (int k = 0; k + 1 < g[concatenation].operand_count; ++k)
      at.push_back(place += g[g.operand(concatenation, k)].facts.extent(dim));
  }

  // The operand that has the elements from `place` on, which becomes their place in it.
  constexpr int operand_at(std::int64_t& place) const {
    int k = 0;
    while (k < at.size() && at[k] <= place) ++k;
    if (k > 0) place -= at[k - 1];
    return k;
  }
};

}  // namespace tessera::detail
