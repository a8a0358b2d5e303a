// SPDX-License-Identifier: Apache-2.0
#pragma once
// The arguments of x.at(...) as plain data, and the origin of each dimension of the result.

#include <tessera/op/index/gather.hpp>
#include <tessera/op/index/index_entries.hpp>
#include <tessera/op/index/slice.hpp>

namespace tessera {

namespace detail {

// Entries assigned to x's dimensions. `order` has x's dimensions that are kept, new ones, and the position of the
// arrays' dimensions.
struct index_plan {
  static constexpr int fresh = -1, arrays = -2;
  verdict what{};
  by_dim<int> operand{};  // by dimension of x: the operand that indexes it, 0 none
  extents_list start{}, limit{}, step{};
  axis_set flipped{}, cut{};
  inplace_list<int, 3 * max_rank> order{};
};

// A span of n elements, walked upwards: numpy's start:stop:step, of the flipped dimension when the step is negative.
constexpr void add_span(index_plan& p, int d, std::int64_t n, std::int64_t start, std::int64_t stop,
                        std::int64_t step) {
  bool const down = step < 0;
  if (n == dynamic) {
    // Counted from the end, the places of a span downwards are as unknown as the extent.
    p.start.push_back(down || start == to_end ? 0 : start);
    p.limit.push_back(down ? to_end : stop);
    p.step.push_back(down ? -step : step);
    if (down) p.flipped |= axis_set::of(d);
    if (p.start[d] != 0 || stop != to_end || step != 1) p.cut |= axis_set::of(d);
    return;
  }
  auto const bound = [n, down](std::int64_t i) {
    if (i < 0) i += n;
    std::int64_t const low = down ? -1 : 0, high = down ? n - 1 : n;
    return i < low ? low : i > high ? high : i;
  };
  std::int64_t from = start == to_end ? (down ? n - 1 : 0) : bound(start);
  std::int64_t to = stop == to_end ? (down ? -1 : n) : bound(stop);
  if (down) {
    from = n - 1 - from;
    to = n - 1 - to;
    step = -step;
    p.flipped |= axis_set::of(d);
  }
  if (to < from) to = from;
  p.start.push_back(from);
  p.limit.push_back(to);
  p.step.push_back(step);
  if (from != 0 || to != n || step != 1) p.cut |= axis_set::of(d);
}

constexpr index_plan read_index(array_value const& x, index_params const& a, bool any_array) {
  index_plan p;
  auto const is = [&a](int e, index_entry what) { return a.what[e] == static_cast<std::int64_t>(what); };
  int taken = 0, first = -1, last = -1, count = 0;
  for (int e = 0; e < a.what.size(); ++e) {
    taken += !is(e, index_entry::newaxis) && !is(e, index_entry::ellipsis);
    if (!is(e, index_entry::operand)) continue;
    if (first < 0) first = e;
    last = e;
    ++count;
  }
  if (taken > x.rank) {
    p.what = refuse(reason::ranks_disagree, -1, {}, x.rank, taken);
    return p;
  }
  bool const together = last - first + 1 == count;
  if (any_array && !together) p.order.push_back(index_plan::arrays);
  int d = 0, operand = 0;
  auto const whole = [&] {
    p.order.push_back(d);
    add_span(p, d, x.extent(d), 0, to_end, 1);
    ++d;
  };
  bool filled = false;
  for (int e = 0; e < a.what.size(); ++e) {
    if (is(e, index_entry::newaxis)) {
      p.order.push_back(index_plan::fresh);
    } else if (is(e, index_entry::ellipsis)) {
      for (int k = 0; k < x.rank - taken && !filled; ++k) whole();
      filled = true;
    } else if (is(e, index_entry::operand)) {
      p.operand[d] = ++operand;
      if (any_array && together && operand == 1) p.order.push_back(index_plan::arrays);
      add_span(p, d, x.extent(d), 0, to_end, 1);
      ++d;
    } else {
      p.order.push_back(d);
      add_span(p, d, x.extent(d), a.start[e], a.stop[e], a.step[e]);
      ++d;
    }
  }
  while (d < x.rank) whole();
  return p;
}

// The gather's parameters for windows `sizes` in this order; new dimensions are left out.
constexpr indexing_params windows_in_order(index_plan const& p, array_value const& x, extents_list const& sizes,
                                           int index_rank) {
  indexing_params to;
  to.window = sizes;
  for (int d = 0; d < x.rank; ++d) to.runs_along.push_back(rule::collapsed);
  int r = 0;
  for (int item : p.order) {
    if (item >= 0) to.runs_along[item] = r;
    r += item == index_plan::fresh ? 0 : item == index_plan::arrays ? index_rank : 1;
  }
  return to;
}
// `picked`, whose dimensions are in order, with the new ones.
constexpr array_value with_fresh(index_plan const& p, array_value const& picked, int index_rank) {
  array_value out = picked;
  out.rank = 0;
  out.spec = {};
  int r = 0;
  for (int item : p.order) {
    if (item == index_plan::fresh) {
      out.add_dim(1);
      continue;
    }
    for (int k = item == index_plan::arrays ? index_rank : 1; k > 0; --k, ++r)
      out.add_dim(picked.extent(r), picked.entry(r));
  }
  return out;
}

// Index operands brought to one shape; scalars stay. Their rank, or -1 when refused in the name of Op.
template <class Op, class B>
constexpr int join_indices(B& b, array_value const& x, term* index, int count) {
  array_value facts[builder::max_operands]{};
  array_value const* arrays[builder::max_operands]{};
  int n = 0;
  bool alike = true;
  for (int k = 0; k < count; ++k) {
    facts[k] = index[k].facts();
    if (facts[k].rank == 0) continue;
    alike = alike && (n == 0 || facts[k].same_shape(*arrays[0]));
    arrays[n++] = &facts[k];
  }
  if (n == 0) return 0;
  if (alike) return arrays[0]->rank;
  verdict const joint = rule::broadcast({b.mesh(), arrays, n, {}});
  if (!joint) {
    b.template refuse<Op>(joint, x, *arrays[1]);
    return -1;
  }
  attributes const to{broadcast_params{{}, joint.result.shape()}, layout_of(joint.result)};
  for (int k = 0; k < count; ++k)
    if (facts[k].rank != 0 && !facts[k].same_shape(joint.result)) {
      index[k] = make<ops::broadcast_to>(b, {index[k]}, to);
      if (!index[k]) return -1;
    }
  return joint.result.rank;
}

}  // namespace detail

}  // namespace tessera
