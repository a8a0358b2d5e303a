// SPDX-License-Identifier: Apache-2.0
#pragma once
// Factors: the dimensions over which an operation iterates, and the dimension of each operand and of the result that
// corresponds to each. A factor may pass through, may be summed by the operation's monoid, or must be whole on each
// device. The layouts of operands and results follow from it: lowering and the planner use nothing else of an
// operation.
// Source: Shardy's sharding rules (openxla/shardy), GSPMD (Xu et al., 2021).

#include <tessera/rule/spec.hpp>

namespace tessera {

enum class factor_kind : std::uint8_t { passed, summed, whole };

// The factors of one dimension, major first: several if a reshape splits it.
struct dim_factors {
  static constexpr int most = 8;
  std::uint64_t code = 0;  // eight bits each; 0 ends the list

  constexpr bool empty() const { return code == 0; }
  constexpr int operator[](int k) const { return k < most ? static_cast<int>((code >> (8 * k)) & 255u) - 1 : -1; }
};

// The factors of an operation. Tensors are its operands in order, then its result.
class factor_map {
public:
  static constexpr int most = 32, most_tensors = 17;

  int count = 0;
  int tensors = 0;
  factor_kind kind[most]{};
  std::int64_t extent[most]{};
  int ranks[most_tensors]{};  // of each tensor

  constexpr factor_map(rule_input const& in, array_value const& made) : tensors(in.count + 1) {
    if (tensors > most_tensors) detail::list_is_full(most_tensors);
    for (int k = 0; k < in.count; ++k) ranks[k] = in[k].rank;
    ranks[in.count] = made.rank;
  }

  constexpr int result() const { return tensors - 1; }
  constexpr dim_factors of(int tensor, int d) const { return {codes_[tensor * max_rank + d]}; }
  // The first factor of a dimension; -1: none.
  constexpr int first(int tensor, int d) const { return static_cast<int>(codes_[tensor * max_rank + d] & 255u) - 1; }

  constexpr int add(factor_kind how, std::int64_t size) {
    if (count == most) detail::list_is_full(most);
    kind[count] = how;
    extent[count] = size;
    return count++;
  }
  // Adds factor f as the next, more minor, factor of dimension d.
  constexpr void put(int tensor, int d, int f) {
    std::uint64_t& code = codes_[tensor * max_rank + d];
    int at = 0;
    while ((code >> at) != 0) at += 8;
    if (at < 64) code |= static_cast<std::uint64_t>(f + 1) << at;
  }

private:
  std::uint64_t codes_[most_tensors * max_rank]{};
};

// How the factors of an operation are split: by the layout of one of its tensors, or by an agreement of several.
class factor_layout {
public:
  entry_value by[factor_map::most]{};

  constexpr factor_layout(factor_map const& map, mesh_value const& mesh) : map_(map), mesh_(mesh) {}

  // The entry of a dimension, from its factors. It ends after a factor that is not split completely, since further axes
  // would not give contiguous blocks.
  constexpr entry_value joined(int tensor, int d) const {
    dim_factors const factors = map_.of(tensor, d);
    if (factors.empty()) return {};
    entry_value all = by[factors[0]];
    for (int k = 0; factors[k + 1] >= 0; ++k) {
      if (mesh_.devices(by[factors[k]].axes()) != map_.extent[factors[k]]) break;
      entry_value const more = by[factors[k + 1]];
      for (int a = 0; more.axis(a) >= 0; ++a) all.append(more.axis(a));
    }
    return all;
  }
  // Splits the factors by the entries of a tensor: each factor takes axes while they divide the rest of its extent, and
  // the next factor takes axes only after one that is split completely. Whole factors take none.
  constexpr void take(int tensor, by_dim<entry_value> const& entries, int rank) {
    for (int d = 0; d < rank; ++d) {
      dim_factors const factors = map_.of(tensor, d);
      if (factors.empty()) continue;
      if (factors[1] < 0)
        put(factors[0], entries.items[d]);
      else
        share(factors, entries.items[d]);
    }
  }

private:
  constexpr void put(int f, entry_value entry) {
    if (map_.kind[f] != factor_kind::whole) by[f] = entry;
  }
  constexpr void share(dim_factors factors, entry_value entry) {
    int next = 0;
    for (int k = 0; factors[k] >= 0; ++k) {
      entry_value own;
      auto left = map_.extent[factors[k]];
      while (left > 1 && entry.axis(next) >= 0) {
        auto const parts = mesh_.size(entry.axis(next));
        if (parts == dynamic || left % parts != 0) break;
        left /= parts;
        own.append(entry.axis(next++));
      }
      put(factors[k], own);
      if (left != 1) return;
    }
  }

  factor_map const& map_;
  mesh_value const& mesh_;
};

// One function per class of operations. `in.operands` and the result are global values; extents may be unknown.
}  // namespace tessera
