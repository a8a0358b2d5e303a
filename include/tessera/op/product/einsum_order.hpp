// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which operands of an einsum are multiplied first: the order with the fewest multiplications.

#include <tessera/op/product/einsum_letters.hpp>
#include <tessera/op/reduce/reduce.hpp>

namespace tessera {
namespace ops {

// The order in which operands are multiplied. A set of operands is a bit mask, and so is a set of letters.
class einsum_order {
public:
  // extents: of the letters, by index_of. Unknown sizes count as 32.
  constexpr einsum_order(einsum_letters const& e, std::int64_t const* extents) : e_(e) {
    for (int i = 0; i < e.kinds; ++i) extent_[i] = extents[i] == dynamic ? 32.0 : static_cast<double>(extents[i]);
    unsigned const all = (1u << e.operands) - 1;
    for (unsigned set = 1; set <= all; ++set) {
      if ((set & (set - 1)) == 0) continue;
      unsigned top = set;  // one half of each division of the set has the last operand
      while (top & (top - 1)) top &= top - 1;
      for (unsigned rest = 0; rest != (set & ~top); rest = (rest - set + top) & (set & ~top)) split(set, top | rest);
    }
  }
  // One half of `set`, which is multiplied with the other half.
  constexpr unsigned half(unsigned set) const { return first_[set]; }
  // The letters of the product of `set` that others, or the result, still need.
  constexpr std::uint64_t kept(unsigned set) const {
    std::uint64_t inside = 0, outside = letters(e_.result.view());
    for (int k = 0; k < e_.operands; ++k) (((set >> k) & 1u) ? inside : outside) |= letters(e_.operand[k].view());
    return inside & outside;
  }

private:
  static constexpr std::uint64_t letters(std::string_view text) {
    std::uint64_t set = 0;
    for (char c : text) set |= std::uint64_t{1} << einsum_letters::index_of(c);
    return set;
  }
  constexpr void split(unsigned set, unsigned left) {
    double products = 1;
    std::uint64_t const both = kept(left) | kept(set & ~left);
    for (int i = 0; i < einsum_letters::kinds; ++i)
      if ((both >> i) & 1u) products *= extent_[i];
    products += cost_[left] + cost_[set & ~left];
    if (first_[set] && products >= cost_[set]) return;
    cost_[set] = products;
    first_[set] = left;
  }

  einsum_letters const& e_;
  double extent_[einsum_letters::kinds]{};
  double cost_[1 << einsum_letters::most]{};
  unsigned first_[1 << einsum_letters::most]{};
};

}  // namespace ops
}  // namespace tessera
