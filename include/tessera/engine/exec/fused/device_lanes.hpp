// SPDX-License-Identifier: Apache-2.0
#pragma once
// The instructions of a fused group that was not compiled, on an accelerator: each is a kernel over the lanes of some
// rows.

#include <tessera/engine/exec/move/device_reduction.hpp>
#include <tessera/exec/fused/fused_arguments.hpp>
#include <tessera/exec/fused/fused_on_device.hpp>

namespace tessera::detail {

// The lanes of some rows: lane i is element i % lanes_a_row of row first + i / lanes_a_row. A row is one or more
// segments of `columns` lanes.
struct device_lanes {
  fused_arguments arguments{};
  std::int64_t first = 0, columns = 1, lanes_a_row = 1;

  // The offset of a lane's element in an operand, in elements.
  TESSERA_FUNCTION std::int64_t offset(std::int64_t lane, std::int64_t operand) const {
    std::int64_t index[fused_operand::max_loops]{};
    std::int64_t const in_row = lane % lanes_a_row;
    decode(arguments, arguments.rank - 1, first + lane / lanes_a_row, index);
    index[arguments.rank - 1] = in_row % columns;
    std::int64_t result = arguments.offset(operand);
    for (int i = 0; i < arguments.rank; ++i) result += index[i] * arguments.step(operand, i);
    return result + arguments.shift(static_cast<int>(in_row / columns), static_cast<int>(operand));
  }
};

template <class T>
struct lanes_load {
  using A = register_of<T>;
  device_lanes at;
  std::int64_t operand;
  A* out;
  TESSERA_FUNCTION void operator()(std::int64_t lane) const {
    out[lane] = static_cast<A>(reinterpret_cast<T const*>(at.arguments.base(operand))[at.offset(lane, operand)]);
  }
};
template <class T>
struct lanes_index {
  using A = register_of<T>;
  device_lanes at;
  std::int64_t operand;
  A* out;
  TESSERA_FUNCTION void operator()(std::int64_t lane) const {
    out[lane] = settled<T>(static_cast<A>(static_cast<typename real_type<A>::type>(at.offset(lane, operand))));
  }
};
// Stores one lane of each row, or all lanes.
template <class T>
struct lanes_store {
  using A = register_of<T>;
  device_lanes at;
  std::int64_t operand, each;
  A const* in;
  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t const lane = k * each;
    reinterpret_cast<T*>(at.arguments.base(operand))[at.offset(lane, operand)] = static_cast<T>(in[lane]);
  }
};
// Reduces the lanes of each row and writes the result to all of them. Blocks are combined in the order that compiled
// programs use.
template <class T>
struct lanes_reduce {
  using A = register_of<T>;
  std::int64_t lanes_a_row, columns, segments;
  int threads;
  monoid combine;
  A* out;
  A const* in;
  TESSERA_FUNCTION void operator()(team_member const& team) const {
    A const* const row = in + team.team() * lanes_a_row;
    auto* const parts = static_cast<A*>(team.scratch());
    A total = identity_by<A>(combine);
    for (std::int64_t s = 0; s < segments; ++s) {
      A own = identity_by<A>(combine);
      add_row(team, threads, row + s * columns, 1, columns, own,
              [&](A x, A y) { return combine_by<A>(combine, x, y); });
      team.barrier();
      A const sum = sum_of_team_by(team, threads, combine, parts, own);
      total = s == 0 ? sum : combine_by<A>(combine, total, sum);
    }
    A const result = settled<T>(total);
    for (std::int64_t j = team.rank(); j < lanes_a_row; j += threads) out[team.team() * lanes_a_row + j] = result;
  }
};
template <class Word>
struct lanes_repeat {
  Word value;
  Word* out;
  TESSERA_FUNCTION void operator()(std::int64_t lane) const { out[lane] = value; }
};

}  // namespace tessera::detail
