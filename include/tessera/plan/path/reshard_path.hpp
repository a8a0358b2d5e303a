// SPDX-License-Identifier: Apache-2.0
#pragma once
// The cheapest path from one layout of a value to another. Slices move nothing and come first. The rest is a search
// over layouts by the bytes that a device sends, weighted by the prices of the axes, then by the number of messages.
// Each move changes whole ends of entries, so that every device's block stays one contiguous part.

#include <tessera/base/growable.hpp>
#include <tessera/plan/base/message.hpp>
#include <tessera/plan/path/block_layout.hpp>

namespace tessera {

struct layout_move {
  enum class kind : std::uint8_t { slice, all_gather, all_to_all, permute, reduce_scatter, all_reduce };
  kind what{};
  int dim = -1;      // all_to_all: the dimension that gets `by`
  int other = -1;    // all_to_all: the dimension that loses it
  entry_value by{};  // major first
  axis_set axes{};   // all_reduce
  block_layout after{};
};
using layout_path = inplace_list<layout_move, 24>;

class layout_search {
public:
  // `shape`: extents and element of the global value. `sums`: pending values are added, so that reduce_scatter may be
  // used.
  constexpr layout_search(mesh_value const& mesh, array_value const& shape, block_layout const& from,
                          block_layout const& to, bool sums = true)
      : mesh_(mesh), shape_(shape), from_(from), to_(to), at_(from), sums_(sums) {
    take_slices();
    if (!(at_ == to_) && !take_only_move()) search();
  }
  constexpr layout_path const& path() const { return path_; }
  // Bytes that a device sends on the path, weighted by the prices of the axes: exact if sizes are known, else only for
  // comparing paths.
  constexpr std::int64_t bytes() const {
    block_layout at = from_;
    std::int64_t sum = 0;
    for (layout_move const& m : path_) {
      sum += bytes_of_move(at, m.what, m.after, m.by.axes() | m.axes);
      at = m.after;
    }
    return sum;
  }

private:
  struct state {
    block_layout at{};
    std::int64_t bytes = 0;
    int messages = 0, parent = -1;
    bool settled = false;
    layout_move how{};
  };
  static constexpr std::size_t most_states = 600;

  static constexpr collective sent_by(layout_move::kind what) {
    constexpr collective sent[]{collective::none,    collective::all_gather,     collective::all_to_all,
                                collective::permute, collective::reduce_scatter, collective::all_reduce};
    return sent[static_cast<int>(what)];
  }

  constexpr void take(layout_move::kind what, block_layout const& after, int dim, entry_value by, int other = -1,
                      axis_set axes = {}) {
    layout_move m;
    m.what = what;
    m.dim = dim;
    m.other = other;
    m.by = by;
    m.axes = axes;
    m.after = after;
    path_.push_back(m);
    at_ = after;
  }
  constexpr axis_set to_reduce(block_layout const& x) const { return x.pending - to_.pending; }

  // Slices by axes in their final place. They come first, since later moves then send fewer bytes.
  constexpr void take_slices() {
    for (int d = 0; d < at_.rank; ++d) {
      if (at_.entry(d) == to_.entry(d) || !begins(at_.entry(d), to_.entry(d))) continue;
      entry_value const rest = after(to_.entry(d), at_.entry(d).count());
      axis_set const taken = at_.used() | at_.pending;
      entry_value add;
      for (int k = 0; k < rest.count() && !taken.contains(rest.axis(k)); ++k) add.append(rest.axis(k));
      if (add.empty()) continue;
      block_layout next = at_;
      next.entry(d) = joined(at_.entry(d), add);
      take(layout_move::kind::slice, next, d, add);
    }
  }

  // A single collective, if one is enough.
  constexpr bool take_only_move() {
    int differs = -1;
    for (int d = 0; d < at_.rank; ++d)
      if (!(at_.entry(d) == to_.entry(d))) {
        if (differs >= 0) return false;
        differs = d;
      }
    axis_set const reduce = to_reduce(at_);
    if (differs < 0) {
      take(layout_move::kind::all_reduce, to_, -1, {}, -1, reduce);
      return true;
    }
    entry_value const own = at_.entry(differs), wanted = to_.entry(differs);
    if (reduce.empty() && begins(wanted, own)) {
      take(layout_move::kind::all_gather, to_, differs, after(own, wanted.count()));
      return true;
    }
    if (sums_ && begins(own, wanted) && after(wanted, own.count()).axes() == reduce) {
      take(layout_move::kind::reduce_scatter, to_, differs, after(wanted, own.count()));
      return true;
    }
    return false;
  }

  constexpr std::int64_t size(int axis) const { return mesh_.size(axis) == dynamic ? 2 : mesh_.size(axis); }
  constexpr std::int64_t devices(axis_set axes) const {
    std::int64_t n = 1;
    for (int a = 0; a < mesh_.rank; ++a)
      if (axes.contains(a)) n *= size(a);
    return n;
  }
  // Unknown sizes count as a large number, since paths are only compared. The product of all stays small enough for
  // sums of such numbers.
  constexpr std::int64_t block_bytes(block_layout const& x) const {
    constexpr std::int64_t most = std::int64_t{1} << 52;
    int unknown = 0;
    for (int d = 0; d < x.rank; ++d) unknown += shape_.extent(d) == dynamic;
    std::int64_t const large = std::int64_t{1} << (unknown > 2 ? 40 / unknown : 20);
    std::int64_t bytes = bytes_of(shape_.element);
    for (int d = 0; d < x.rank; ++d) {
      std::int64_t const extent = shape_.extent(d) == dynamic ? large : shape_.extent(d);
      bytes = extent > 0 && bytes > most / extent ? most : bytes * extent;
    }
    return bytes / devices(x.used());
  }
  constexpr std::int64_t bytes_of_move(block_layout const& at, layout_move::kind what, block_layout const& after,
                                       axis_set axes) const {
    auto const kind = sent_by(what);
    std::int64_t const block = block_bytes(at);
    if (mesh_.prices.items[0] == 0) return bytes_sent(kind, block, devices(axes));
    for (int d = 0; d < at.rank && what == layout_move::kind::permute; ++d)
      axes |= tessera::after(at.entry(d), shared_front(at.entry(d), after.entry(d))).axes();
    std::int64_t const sent = bytes_priced(mesh_, kind, block, axes);
    return sent == dynamic ? bytes_sent(kind, block, devices(axes)) : sent;
  }
  constexpr bool divides(int d, entry_value entry) const {
    if (shape_.extent(d) == dynamic) return to_.entry(d).axes().contains(entry.axes());
    return shape_.extent(d) % devices(entry.axes()) == 0;
  }

  constexpr void search() {
    state start;
    start.at = at_;
    states_.reserve(64);
    states_.push_back(start);
    int found = -1;
    while (found < 0 && states_.size() < most_states) {
      int next = -1;
      for (std::size_t i = 0; i < states_.size(); ++i)
        if (!states_[i].settled && (next < 0 || cheaper(states_[i], states_[next]))) next = static_cast<int>(i);
      if (next < 0) break;
      states_[next].settled = true;
      if (states_[next].at == to_)
        found = next;
      else
        expand(next);
    }
    if (found < 0) return take_everything();
    inplace_list<int, 24> order;
    for (int i = found; states_[i].parent >= 0; i = states_[i].parent) order.push_back(i);
    for (int k = order.size() - 1; k >= 0; --k) path_.push_back(states_[order[k]].how);
  }
  static constexpr bool cheaper(state const& x, state const& y) {
    return x.bytes != y.bytes ? x.bytes < y.bytes : x.messages < y.messages;
  }

  constexpr void reach(int from, layout_move::kind what, block_layout const& after, int dim, entry_value by,
                       int other = -1, axis_set axes = {}) {
    state s;
    state const& old = states_[from];
    collective const kind = sent_by(what);
    s.bytes = old.bytes + bytes_of_move(old.at, what, after, by.axes() | axes);
    s.messages = old.messages + (kind != collective::none);
    s.parent = from;
    s.at = after;
    s.how.what = what;
    s.how.dim = dim;
    s.how.other = other;
    s.how.by = by;
    s.how.axes = axes;
    s.how.after = after;
    for (auto& known : states_)
      if (known.at == after) {
        if (!known.settled && cheaper(s, known)) known = s;
        return;
      }
    states_.push_back(s);
  }

  constexpr void expand(int from) {
    block_layout const x = states_[from].at;
    axis_set const wanted = to_.used(), used = x.used(), reduce = to_reduce(x);
    for (int d = 0; d < x.rank; ++d) {
      entry_value const own = x.entry(d);
      for (int a = 0; a < mesh_.rank; ++a) {
        if (!wanted.contains(a) || used.contains(a) || to_.pending.contains(a)) continue;
        block_layout next = x;
        next.entry(d).append(a);
        if (!divides(d, next.entry(d))) continue;
        if (!x.pending.contains(a)) {
          reach(from, layout_move::kind::slice, next, d, only(a));
        } else if (sums_) {
          next.pending = x.pending - axis_set::of(a);
          reach(from, layout_move::kind::reduce_scatter, next, d, only(a));
        }
      }
      for (int k = shared_front(own, to_.entry(d)); k < own.count(); ++k) {
        entry_value const by = after(own, k);
        block_layout next = x;
        next.entry(d) = first_of(own, k);
        reach(from, layout_move::kind::all_gather, next, d, by);
        if (!wanted.contains(by.axes())) continue;
        for (int other = 0; other < x.rank; ++other) {
          if (other == d) continue;
          block_layout moved = next;
          moved.entry(other) = joined(x.entry(other), by);
          if (divides(other, moved.entry(other))) reach(from, layout_move::kind::all_to_all, moved, other, by, d);
        }
      }
    }
    if (!reduce.empty()) {
      block_layout next = x;
      next.pending = x.pending & to_.pending;
      reach(from, layout_move::kind::all_reduce, next, -1, {}, -1, reduce);
      for (int a = 0; a < mesh_.rank && reduce.size() > 1; ++a) {
        if (!reduce.contains(a)) continue;
        next.pending = x.pending - axis_set::of(a);
        reach(from, layout_move::kind::all_reduce, next, -1, {}, -1, axis_set::of(a));
      }
    }
    permute(from, x, wanted - used - x.pending);
  }

  // Whole blocks move between devices: other axes in the places where x and the target layout differ, with as many
  // parts per dimension as before.
  constexpr void permute(int from, block_layout const& x, axis_set unused) {
    axis_set pool = unused;
    int places = 0;
    for (int d = 0; d < x.rank; ++d) {
      entry_value const rest = after(x.entry(d), shared_front(x.entry(d), to_.entry(d)));
      pool |= rest.axes();
      places += rest.count();
    }
    if (places == 0 || places > 4 || pool.size() < 2) return;
    block_layout next = x;
    for (int d = 0; d < x.rank; ++d) next.entry(d) = first_of(x.entry(d), shared_front(x.entry(d), to_.entry(d)));
    fill(from, x, next, 0, pool);
  }
  constexpr void fill(int from, block_layout const& x, block_layout const& next, int d, axis_set pool) {
    while (d < x.rank && next.entry(d).count() == x.entry(d).count()) {
      if (devices(next.entry(d).axes()) != devices(x.entry(d).axes())) return;
      ++d;
    }
    if (d == x.rank) {
      if (!(next == x)) reach(from, layout_move::kind::permute, next, -1, {});
      return;
    }
    for (int a = 0; a < mesh_.rank; ++a) {
      if (!pool.contains(a)) continue;
      block_layout more = next;
      more.entry(d).append(a);
      fill(from, x, more, d, pool - axis_set::of(a));
    }
  }

  // For too many layouts: reduce, gather the dimensions that differ, slice.
  constexpr void take_everything() {
    if (auto const reduce = to_reduce(at_); !reduce.empty()) {
      block_layout next = at_;
      next.pending = at_.pending & to_.pending;
      take(layout_move::kind::all_reduce, next, -1, {}, -1, reduce);
    }
    for (int d = 0; d < at_.rank; ++d) {
      int const kept = shared_front(at_.entry(d), to_.entry(d));
      if (kept == at_.entry(d).count()) continue;
      entry_value const by = after(at_.entry(d), kept);
      block_layout next = at_;
      next.entry(d) = first_of(at_.entry(d), kept);
      take(layout_move::kind::all_gather, next, d, by);
    }
    take_slices();
  }

  mesh_value const& mesh_;
  array_value const& shape_;
  block_layout const &from_, &to_;
  block_layout at_;
  bool sums_;
  growable<state> states_;
  layout_path path_;
};

// Law: the last move ends in layout `to`, and the bytes are at most those of gathering everything and slicing.
constexpr layout_path find_path(mesh_value const& mesh, array_value const& shape, block_layout const& from,
                                block_layout const& to, bool sums = true) {
  return layout_search(mesh, shape, from, to, sums).path();
}

// A cache of paths for several programs: engine/plan/path/known_paths.hpp.
class path_source {
public:
  // The result of find_path on its mesh. The reference is valid until the next call.
  virtual layout_path const& find(array_value const& shape, block_layout const& from, block_layout const& to,
                                  bool sums) = 0;

protected:
  ~path_source() = default;
};

}  // namespace tessera
