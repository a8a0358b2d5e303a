// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reductions of a transfer on an accelerator: by a thread or a team per result, in pieces that are joined.

#include <tessera/engine/exec/move/device_transfer.hpp>
#include <tessera/engine/exec/move/transfer.hpp>
#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/fused/team_sum.hpp>

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

template <class A>
TESSERA_FUNCTION A sum_of_team_by(team_member const& team, int threads, monoid m, A* parts, A own) {
  return sum_of_team(team, threads, parts, own, [m](A x, A y) { return combine_by<A>(m, x, y); });
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
    std::int64_t extent[transfer::capacity], outer = 1, from = first * t.reduce_in[piece.dim], to = 0;
    for (int d = 0; d < t.reduced; ++d) {
      extent[d] = d == piece.dim ? last - first : t.reduce_extent[d];
      if (d + 1 < t.reduced) outer *= extent[d];
    }
    t.locate(flat % outputs, from, to);
    A result = identity_by<A>(t.combine);
    int const run = t.reduced - 1;
    std::int64_t const step = t.reduce_in[run];
    for (std::int64_t r = 0; r < outer; ++r) {
      std::int64_t at = from;
      unravel(extent, run, r, [&](int d, std::int64_t i) { at += i * t.reduce_in[d]; });
      for (std::int64_t i = 0; i < extent[run]; i += group_size) {  // the loads of a group do not wait for each other
        T const* const first = in + at + i * step;
        A group[group_size];
        std::int64_t const left = extent[run] - i;
        TESSERA_UNROLL
        for (int k = 0; k < group_size; ++k) group[k] = static_cast<A>(first[k < left ? k * step : 0]);
        TESSERA_UNROLL
        for (int k = 0; k < group_size; ++k)
          if (k < left) result = combine_by<A>(t.combine, result, group[k]);
      }
    }
    if (parts)
      parts[flat] = result;
    else
      out[to] = static_cast<T>(result);
  }
};

// A team per row, or per piece of one.
template <class T>
struct device_row_reduction {
  using A = register_of<T>;
  device_transfer t;
  T* out;
  T const* in;
  std::int64_t outputs;
  device_piece piece;
  A* parts;
  int threads;
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
      add_row(team, threads, in + at, t.reduce_in[run], extent[run], own,
              [&](A x, A y) { return combine_by<A>(t.combine, x, y); });
    }
    A const sum = sum_of_team_by(team, threads, t.combine, static_cast<A*>(team.scratch()), own);
    if (team.rank() != 0) return;
    if (parts)
      parts[team.team()] = sum;
    else
      out[to] = static_cast<T>(sum);
  }
};
// Adds up the pieces of each result: a thread one after the other, or a team.
template <class T>
struct device_join {
  using A = register_of<T>;
  static constexpr int at_once = 16;  // loads that do not wait for each other
  device_transfer t;
  T* out;
  A const* parts;
  std::int64_t outputs, pieces;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t from = 0, to = 0;
    t.locate(flat, from, to);
    A result = identity_by<A>(t.combine);
    for (std::int64_t k = 0; k < pieces; k += at_once) {
      A some[at_once];
      TESSERA_UNROLL
      for (int i = 0; i < at_once; ++i) some[i] = parts[(k + i < pieces ? k + i : k) * outputs + flat];
      TESSERA_UNROLL
      for (int i = 0; i < at_once; ++i)
        if (k + i < pieces) result = combine_by<A>(t.combine, result, some[i]);
    }
    out[to] = static_cast<T>(result);
  }
};

template <class T>
struct device_team_join {
  using A = register_of<T>;
  device_transfer t;
  T* out;
  A const* parts;
  std::int64_t outputs, pieces;
  int threads;
  TESSERA_FUNCTION void operator()(team_member const& team) const {
    std::int64_t from = 0, to = 0;
    t.locate(team.team(), from, to);
    A own = identity_by<A>(t.combine);
    for (std::int64_t k = team.rank(); k < pieces; k += threads)
      own = combine_by<A>(t.combine, own, parts[k * outputs + team.team()]);
    A const sum = sum_of_team_by(team, threads, t.combine, static_cast<A*>(team.scratch()), own);
    if (team.rank() == 0) out[to] = static_cast<T>(sum);
  }
};

}  // namespace tessera::detail
