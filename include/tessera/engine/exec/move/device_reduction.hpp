// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reductions of a transfer on an accelerator: by a thread or a team per result, in pieces that are joined.

#include <tessera/engine/exec/move/device_transfer.hpp>
#include <tessera/engine/exec/move/transfer.hpp>
#include <tessera/exec/device/device_launch.hpp>

namespace tessera::detail {

// Branches on the monoid per element instead of one instantiation per monoid: the loop is bound by memory.
template <class A>
TESSERA_FUNCTION A combine_by(monoid m, A x, A y) {
  if constexpr (is_complex_type<A>)  // no order: only sums and products are allowed
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

// Combines the values of a team's 64 threads in the order in which exec/fused/lanes.hpp joins 64 lanes. Thread 0
// returns the result.
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

// One of `pieces` pieces of a result's inputs: dimension `dim` of the reduced ones is split.
struct device_piece {
  std::int64_t pieces = 1, dim = 0;
  TESSERA_FUNCTION std::int64_t first(device_transfer const& t, std::int64_t piece) const {
    return t.reduce_extent[dim] * piece / pieces;
  }
};

// One thread per result, or per piece of one, adds its inputs one after the other. Pieces are registers in scratch
// memory, the first piece of all results first; device_join adds them up.
template <class T>
struct device_reduction {
  using A = register_of<T>;
  device_transfer t;
  T* out;
  T const* in;
  std::int64_t outputs;
  device_piece piece;
  A* parts;  // null if there is one piece
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

// A team of 64 threads per row, or per piece of one: each thread takes every 64th element of each run, as lanes do on
// the host.
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

}  // namespace tessera::detail
