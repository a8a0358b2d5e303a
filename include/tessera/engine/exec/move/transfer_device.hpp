// SPDX-License-Identifier: Apache-2.0
#pragma once
// Transfers on an accelerator: a thread per result, or a team a row that is reduced. Copies that follow each
// other are one launch, as many as its arguments have room for.

#include <tessera/engine/exec/move/transfer.hpp>
#include <tessera/exec/device/device_launch.hpp>

#include <string>

namespace tessera::detail {

// What the device needs of a transfer: all dimensions, flat.
struct device_transfer {
  int kept = 0, reduced = 0;
  std::int64_t extent[transfer::capacity]{}, in[transfer::capacity]{}, out[transfer::capacity]{};
  std::int64_t reduce_extent[transfer::capacity]{}, reduce_in[transfer::capacity]{};
  monoid combine = monoid::none;

  TESSERA_FUNCTION void locate(std::int64_t flat, std::int64_t& from, std::int64_t& to) const {
    unravel(extent, kept, flat, [&](int d, std::int64_t i) {
      from += i * in[d];
      to += i * out[d];
    });
  }
};

inline device_transfer flat_transfer(transfer_work const& w) {
  device_transfer t;
  auto const add = [&](std::int64_t extent, std::int64_t in, std::int64_t out) {
    t.extent[t.kept] = extent;
    t.in[t.kept] = in;
    t.out[t.kept++] = out;
  };
  for (auto const& d : w.what.kept) add(d.extent, d.in, d.out);
  if (w.inner.rows != 1) add(w.inner.rows, w.inner.row_in, w.inner.row_out);
  if (w.inner.columns != 1) add(w.inner.columns, w.inner.column_in, w.inner.column_out);
  for (auto const& d : w.what.reduced) {
    t.reduce_extent[t.reduced] = d.extent;
    t.reduce_in[t.reduced++] = d.in;
  }
  t.combine = w.what.combine;
  return t;
}

template <class Word>
struct device_copy {
  device_transfer t;
  Word* out;
  Word const* in;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t from = 0, to = 0;
    t.locate(flat, from, to);
    out[to] = in[from];
  }
};

// Copies of few dimensions, one after the other in the threads' order.
template <class Word>
struct device_copies {
  static constexpr int most = 16, dims = 6;  // 3 KB: a launch's arguments are 4 at most on older cards
  struct one {
    Word* out = nullptr;
    Word const* in = nullptr;
    std::int64_t rank = 0, extent[dims]{}, from[dims]{}, to[dims]{};
  };
  std::int64_t count = 0, first[most + 1]{};  // of the threads of each
  one works[most]{};

  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t k = 0;
    while (flat >= first[k + 1]) ++k;
    one const& w = works[k];
    std::int64_t from = 0, to = 0;
    unravel(w.extent, static_cast<int>(w.rank), flat - first[k], [&](int d, std::int64_t i) {
      from += i * w.from[d];
      to += i * w.to[d];
    });
    w.out[to] = w.in[from];
  }
  static bool takes(transfer_work const& w) {
    return !w.lanes && w.what.kept.size() + (w.inner.rows != 1) + (w.inner.columns != 1) <= dims;
  }
  void add(transfer_work const& w, std::byte* const* frame) {
    device_transfer const t = flat_transfer(w);
    one& to = works[count];
    to.out = reinterpret_cast<Word*>(frame[w.what.out_slot]) + w.what.out_offset;
    to.in = reinterpret_cast<Word const*>(frame[w.what.in_slot]) + w.what.in_offset;
    to.rank = t.kept;
    for (int d = 0; d < t.kept; ++d) {
      to.extent[d] = t.extent[d];
      to.from[d] = t.in[d];
      to.to[d] = t.out[d];
    }
    first[count + 1] = first[count] + w.outputs();
    ++count;
  }
};

// Asked per element rather than instantiated per monoid: the loop waits for memory anyway.
template <class A>
TESSERA_FUNCTION A combine_by(monoid m, A x, A y) {
  if constexpr (is_complex_type<A>)  // have no order: rules let only sums and products through
    return m == monoid::product ? combine<monoid::product, A>(x, y) : combine<monoid::sum, A>(x, y);
  else
    switch (m) {
      case monoid::product: return combine<monoid::product, A>(x, y);
      case monoid::max: return combine<monoid::max, A>(x, y);
      case monoid::min: return combine<monoid::min, A>(x, y);
      case monoid::logical_and: return combine<monoid::logical_and, A>(x, y);
      case monoid::logical_or: return combine<monoid::logical_or, A>(x, y);
      default: return combine<monoid::sum, A>(x, y);
    }
}
template <class A>
TESSERA_FUNCTION A identity_by(monoid m) {
  switch (m) {
    case monoid::product: return identity_of<monoid::product, A>();
    case monoid::max: return identity_of<monoid::max, A>();
    case monoid::min: return identity_of<monoid::min, A>();
    case monoid::logical_and: return identity_of<monoid::logical_and, A>();
    default: return identity_of<monoid::sum, A>();
  }
}

// What the 64 threads of a team have of a result, as exec/fused/lanes.hpp joins 64 lanes; thread 0 has it.
template <class A>
TESSERA_FUNCTION A sum_of_team_by(team_member const& team, monoid m, A* parts, A own) {
  int const at = team.rank();
  parts[at] = own;
  for (int half = block_size / 2; half > 0; half /= 2) {
    team.barrier();
    if (at < half) parts[at] = combine_by<A>(m, parts[at], parts[at + half]);
  }
  return parts[0];
}

// A piece of the inputs of a result: the reduced dimension `dim` from `first` on.
struct device_piece {
  std::int64_t pieces = 1, dim = 0;
  TESSERA_FUNCTION std::int64_t first(device_transfer const& t, std::int64_t piece) const {
    return t.reduce_extent[dim] * piece / pieces;
  }
};

// A thread a result, or a piece of one, adds one input after the other. Pieces are registers, in scratch memory, piece by
// piece of all results; device_join adds them up.
template <class T>
struct device_reduction {
  using A = register_of<T>;
  device_transfer t;
  T* out;
  T const* in;
  std::int64_t outputs;
  device_piece piece;
  A* parts;  // null: one piece
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t const which = flat / outputs, first = piece.first(t, which), last = piece.first(t, which + 1);
    std::int64_t extent[transfer::capacity], count = 1, from = first * t.reduce_in[piece.dim], to = 0;
    for (int d = 0; d < t.reduced; ++d) count *= extent[d] = d == piece.dim ? last - first : t.reduce_extent[d];
    t.locate(flat % outputs, from, to);
    A result = identity_by<A>(t.combine);
    for (std::int64_t r = 0; r < count; ++r) {
      std::int64_t at = from;
      unravel(extent, t.reduced, r, [&](int d, std::int64_t i) { at += i * t.reduce_in[d]; });
      result = combine_by<A>(t.combine, result, static_cast<A>(in[at]));
    }
    if (parts)
      parts[flat] = result;
    else
      out[to] = static_cast<T>(result);
  }
};

// A team of 64 a row, or a piece of one: each thread takes every 64th element of each run, as lanes do on the host.
template <class T>
struct device_row_reduction {
  using A = register_of<T>;
  device_transfer t;
  T* out;
  T const* in;
  std::int64_t outputs;
  device_piece piece;
  A* parts;
  TESSERA_FUNCTION void operator()(team_member const& team) const {
    std::int64_t const which = team.team() / outputs;
    std::int64_t const first = piece.first(t, which), last = piece.first(t, which + 1);
    std::int64_t extent[transfer::capacity], outer = 1, from = first * t.reduce_in[piece.dim], to = 0;
    for (int d = 0; d < t.reduced; ++d) extent[d] = d == piece.dim ? last - first : t.reduce_extent[d];
    int const run = t.reduced - 1;
    for (int d = 0; d < run; ++d) outer *= extent[d];
    t.locate(team.team() % outputs, from, to);
    A own = identity_by<A>(t.combine);
    for (std::int64_t r = 0; r < outer; ++r) {
      std::int64_t at = from;
      unravel(extent, run, r, [&](int d, std::int64_t i) { at += i * t.reduce_in[d]; });
      for (std::int64_t i = team.rank(); i < extent[run]; i += block_size)
        own = combine_by<A>(t.combine, own, static_cast<A>(in[at + i * t.reduce_in[run]]));
    }
    A const sum = sum_of_team_by(team, t.combine, static_cast<A*>(team.scratch()), own);
    if (team.rank() != 0) return;
    if (parts)
      parts[team.team()] = sum;
    else
      out[to] = static_cast<T>(sum);
  }
};
template <class T>
struct device_join {
  using A = register_of<T>;
  device_transfer t;
  T* out;
  A const* parts;
  std::int64_t outputs, pieces;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t from = 0, to = 0;
    t.locate(flat, from, to);
    A result = identity_by<A>(t.combine);
    for (std::int64_t k = 0; k < pieces; ++k) result = combine_by<A>(t.combine, result, parts[k * outputs + flat]);
    out[to] = static_cast<T>(result);
  }
};

template <class Word>
void launch_device_copy(std::string const& label, transfer_work const& w, std::byte* const* frame) {
  launch_elements(
      label, w.outputs(),
      device_copy<Word>{flat_transfer(w), reinterpret_cast<Word*>(frame[w.what.out_slot]) + w.what.out_offset,
                        reinterpret_cast<Word const*>(frame[w.what.in_slot]) + w.what.in_offset});
}

// f(std::type_identity<Word>) for bits as wide as an element.
template <class F>
void with_word(dtype element, F const& f) {
  switch (bytes_of(element)) {
    case 1: return f(std::type_identity<raw_word<std::uint8_t>>{});
    case 2: return f(std::type_identity<raw_word<std::uint16_t>>{});
    case 4: return f(std::type_identity<raw_word<std::uint32_t>>{});
    case 8: return f(std::type_identity<raw_word<std::uint64_t>>{});
    default: return f(std::type_identity<wide_word>{});
  }
}

// In the order of the host, which follows from the extents alone (engine/exec/move/transfer.hpp), so the bits are the host's:
// rows by teams, columns by a thread each, since neighbors read neighbors; few results of much input in pieces.
template <class T>
void launch_device_reduction(std::string const& label, transfer_work const& w, std::byte* const* frame) {
  using A = register_of<T>;
  device_transfer const t = flat_transfer(w);
  auto* const to = reinterpret_cast<T*>(frame[w.what.out_slot]) + w.what.out_offset;
  auto const* const from = reinterpret_cast<T const*>(frame[w.what.in_slot]) + w.what.in_offset;
  auto* const parts = w.splits > 1 ? reinterpret_cast<A*>(frame[w.what.scratch_slot]) : nullptr;
  std::int64_t const outputs = w.outputs();
  device_piece const piece{w.splits, w.split_dim};
  if (w.by_rows)
    launch_teams(label, outputs * w.splits, block_size, block_size * static_cast<int>(sizeof(A)),
                 device_row_reduction<T>{t, to, from, outputs, piece, parts});
  else
    launch_elements(label, outputs * w.splits, device_reduction<T>{t, to, from, outputs, piece, parts});
  if (parts) launch_elements(label, outputs, device_join<T>{t, to, parts, outputs, w.splits});
}

inline void launch_transfer(std::string const& label, transfer_work const& w, std::byte* const* frame) {
  if (w.lanes)
    with_element(w.what.element, [&]<class T>(std::type_identity<T>) { launch_device_reduction<T>(label, w, frame); });
  else
    with_word(w.what.element, [&]<class Word>(std::type_identity<Word>) { launch_device_copy<Word>(label, w, frame); });
}

// Works that write what no other of them reads or writes. A template, so that host builds instantiate none of this.
template <bool OnHost = runs_on_host>
void launch_transfers(std::string const& label, transfer_work const* works, int count, std::byte* const* frame) {
  if constexpr (!OnHost) {
    for (int k = 0; k < count;) {
      if (works[k].outputs() == 0) {
        ++k;
        continue;
      }
      dtype const element = works[k].what.element;
      bool together = false;
      with_word(element, [&]<class Word>(std::type_identity<Word>) {
        device_copies<Word> copies;
        auto const fits = [&](transfer_work const& w) {
          return copies.count < copies.most && bytes_of(w.what.element) == bytes_of(element) && copies.takes(w);
        };
        together = k + 1 < count && fits(works[k]) && fits(works[k + 1]);
        if (!together) return;
        for (; k < count && fits(works[k]); ++k)
          if (works[k].outputs() > 0) copies.add(works[k], frame);
        launch_elements(label, copies.first[copies.count], copies);
      });
      if (!together) launch_transfer(label, works[k++], frame);
    }
  }
}

}  // namespace tessera::detail
