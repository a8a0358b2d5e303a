// SPDX-License-Identifier: Apache-2.0
#pragma once
// Elements of a split dimension that indices name are read or written by the devices that hold them, if that sends fewer
// bytes than the whole dimension on all devices. A read is zero on the other devices, and the results of all devices are
// added up; a write is dropped on them.

#include <tessera/graph/node_factors.hpp>
#include <tessera/op/index/gather.hpp>
#include <tessera/plan/lower/local_indices.hpp>
#include <tessera/plan/lower/lower_moved.hpp>
#include <tessera/plan/lower/parts_of_node.hpp>

#include <limits>

namespace tessera::detail {

// The split dimensions along which each device reads or writes what it holds.
struct held_dims {
  by_dim<entry_value> by{};
  entry_value all{};  // their axes

  constexpr void add(int d, entry_value entry) {
    by[d] = entry;
    for (int k = 0; k < entry.count(); ++k) all.append(entry.axis(k));
  }
  constexpr bool has(int d) const { return !by[d].empty(); }
};

class split_elements : public moved_values {
public:
  using moved_values::moved_values;

protected:
  constexpr parts_of_node parts(int id) const {
    node const& n = g_.nodes[id];
    array_value const* operands[builder::max_operands]{};
    for (int k = 0; k < n.operand_count; ++k) operands[k] = &facts(id, k);
    block_layout wanted = layout(n.facts);
    wanted.pending = n.operand_count > 0 ? layout(facts(id, 0)).pending : axis_set{};
    return {factors_of(*n.op, {l_.mesh(), operands, n.operand_count, n.attrs}, n.facts), l_.mesh(), wanted};
  }

  // Whether this change of layout is read by a gather or slice only, which may read elements where they are before.
  constexpr bool waits_for_index(int id) const {
    node const& n = g_.nodes[id];
    int const by = reader_of(id);
    if (by < 0 || by >= last_ || !owns(by) || is_unfinished(g_.operand(id, 0))) return false;
    return n.op->kind == op_class::reshard && reads_elements(g_.nodes[by].op->kind) && g_.operand(by, 0) == id &&
           may_stay(n.facts) && may_stay(facts(id, 0));
  }

  // The bytes that a gather or scatter sends if it is computed in these layouts. from: of operand 0.
  constexpr std::int64_t bytes_in(int id, parts_of_node const& split, block_layout const& from) {
    node const& n = g_.nodes[id];
    monoid const how = n.op->kind == op_class::scatter ? n.op->reduction : monoid::sum;
    bool const at_once = !split.made.pending.empty() && how != monoid::sum;
    block_layout const end = at_once ? layout(n.facts) : layout_in_end(id);
    std::int64_t all = bytes_of_change(l_.mesh(), n.facts, split.made, end, how);
    for (int k = 0; k < n.operand_count; ++k) {
      if (k == 0 && is_constant(g_.operand(id, 0))) continue;
      block_layout to = k == 0 ? from : split.of(k), at = k == 0 ? place_of(id) : layout(facts(id, k));
      to.pending = at.pending;
      all += bytes_of_change(l_.mesh(), facts(id, k), at, to);
    }
    return all;
  }

  // The node's value, computed in layout `made`. It waits there if it is only read in another layout than its own.
  constexpr int changed_later(int id, int result, block_layout const& made, monoid how = monoid::sum) {
    bool const at_once = !made.pending.empty() || layout_in_end(id) == layout(g_.nodes[id].facts);
    return at_once ? finish(id, result, made, how) : elsewhere(id, {result, made});
  }

  // Whether a gather or scatter is computed where the elements are; `made` is then the result. usual: the layouts in
  // which it is computed otherwise. Windows of several elements become a window for each, along one dimension if no
  // index is an array.
  constexpr bool at_elements(int id, parts_of_node const& usual, int& made) {
    node const& n = g_.nodes[id];
    bool const writes = n.op->kind == op_class::scatter;
    array_value const& x = facts(id, 0);
    if (writes ? !(x.unreduced | n.facts.unreduced).empty() : !reads_in_place(id)) return false;
    indexing_params const& asked = n.attrs.as<indexing_params>();
    block_layout const there = writes ? layout_in_end(id) : place_of(id);
    held_dims held;
    bool widest = false;  // one of them has windows of several elements
    for (int k = 1; k <= asked.indexed.size(); ++k) widest = widest || facts(id, k).rank != 0;
    for (auto at : asked.indexed) {
      auto const d = static_cast<int>(at);
      entry_value const by = there.entry(d);
      bool const wide = asked.window[d] != 1;
      if (by.empty() || x.extent(d) == dynamic || asked.window[d] == dynamic || l_.mesh().devices(by.axes()) == dynamic)
        continue;
      if (wide && (widest || asked.window[d] == x.extent(d))) continue;
      widest = widest || wide;
      held.add(d, by);
    }
    if (held.all.empty()) return false;
    parts_of_node split = parts(id);
    block_layout const from = held_by(held, split, writes);
    if (!sends_less(id, split, from, usual)) return false;
    made = computed_at_elements(id, split, from, held);
    return true;
  }

  // The same for a slice along split dimensions, of a result that is not split there, or has at most half of them.
  constexpr bool cut_at_elements(int id, parts_of_node const& usual, int& made) {
    node const& n = g_.nodes[id];
    array_value const& x = facts(id, 0);
    if (!reads_in_place(id)) return false;
    block_layout const there = place_of(id), wanted = layout(n.facts);
    held_dims held;
    for (int d = 0; d < x.rank; ++d) {
      entry_value const by = there.entry(d);
      bool const known = x.extent(d) != dynamic && n.facts.extent(d) != dynamic;
      bool const many = !wanted.entry(d).empty() && 2 * n.facts.extent(d) > x.extent(d);
      if (usual.passes(d) || !known || many || l_.mesh().devices(by.axes()) == dynamic) continue;
      held.add(d, by);
    }
    if (held.all.empty()) return false;
    parts_of_node split = parts(id);
    block_layout const from = held_by(held, split, false);
    if (!sends_less(id, split, from, usual)) return false;
    made = sum(id, {{rows(id, split, from, held), split.made}});
    return true;
  }

  // The same for an update_slice along split dimensions.
  constexpr bool replaced_at_elements(int id, parts_of_node const& usual, int& made) {
    node const& n = g_.nodes[id];
    array_value const &x = facts(id, 0), &slice = facts(id, 1);
    if (!(x.unreduced | n.facts.unreduced).empty()) return false;
    block_layout const there = layout_in_end(id);
    held_dims held;
    bool widest = false;
    for (int d = 0; d < x.rank; ++d) {
      entry_value const by = there.entry(d);
      bool const known = x.extent(d) != dynamic && slice.extent(d) != dynamic, wide = slice.extent(d) != 1;
      if (by.empty() || usual.passes(d) || !known || l_.mesh().devices(by.axes()) == dynamic) continue;
      if (wide && widest) return false;
      widest = widest || wide;
      held.add(d, by);
    }
    if (held.all.empty()) return false;
    parts_of_node split = parts(id);
    block_layout const from = held_by(held, split, true);
    if (!sends_less(id, split, from, usual)) return false;
    made = changed_later(id, replaced(id, split, from, held), split.made);
    return true;
  }

private:
  // The layout of operand 0 where these dimensions stay as they are held. The result is split by them if it is written, else
  // sums over them are pending.
  static constexpr block_layout held_by(held_dims const& held, parts_of_node& split, bool writes) {
    if (writes)
      split.free(held.all.axes());
    else
      split.leave_pending(held.all.axes());
    block_layout from = split.of(0);
    for (int d = 0; d < from.rank; ++d) {
      if (!held.has(d)) continue;
      from.entry(d) = held.by[d];
      if (writes) split.made.entry(d) = held.by[d];
    }
    return from;
  }
  // Whether operand 0, which is read, may stay where it is. In a loop the whole of a value from outside is shared by all
  // turns.
  constexpr bool reads_in_place(int id) const {
    return may_stay(facts(id, 0)) && may_stay(g_.nodes[id].facts) && (owns(g_.operand(id, 0)) || !turns_);
  }
  // Whether this sends less. If several operations read elements of operand 0, all of them do; they would share the
  // whole.
  constexpr bool sends_less(int id, parts_of_node const& split, block_layout const& from, parts_of_node const& usual) {
    int const x = g_.operand(id, 0), source = is_moved_later(x) ? g_.operand(x, 0) : x;
    auto const several = reads_elements(g_.nodes[id].op->kind) ? picked_.by_several(source) : 0;
    if (several > 0 && 2 * several >= facts(id, 0).size()) return false;
    return bytes_in(id, split, from) < bytes_in(id, usual, usual.of(0));
  }
  // Whether elements of x may be left where they are: no partial sums, and numbers that zeros can be added to.
  static constexpr bool may_stay(array_value const& x) {
    return x.unreduced.empty() && x.element != dtype::boolean && !is_float8(x.element);
  }
  constexpr bool is_constant(int x) {
    return owns(x) && is_lowered(x) && !is_unfinished(x) && l_.scalar_of(local(x)) >= 0;
  }
  // The layout of node id, or the one that its only reader changes it to.
  constexpr block_layout layout_in_end(int id) const {
    int last = id;
    for (int by = reader_of(id); by >= 0 && by < last_ && owns(by); by = reader_of(by)) {
      if (g_.nodes[by].op->kind != op_class::reshard || !g_.nodes[by].facts.unreduced.empty()) break;
      last = by;
    }
    return layout(g_.nodes[last].facts);
  }
  // The layout of operand 0, or the one before the change of layout that waits.
  constexpr block_layout place_of(int id) const {
    int const x = g_.operand(id, 0);
    return is_moved_later(x) ? unfinished(x).partial.layout : layout(facts(id, 0));
  }

  constexpr int computed_at_elements(int id, parts_of_node const& split, block_layout const& from,
                                     held_dims const& held) {
    node const& n = g_.nodes[id];
    bool const writes = n.op->kind == op_class::scatter;
    array_value const& x = facts(id, 0);
    array_value const part = block(x, from);
    indexing_params windows = n.attrs.as<indexing_params>();
    local_indices places(l_, windows.mode);
    int const count = windows.indexed.size();
    int ids[builder::max_operands]{bring(id, 0, from)};
    for (int k = 1; k <= count; ++k) {
      auto const d = static_cast<int>(windows.indexed[k - 1]);
      int const given = facts(id, k).rank == 0 ? local(g_.operand(id, k)) : bring(id, k, split.of(k));
      auto const window = windows.window[d];
      ids[k] = places.place(given, x.extent(d), window);
      if (!held.has(d)) continue;
      ids[k] = places.from(places.in_block(ids[k], held.by[d], part.extent(d)), 1, window);
      if (window != 1) windows.runs_along[d] = rule::collapsed;
      windows.window[d] = 1;
    }
    if (writes) ids[count + 1] = bring_full(id, count + 1, split.of(count + 1), n.op->reduction);
    bool const marked = windows.mode.fill && !windows.mode.zeros && !writes;
    windows.mode = {};
    windows.mode.fill = windows.mode.zeros = true;
    for (int d = 0; d < x.rank; ++d)
      if (windows.window[d] == x.extent(d) && !held.has(d)) windows.window[d] = part.extent(d);
    array_value const result = block(n.facts, split.made);
    int y = l_.emit_step(*n.op, ids, n.operand_count, windows, result);
    if (writes) return changed_later(id, y, split.made);
    if (marked) {
      int const missing = over_result(id, places.outside_on_first(held.all), result);
      y = places.where(missing, scalar_literal(l_, outside(x.element)), y, result);
    }
    return sum(id, {{y, split.made}});
  }
  // x with the elements of the slice that this device holds.
  constexpr int replaced(int id, parts_of_node const& split, block_layout const& from, held_dims const& held) {
    static_assert(op_register<ops::scatter>::done);
    array_value const own = block(facts(id, 0), from), slice = block(facts(id, 1), split.of(1));
    extents_list const start = g_.nodes[id].attrs.as<update_slice_params>().start;
    indexing_params windows;
    windows.mode.fill = true;
    local_indices places(l_, {});
    int ids[builder::max_operands]{bring(id, 0, from)};
    for (int d = 0; d < own.rank; ++d) {
      auto const count = slice.extent(d);
      windows.window.push_back(held.has(d) ? 1 : count);
      windows.runs_along.push_back(held.has(d) && count != 1 ? rule::collapsed : d);
      if (split.passes(d)) continue;
      int const first = places.literal(start[d], start[d] + count);
      windows.indexed.push_back(d);
      ids[windows.indexed.size()] =
          held.has(d) ? places.from(places.in_block(first, held.by[d], own.extent(d)), 1, count) : first;
    }
    int const indices = windows.indexed.size();
    ids[indices + 1] = bring(id, 1, split.of(1));
    return l_.emit_step(planning_info<ops::scatter>, ids, indices + 2, windows, block(g_.nodes[id].facts, split.made));
  }
  // The elements of a slice along the dimensions `held` that this device holds, and zeros for the others.
  constexpr int rows(int id, parts_of_node const& split, block_layout const& from, held_dims const& held) {
    node const& n = g_.nodes[id];
    array_value const own = block(facts(id, 0), from), result = block(n.facts, split.made);
    slice_params const asked = n.attrs.as<slice_params>();
    slice_params part = asked;
    array_value cut = result;
    for (int d = 0; d < cut.rank; ++d) {
      if (!held.has(d) && !split.passes(d)) continue;
      cut.extent(d) = part.limit[d] = own.extent(d);
      part.start[d] = 0;
      if (!part.stride.empty()) part.stride[d] = 1;
    }
    int y = l_.view(*n.op, bring(id, 0, from), part, cut);
    for (int d = 0; d < cut.rank; ++d)
      if (held.has(d)) {
        auto const step = asked.stride.empty() ? 1 : asked.stride[d];
        cut.extent(d) = result.extent(d);
        auto const last = asked.start[d] + step * cut.extent(d);
        local_indices places(l_, {});
        int const first = places.in_block(places.literal(asked.start[d], last), held.by[d], own.extent(d));
        y = picked(y, d, places.from(first, step, cut.extent(d)), cut);
      }
    return y;
  }
  // The elements of y at `places` of dimension `dim`, or zeros where there are none.
  constexpr int picked(int y, int dim, int places, array_value const& made) {
    bool const one = l_.facts(places).rank == 0;
    indexing_params windows;
    windows.indexed.push_back(dim);
    windows.mode.fill = windows.mode.zeros = true;
    for (int d = 0; d < made.rank; ++d) {
      windows.window.push_back(d == dim ? 1 : made.extent(d));
      windows.runs_along.push_back(d == dim && !one ? rule::collapsed : d);
    }
    int ids[]{y, places};
    return l_.emit_step(planning_info<ops::gather>, ids, 2, windows, made);
  }
  // A value by place, for the result of a gather.
  constexpr int over_result(int id, int x, array_value facts) {
    int const index_rank = l_.facts(x).rank;
    if (index_rank == 0) return x;
    rule::window_map const map = rule::windows_of(g_.nodes[id].attrs.as<indexing_params>(), facts.rank, index_rank);
    broadcast_params to{{}, facts.shape()};
    for (int r = 0; r < facts.rank; ++r)
      if (map.index[r] >= 0) to.dims.push_back(r);
    facts.element = l_.facts(x).element;
    return l_.view(planning_info<ops::broadcast_to>, x, to, facts);
  }
  // What a gather reads outside of x.
  static constexpr literal_params outside(dtype element) {
    literal_params made;
    made.element = element;
    if (is_inexact(element))
      made.number = std::numeric_limits<double>::quiet_NaN();
    else
      made.integer = is_unsigned(element) ? highest_integer(element) : lowest_integer(element);
    return made;
  }
};

}  // namespace tessera::detail
