// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prepares the loops of a fused group: joins runs, and cuts the space into tiles.

#include <tessera/base/loops.hpp>
#include <tessera/exec/fused/element_loops.hpp>
#include <tessera/exec/fused/fused_work.hpp>
#include <tessera/exec/fused/kernel.hpp>
#include <tessera/plan/base/plan.hpp>

#include <algorithm>
#include <vector>

namespace tessera {
namespace detail {

// Bytes of memory that are read and written.
inline std::int64_t touched_bytes(fused_work const& w) {
  std::int64_t total = 0;
  for (auto const& o : w.operands) {
    if (o.slot < 0) continue;
    std::int64_t elements = w.segments;
    for (int i = 0; i < w.rank; ++i)
      if (o.step[i] != 0 || o.slots[i] != 0) elements *= w.extent[i];
    total += elements * bytes_of(o.element);
  }
  return total;
}
// Whether a result overwrites an operand, whose cache lines are loaded already.
inline bool overwrites(fused_work const& w) {
  for (int out = w.inputs; out < w.inputs + w.outputs; ++out)
    for (int in = 0; in < w.inputs; ++in) {
      auto const &a = w.operands[out], &b = w.operands[in];
      if (a.slot == b.slot && a.offset * bytes_of(a.element) == b.offset * bytes_of(b.element)) return true;
    }
  return false;
}

// A loop of a group before loops are joined; `place` is the index of its steps.
struct fused_loop {
  std::int64_t extent = 1;
  int place = 0;
};

// Where each turn of a loop has few short rows, runs some of its turns inside of the loop over these rows, so that a strip
// has many: [e, k, c] becomes [e / n, k, n, c]. A block of n k c elements stays in a core's cache.
TESSERA_COLD inline void lengthen_rows(fused_work& w) {
  constexpr std::int64_t few = 128, most = 4096;  // elements
  std::int64_t const columns = w.columns(), elements = w.rows() * columns;
  if (w.rank < 3 || w.rank == fused_operand::max_loops || elements == 0 || elements >= few) return;
  int const outer = w.rank - 3;
  if (std::any_of(w.operands.begin(), w.operands.end(), [&](auto const& o) { return o.slots[outer] != 0; })) return;
  std::int64_t turns = std::min(w.extent[outer], most / elements);
  while (turns > w.rows() && w.extent[outer] % turns != 0) --turns;
  if (turns <= w.rows()) return;
  auto const turned = [&](auto& steps) {
    steps[outer + 3] = steps[outer + 2];
    steps[outer + 2] = steps[outer];
    steps[outer] *= turns;
  };
  for (auto& o : w.operands) turned(o.step), o.slots[outer + 3] = 0;
  std::int64_t const all = w.extent[outer];
  turned(w.extent);
  w.extent[outer] = all / turns;
  w.extent[outer + 2] = turns;
  ++w.rank;
}

// Joins loops that are one run for every operand, drops loops of extent one, and cuts the space into tiles. Row
// programs keep their last loop. `launched`: threads of an accelerator run the group. Precondition: extent, rank and steps
// are set.
TESSERA_COLD inline void prepare(fused_work& w, bool interpreted, bool launched = false) {
  int const fixed = w.by_rows ? 1 : 0;
  std::size_t const last = w.rank - 1;
  std::int64_t const row = w.by_rows ? w.extent[last] : 1;
  std::vector<std::int64_t> row_step(w.operands.size());
  if (w.by_rows)
    for (std::size_t k = 0; k < w.operands.size(); ++k) row_step[k] = w.operands[k].step[last];
  inplace_list<fused_loop, fused_operand::max_loops> loops;
  for (int i = 0; i < w.rank - fixed; ++i) loops.push_back({w.extent[i], i});
  join_loops(loops, [&](fused_loop const& outer, fused_loop const& inner) {
    bool run = true;
    for (auto const& o : w.operands)
      run = run && o.step[outer.place] == o.step[inner.place] * inner.extent &&
            o.slots[outer.place] == o.slots[inner.place] * inner.extent;
    return run;
  });
  w.rank = loops.size();
  for (int i = 0; i < w.rank; ++i) {
    w.extent[i] = loops[i].extent;
    for (auto& o : w.operands) {
      o.step[i] = o.step[loops[i].place];
      o.slots[i] = o.slots[loops[i].place];
    }
  }
  auto const append = [&](std::int64_t extent, bool is_row) {
    w.extent[w.rank] = extent;
    for (std::size_t k = 0; k < w.operands.size(); ++k) {
      w.operands[k].step[w.rank] = is_row ? row_step[k] : 0;
      w.operands[k].slots[w.rank] = 0;
    }
    ++w.rank;
  };
  auto const apart = [&](int i) {
    return i >= 0 && std::any_of(w.operands.begin(), w.operands.end(), [&](auto const& o) { return o.slots[i] != 0; });
  };
  if (apart(w.rank - 1)) {
    append(1, false);
    if (!w.by_rows) append(1, false);
  } else if (!w.by_rows && apart(w.rank - 2)) {  // the columns of a row stay the last loop
    append(1, false);
    std::swap(w.extent[w.rank - 2], w.extent[w.rank - 1]);
    for (auto& o : w.operands) std::swap(o.step[w.rank - 2], o.step[w.rank - 1]);
  }
  if (w.by_rows) {
    if (w.rank == 0) append(1, false);
    append(row, true);
  } else if (w.rank == 0) {
    append(1, false);
    append(1, false);
  } else if (w.rank == 1) {
    w.extent[1] = w.extent[0];
    w.extent[0] = 1;
    for (auto& o : w.operands) o.step[1] = o.step[0], o.step[0] = 0;
    w.rank = 2;
  }
  if (!launched) lengthen_rows(w);
  std::int64_t outer = 1;
  for (int i = 0; i < w.rank - 2; ++i) outer *= w.extent[i];
  std::int64_t const columns = w.columns(), rows = w.rows();
  if (outer * rows * columns == 0 && !(w.by_rows && outer * rows > 0)) return;
  constexpr std::int64_t target = 8192;
  w.runs = true;
  for (auto const& i : w.code)
    if (!i.row && (i.kind == code_kind::load || i.kind == code_kind::store)) {
      auto const& o = w.operands[i.kind == code_kind::load ? i.a : i.b];
      bool const repeated = i.kind == code_kind::load && o.step[w.rank - 1] == 0;
      w.runs = w.runs && (o.step[w.rank - 1] == 1 || repeated) &&
               (!interpreted || bytes_of(o.element) == register_bytes(o.element));
      w.repeats = w.repeats || repeated;
    } else if (i.kind == code_kind::index) {
      w.repeats = true;
    }
  std::int64_t const block = interpreted ? lane_count : block_size;
  bool const narrow_runs = w.compiled && w.compiled->rows && w.runs && columns >= w.compiled->stride;
  if (!w.by_rows && columns < block && !narrow_runs)
    w.rows_a_strip = std::min(rows, lane_count / columns);
  else if (interpreted ? w.by_rows : w.runs)
    w.rows_a_strip = std::clamp<std::int64_t>(target / std::max<std::int64_t>(1, columns * w.segments), 1, rows);
  w.columns_a_tile = w.by_rows || columns < 2 * target ? columns : target;
  for (auto const& o : w.operands) {
    std::int64_t const step = w.rows_a_strip * o.step[w.rank - 2];
    w.advances.push_back({step, o.slot < 0 ? 0 : step * bytes_of(o.element)});
  }
  std::int64_t const strips = outer * ((rows + w.rows_a_strip - 1) / w.rows_a_strip);
  std::int64_t const strip_size = std::max<std::int64_t>(1, w.rows_a_strip * w.columns_a_tile * w.segments);
  w.strips_a_tile = std::clamp<std::int64_t>(target / strip_size, 1, strips);
  std::int64_t const column_tiles = w.columns_a_tile ? (columns + w.columns_a_tile - 1) / w.columns_a_tile : 1;
  w.tiles = (strips + w.strips_a_tile - 1) / w.strips_a_tile * column_tiles;
  w.streams = w.runs && touched_bytes(w) >= stream_bytes() && !overwrites(w);
  for (auto const& o : w.operands) {
    std::int64_t const next_row = o.slot < 0 ? 0 : o.step[w.rank - 2] * bytes_of(o.element);
    w.ahead.push_back(!w.streams || next_row == 0 ? 0 : w.by_rows ? next_row : std::int64_t{fetched_ahead});
  }
  std::int64_t computed = 0;
  for (auto const& i : w.code) computed += i.kind == code_kind::compute || i.kind == code_kind::reduce;
  w.bytes = outer * rows * columns * w.segments * (4 * (w.inputs + w.outputs) + 2 * computed);
}

}  // namespace detail
}  // namespace tessera
