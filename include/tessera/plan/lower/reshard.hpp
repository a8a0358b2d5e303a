// SPDX-License-Identifier: Apache-2.0
#pragma once
// Brings a local value from one layout to another, along the path that plan/path/reshard_path.hpp finds.

#include <tessera/plan/lower/padding.hpp>
#include <tessera/plan/path/reshard_path.hpp>

namespace tessera {

// A local value, and the layout of the global value of which it is a block.
struct placed {
  int id = -1;
  block_layout layout{};
};

namespace detail {

// The axes that x and y have in different places, dimension by dimension: the parameters of a permute.
constexpr exchange_params places_changed(block_layout const& x, block_layout const& y) {
  exchange_params swap;
  bool grouped = false;
  for (int d = 0; d < x.rank; ++d) {
    int const kept = shared_front(x.entry(d), y.entry(d)), count = x.entry(d).count();
    if (kept == count) continue;
    for (int k = kept; k < count; ++k) {
      swap.from.push_back(x.entry(d).axis(k));
      swap.to.push_back(y.entry(d).axis(k));
    }
    swap.groups.push_back(count - kept);
    grouped = grouped || count - kept > 1;
  }
  if (!grouped) swap.groups = {};
  return swap;
}

constexpr int moved(lowering& l, int x, block_layout const& before, layout_move const& m) {
  using kind = layout_move::kind;
  switch (m.what) {
    case kind::slice: return l.sliced(x, m.dim, m.by);
    case kind::all_gather: return l.gathered(x, m.dim, m.by);
    case kind::all_to_all: return l.exchanged(x, m.dim, m.other, m.by);
    case kind::permute: return l.permuted(x, places_changed(before, m.after));
    case kind::reduce_scatter: return l.reduce_scattered(x, m.dim, m.by);
    default: return x;
  }
}

// x in the layout `to`, if all its elements are one scalar that devices know: nothing is sent. -1: they are not.
constexpr int refilled(lowering& l, placed const& x, array_value shape, block_layout const& to) {
  int const scalar = l.scalar_of(x.id);
  if (scalar < 0 || !(x.layout.pending | to.pending | (l.facts(scalar).varying & x.layout.used())).empty()) return -1;
  shape.spec = to.spec;
  shape.element = l.facts(x.id).element;
  return l.filled(scalar, local_block(shape, l.mesh()));
}

// A value as a part over `axes`, to be combined by `how`: the first device along them has it, the others have the
// identity. Moves 0 bytes.
constexpr int as_part(lowering& l, int x, axis_set axes, monoid how = monoid::sum) {
  entry_value by;
  for (int a = 0; a < l.mesh().rank; ++a)
    if (axes.contains(a)) by.append(a);
  array_value flag;
  flag.element = dtype::boolean;
  static_assert(op_register<ops::equal>::done && op_register<ops::where>::done && op_register<ops::cast>::done);
  int const here[]{l.position(by), scalar_literal(l, identity_literal(monoid::sum, dtype::int32))};
  int const chosen[]{l.emit(planning_info<ops::equal>, here, 2, {}, flag), x,
                     scalar_literal(l, identity_literal(how, l.facts(x).element))};
  return l.emit(planning_info<ops::where>, chosen, 3, {}, l.facts(x));
}

constexpr void walk(lowering& l, placed& x, layout_path const& path, monoid how) {
  for (layout_move const& m : path) {
    x.id = m.what == layout_move::kind::all_reduce ? l.all_reduced(x.id, how, m.axes)
                                                   : detail::moved(l, x.id, x.layout, m);
    x.layout = m.after;
  }
}

// For full blocks only.
constexpr placed reshard_even(lowering& l, placed x, array_value const& shape, block_layout const& to, monoid how) {
  if (x.layout == to) return x;
  block_layout reached = to;
  reached.pending = to.pending & x.layout.pending;
  if (!(x.layout == reached)) {
    bool const sums = how == monoid::sum;
    if (l.paths)
      walk(l, x, l.paths->find(shape, x.layout, reached, sums), how);
    else
      walk(l, x, find_path(l.mesh(), shape, x.layout, reached, sums), how);
  }
  if (!(to.pending == reached.pending)) x.id = detail::as_part(l, x.id, to.pending - reached.pending);
  x.layout = to;
  return x;
}

// A dimension whose layout changes, and which is padded before or after, is whole in between: it is gathered with its
// padding, which is cut off, and padded again to be sliced.
struct padded_change {
  array_value before, after;  // the shapes of full blocks
  block_layout between;

  constexpr padded_change(mesh_value const& mesh, array_value const& shape, block_layout const& from,
                          block_layout const& to)
      : before(shape), after(shape), between(to) {
    for (int d = 0; d < shape.rank; ++d) {
      before.entry(d) = from.entry(d);
      after.entry(d) = to.entry(d);
      bool const padded = is_padded(shape, d, from.entry(d), mesh) || is_padded(shape, d, to.entry(d), mesh);
      if (padded && !(from.entry(d) == to.entry(d))) between.entry(d) = {};
    }
    before = with_padding(before, mesh);
    after = with_padding(after, mesh);
  }
};
constexpr placed reshard_padded(lowering& l, placed x, array_value const& shape, block_layout const& to, monoid how) {
  padded_change const change(l.mesh(), shape, x.layout, to);
  x = reshard_even(l, x, change.before, change.between, how);
  for (int d = 0; d < shape.rank; ++d) {
    if (!change.between.entry(d).empty()) continue;
    x.id = cut(l, x.id, d, 0, shape.extent(d));
    x.id = grown(l, x.id, d, change.after.extent(d));
  }
  return reshard_even(l, x, change.after, to, how);
}

// The bytes that such a change sends, for comparing plans.
constexpr std::int64_t bytes_of_change(mesh_value const& mesh, array_value const& shape, block_layout const& from,
                                       block_layout const& to, monoid how = monoid::sum) {
  auto const bytes = [&](array_value const& full, block_layout const& x, block_layout const& y) {
    return x == y ? 0 : layout_search(mesh, full, x, y, how == monoid::sum).bytes();
  };
  if (mesh.uneven.empty()) return bytes(shape, from, to);
  padded_change const change(mesh, shape, from, to);
  return bytes(change.before, from, change.between) + bytes(change.after, change.between, to);
}

// Whether the direct path sends no more bytes than the path by way of `via`; not always, since the search is limited.
constexpr bool is_no_detour(mesh_value const& mesh, array_value const& shape, block_layout const& from,
                            block_layout const& via, block_layout const& to) {
  if (via == to) return true;
  auto const bytes = [&](block_layout const& x, block_layout const& y) {
    return x == y ? 0 : layout_search(mesh, shape, x, y).bytes();
  };
  return bytes(from, to) <= bytes(from, via) + bytes(via, to);
}

}  // namespace detail

namespace functions {

// x, a block of a global value of `shape`, in the layout `to`. Pending values are combined by `how`.
// Bytes: the messages recorded in l.
constexpr placed reshard(lowering& l, placed x, array_value const& shape, block_layout const& to,
                         monoid how = monoid::sum) {
  if (x.layout == to) return x;
  if (int const same = detail::refilled(l, x, shape, to); same >= 0) return {same, to};
  if (l.log()) l.change = {l.change.node, l.change.operand, true, shape, x.layout, to};
  bool const sums = !x.layout.pending.empty();
  x = l.mesh().uneven.empty() ? detail::reshard_even(l, x, shape, to, how)
                              : detail::reshard_padded(l, x, shape, to, how);
  l.change.changes = false;
  if (sums) x.id = l.in_dtype(x.id, shape.element);
  return x;
}

}  // namespace functions

}  // namespace tessera
