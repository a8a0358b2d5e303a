// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies on an accelerator whose input has its runs along one dimension and whose output has them along another: squares
// are read along one and written along the other, so that a warp always reads or writes neighboring elements.

#include <tessera/engine/exec/move/device_transfer.hpp>
#include <tessera/exec/device/device_launch.hpp>

#include <string>
#include <utility>

namespace tessera::detail {

template <class Word>
struct device_transpose {
  static constexpr int side = 32, threads = 256;
  static constexpr std::int64_t fewest = 8;  // shorter runs gain nothing

  device_transfer others;                   // all dimensions but the two
  std::int64_t rows = 0, row_out = 0;       // of the dimension whose input is a run
  std::int64_t columns = 0, column_in = 0;  // of the dimension whose output is a run
  std::int64_t batches = 1;
  Word* out = nullptr;
  Word const* in = nullptr;

  static device_transpose find(device_transfer const& t) {
    int from = -1, to = -1;
    for (int d = 0; d < t.kept; ++d) {
      if (t.in[d] == 1 && t.out[d] != 1 && t.extent[d] >= fewest) from = d;
      if (t.out[d] == 1 && t.in[d] != 1 && t.in[d] != 0 && t.extent[d] >= fewest) to = d;
    }
    device_transpose found;
    if (from < 0 || to < 0) return found;
    found.rows = t.extent[from];
    found.row_out = t.out[from];
    found.columns = t.extent[to];
    found.column_in = t.in[to];
    for (int d = 0; d < t.kept; ++d) {
      if (d == from || d == to) continue;
      int const n = found.others.kept++;
      found.others.extent[n] = t.extent[d];
      found.others.in[n] = t.in[d];
      found.others.out[n] = t.out[d];
      found.batches *= t.extent[d];
    }
    return found;
  }
  bool takes() const { return rows > 0; }
  void launch(std::string const& label, Word* to, Word const* from) const {
    device_transpose kernel = *this;
    kernel.out = to;
    kernel.in = from;
    launch_teams(label, batches * squares(rows) * squares(columns), threads,
                 side * (side + 1) * static_cast<int>(sizeof(Word)), kernel);
  }

  TESSERA_FUNCTION void operator()(team_member const& team) const {
    auto* const square = static_cast<Word*>(team.scratch());
    auto const across = static_cast<std::uint32_t>(squares(columns)), down = static_cast<std::uint32_t>(squares(rows));
    auto const which = static_cast<std::uint32_t>(team.team()), line = which / across, batch = line / down;
    std::int64_t const column = std::int64_t{which - line * across} * side,
                       row = std::int64_t{line - batch * down} * side;
    std::int64_t from = 0, to = 0;
    others.locate(batch, from, to);
    int const x = team.rank() % side, y0 = team.rank() / side;
    Word const* const first = in + from + row + x + (column + y0) * column_in;
    Word* const last = out + to + column + x + (row + y0) * row_out;
    TESSERA_UNROLL
    for (int k = 0; k < side * side / threads; ++k) {
      int const y = k * (threads / side);
      if (row + x < rows && column + y0 + y < columns) square[(y0 + y) * (side + 1) + x] = first[y * column_in];
    }
    team.barrier();
    TESSERA_UNROLL
    for (int k = 0; k < side * side / threads; ++k) {
      int const y = k * (threads / side);
      if (row + y0 + y < rows && column + x < columns) last[y * row_out] = square[x * (side + 1) + y0 + y];
    }
  }

private:
  TESSERA_FUNCTION static std::int64_t squares(std::int64_t extent) { return (extent + side - 1) / side; }
};

}  // namespace tessera::detail
