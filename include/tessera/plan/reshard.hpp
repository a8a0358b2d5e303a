// SPDX-License-Identifier: Apache-2.0
#pragma once
// From one layout of a value to another by the cheapest steps known: slices first (they move nothing), then block
// permutes and all_to_alls, all_gathers last. Pending partial sums are reduced where they are needed.

#include <tessera/plan/lowering.hpp>

namespace tessera {

// A local value and the layout of the global value it is a block of.
struct placed {
  int id = -1;
  int rank = 0;
  std::array<entry_value, max_rank> spec{};
  axis_set pending{};  // partial sums over these axes

  constexpr entry_value& entry(int d) { return spec[static_cast<std::size_t>(d)]; }
  constexpr entry_value entry(int d) const { return spec[static_cast<std::size_t>(d)]; }
  constexpr axis_set used() const {
    axis_set set;
    for (int d = 0; d < rank; ++d) set |= entry(d).axes();
    return set;
  }
};

constexpr placed as_placed(int id, array_value const& global) {
  placed p;
  p.id = id;
  p.rank = global.rank;
  p.spec = global.spec;
  p.pending = global.unreduced;
  return p;
}

namespace detail {

// Axes that both entries begin with.
constexpr int shared_front(entry_value a, entry_value b) {
  int k = 0;
  while (a.axis(k) >= 0 && a.axis(k) == b.axis(k)) ++k;
  return k;
}
constexpr entry_value first_of(entry_value e, int count) {
  return {count >= 8 ? e.code : e.code & ((std::uint32_t{1} << (4 * count)) - 1)};
}
constexpr entry_value after(entry_value e, int count) { return {e.code >> (4 * count)}; }
constexpr bool begins(entry_value front, entry_value whole) { return shared_front(front, whole) == front.count(); }

// Every dimension splits position by position over axes of the same sizes: blocks change devices whole.
constexpr bool permutes_only(placed const& x, placed const& to, mesh_value const& mesh, extents_list& from_axes,
                             extents_list& to_axes) {
  for (int d = 0; d < x.rank; ++d) {
    if (x.entry(d).count() != to.entry(d).count()) return false;
    for (int k = 0; k < x.entry(d).count(); ++k) {
      int const a = x.entry(d).axis(k), b = to.entry(d).axis(k);
      if (mesh.size(a) != mesh.size(b)) return false;
      from_axes.push_back(a);
      to_axes.push_back(b);
    }
  }
  return true;
}

// Splits what is whole: for each dimension whose layout begins the wanted one, by the axes not in use elsewhere.
constexpr bool slice_where_possible(lowering& l, placed& x, placed const& to) {
  bool any = false;
  for (int d = 0; d < x.rank; ++d) {
    if (x.entry(d) == to.entry(d) || !begins(x.entry(d), to.entry(d))) continue;
    entry_value add;
    entry_value const rest = after(to.entry(d), x.entry(d).count());
    for (int k = 0; k < rest.count(); ++k) {
      if (x.used().contains(rest.axis(k)) || x.pending.contains(rest.axis(k))) break;
      add.append(rest.axis(k));
      x.entry(d).append(rest.axis(k));
    }
    if (add.empty()) continue;
    x.id = l.sliced(x.id, d, add);
    any = true;
  }
  return any;
}

// One axis from the end of a dimension to the end of another that wants it next.
constexpr bool exchange_one(lowering& l, placed& x, placed const& to) {
  for (int i = 0; i < x.rank; ++i) {
    int const kept = shared_front(x.entry(i), to.entry(i)), n = x.entry(i).count();
    if (kept == n) continue;
    int const axis = x.entry(i).axis(n - 1);
    for (int j = 0; j < x.rank; ++j) {
      if (j == i || !begins(x.entry(j), to.entry(j)) || to.entry(j).axis(x.entry(j).count()) != axis) continue;
      x.id = l.exchanged(x.id, j, i, only(axis));
      x.entry(i) = first_of(x.entry(i), n - 1);
      x.entry(j).append(axis);
      return true;
    }
  }
  return false;
}

constexpr bool gather_one(lowering& l, placed& x, placed const& to) {
  for (int d = 0; d < x.rank; ++d) {
    int const kept = shared_front(x.entry(d), to.entry(d));
    if (kept == x.entry(d).count()) continue;
    x.id = l.gathered(x.id, d, after(x.entry(d), kept));
    x.entry(d) = first_of(x.entry(d), kept);
    return true;
  }
  return false;
}

}  // namespace detail

// x in the layout of `to` (its id is not read). Bytes: the messages recorded in l.
constexpr placed reshard(lowering& l, placed x, placed const& to) {
  for (axis_set const done = x.pending - to.pending; !(x.pending - to.pending).empty();) {
    bool scattered = false;
    for (int d = 0; d < x.rank && !scattered; ++d) {
      if (!detail::begins(x.entry(d), to.entry(d))) continue;
      int const axis = to.entry(d).axis(x.entry(d).count());
      if (axis < 0 || !done.contains(axis) || !x.pending.contains(axis)) continue;
      x.id = l.reduce_scattered(x.id, d, only(axis));
      x.entry(d).append(axis);
      x.pending = x.pending - axis_set::of(axis);
      scattered = true;
    }
    if (scattered) continue;
    x.id = l.all_reduced(x.id, monoid::sum, x.pending - to.pending);
    x.pending = x.pending & to.pending;
  }
  while (true) {
    if (detail::slice_where_possible(l, x, to)) continue;
    bool done = true;
    for (int d = 0; d < x.rank; ++d) done = done && x.entry(d) == to.entry(d);
    if (done) return x;
    extents_list from_axes, to_axes;
    if (detail::permutes_only(x, to, l.mesh(), from_axes, to_axes)) {
      x.id = l.permuted(x.id, from_axes, to_axes);
      x.spec = to.spec;
      return x;
    }
    if (detail::exchange_one(l, x, to)) continue;
    detail::gather_one(l, x, to);
  }
}

}  // namespace tessera
