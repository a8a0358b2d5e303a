// SPDX-License-Identifier: Apache-2.0
#pragma once
// Windows along split dimensions. Each device gets the halo, the elements of its neighbors that its windows reach, and
// computes on its own block. Sums for elements of neighbors are sent back to them.

#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/window/window_dims.hpp>
#include <tessera/plan/lower/lower_index.hpp>

namespace tessera::detail {

// x of the device `places` before this one along the axes, modulo the number of devices.
constexpr int from_before(lowering& l, int x, entry_value by, std::int64_t places) {
  if (by.empty() || places % l.mesh().devices(by.axes()) == 0) return x;
  exchange_params round;
  round.further = places;
  for (int k = 0; k < by.count(); ++k) {
    round.from.push_back(by.axis(k));
    round.to.push_back(by.axis(k));
  }
  round.groups.push_back(by.count());
  return l.permuted(x, round);
}

// The halo of one dimension, split by `by`.
class halo_exchange {
public:
  constexpr halo_exchange(lowering& l, int dim, entry_value by, ops::window_halo const& halo)
      : l_(l), dim_(dim), by_(by), halo_(halo), devices_(l.mesh().devices(by.axes())) {}

  // Extends a block of x by the elements that its windows read, with `fill` beyond both ends. Sends the elements of the
  // halo.
  constexpr int surrounded(int x, double fill) {
    static_assert(op_register<ops::concatenate>::done);
    literal_params const outside = literal_of(number_value_of(fill), l_.facts(x).element);
    int ids[builder::max_operands]{}, count = 0;
    for (int hop = hops(halo_.low); hop >= 1; --hop) {
      auto const n = halo_.from(halo_.low, halo_.block, hop);
      ids[count++] = received(cut(l_, x, dim_, halo_.block - n, n), hop, outside);
    }
    auto const skipped = halo_.low < 0 ? -halo_.low : 0, end = halo_.block + (halo_.high < 0 ? halo_.high : 0);
    ids[count++] = cut(l_, x, dim_, skipped, end - skipped);
    for (int hop = 1; hop <= hops(halo_.high); ++hop)
      ids[count++] = received(cut(l_, x, dim_, 0, halo_.from(halo_.high, halo_.block, hop)), -hop, outside);
    if (count == 1) return ids[0];
    array_value facts = l_.facts(x);
    facts.extent(dim_) = halo_.reach();
    return l_.emit_step(planning_info<ops::concatenate>, ids, count, concatenate_params{dim_}, facts);
  }
  // Turns sums for the elements that the windows read into sums for the block, including those of the neighbors. Sends
  // as many bytes.
  constexpr int folded(int x) {
    literal_params const none = identity_literal(monoid::sum, l_.facts(x).element);
    auto const before = halo_.low > 0 ? halo_.low : 0, skipped = before - halo_.low;
    auto const end = halo_.block + (halo_.high < 0 ? halo_.high : 0);
    int all = placed_at(cut(l_, x, dim_, before, end - skipped), skipped);
    for (int hop = 1; hop <= hops(halo_.low); ++hop) {
      auto const n = halo_.from(halo_.low, halo_.block, hop);
      int const part = cut(l_, x, dim_, before - (hop - 1) * halo_.block - n, n);
      all = sum(all, placed_at(received(part, -hop, none), halo_.block - n));
    }
    for (int hop = 1; hop <= hops(halo_.high); ++hop) {
      auto const n = halo_.from(halo_.high, halo_.block, hop);
      int const part = cut(l_, x, dim_, before - skipped + hop * halo_.block, n);
      all = sum(all, placed_at(received(part, hop, none), 0));
    }
    return all;
  }

private:
  constexpr int hops(std::int64_t elements) const {
    return elements <= 0 ? 0 : static_cast<int>((elements + halo_.block - 1) / halo_.block);
  }
  // x of the device `places` before this one (after it if negative); the constant `otherwise` if there is none.
  constexpr int received(int x, int places, literal_params const& otherwise) {
    static_assert(op_register<ops::less>::done && op_register<ops::where>::done);
    array_value const facts = l_.facts(x);
    int scalar = l_.scalar_of(x);
    if (scalar < 0 && !(facts.varying & by_.axes()).empty()) {
      if (!facts.varying.contains(by_.axes())) x = l_.copied(x, by_.axes());
      x = from_before(l_, x, by_, places < 0 ? devices_ + places : places);
    }
    array_value flag;
    flag.element = dtype::boolean;
    auto const border = literal_of(number_value_of(places < 0 ? devices_ + places : places), dtype::int32);
    int const compared[]{l_.position(by_), scalar_literal(l_, border)};
    int const first = l_.emit(planning_info<ops::less>, compared, 2, {}, flag), there = scalar < 0 ? x : scalar,
              edge = scalar_literal(l_, otherwise);
    int const chosen[]{first, places < 0 ? there : edge, places < 0 ? edge : there};
    return l_.emit(planning_info<ops::where>, chosen, 3, {}, facts);
  }
  // x at element `start` of a block of zeros.
  constexpr int placed_at(int x, std::int64_t start) {
    static_assert(op_register<ops::pad>::done);
    array_value facts = l_.facts(x);
    auto const own = facts.extent(dim_);
    if (own == halo_.block) return x;
    pad_params by;
    for (int d = 0; d < facts.rank; ++d) {
      by.low.push_back(d == dim_ ? start : 0);
      by.high.push_back(d == dim_ ? halo_.block - own - start : 0);
    }
    facts.extent(dim_) = halo_.block;
    int ids[]{x, scalar_literal(l_, identity_literal(monoid::sum, facts.element))};
    return l_.emit_step(planning_info<ops::pad>, ids, 2, by, facts);
  }
  constexpr int sum(int x, int y) {
    static_assert(op_register<ops::add>::done);
    int const both[]{x, y};
    return l_.emit(planning_info<ops::add>, both, 2, {}, l_.facts(x));
  }

  lowering& l_;
  int dim_;
  entry_value by_;
  ops::window_halo halo_;
  std::int64_t devices_;
};

class window_lowerer : public index_lowerer {
public:
  using index_lowerer::index_lowerer;

protected:
  // Whether a halo can be used, along some dimension that operand and result split alike; `made` is then the result.
  constexpr bool has_halo(int id, int& made) {
    node const& n = g_.nodes[id];
    bool const cuts = n.op->cuts_windows;
    if (!cuts && !n.op->adds_windows) return false;
    ops::window_dims w = n.attrs.as<ops::window_dims>();
    ops::split_dims const dims(w, cuts ? facts(id, 0).rank : n.facts.rank);
    int const *const from = cuts ? dims.source : dims.places, *const to = cuts ? dims.places : dims.source;
    block_layout const own = layout(facts(id, 0)), wanted = layout(n.facts);
    parts_of_node split = parts(id);
    bool const two = n.operand_count == 2;  // the second is the array that windows lie over
    block_layout there = split.of(0), under = split.of(two);
    ops::window_halo halo[3]{};
    bool any = false;
    for (int i = 0; i < w.rank; ++i) {
      if (!(own.entry(from[i]) == wanted.entry(to[i]))) continue;
      halo[i] = ops::halo_of(w, i, own.entry(from[i]), l_.mesh());
      if (!halo[i].possible) continue;
      any = true;
      there.entry(from[i]) = split.made.entry(to[i]) = own.entry(from[i]);
      if (two) under.entry(dims.source[i]) = own.entry(from[i]);
      w.at[ops::window_dims::extent][i] = halo[i].reach();
      w.at[ops::window_dims::low][i] = w.at[ops::window_dims::high][i] = 0;
    }
    if (!any) return false;
    bool const in_parts = !cuts && parts_go_on(id) && own == there;
    int x[]{in_parts ? parts_of(id) : bring_full(id, 0, there, monoid::sum),
            two ? bring_full(id, 1, under, monoid::sum) : -1};
    for (int i = 0; i < w.rank; ++i) {
      if (!halo[i].possible) continue;
      int const dim = dims.source[i];
      if (cuts) x[0] = halo_exchange(l_, dim, there.entry(dim), halo[i]).surrounded(x[0], two ? 0 : w.fill);
      if (two) x[1] = halo_exchange(l_, dim, under.entry(dim), halo[i]).surrounded(x[1], w.fill);
    }
    array_value result = block(n.facts, split.made);
    for (int i = 0; i < w.rank && !cuts; ++i)
      if (halo[i].possible) result.extent(to[i]) = halo[i].reach();
    attributes attrs = w;
    made = l_.emit_step(*n.op, x, n.operand_count, attrs, result);
    for (int i = w.rank - 1; i >= 0 && !cuts; --i)
      if (halo[i].possible) made = halo_exchange(l_, to[i], there.entry(from[i]), halo[i]).folded(made);
    made = in_parts ? sum_of_parts(id, made, split.made) : finish(id, made, split.made);
    return true;
  }
};

}  // namespace tessera::detail
