// SPDX-License-Identifier: Apache-2.0
#pragma once
// A transfer, the form of every movement of elements: out[i] = in[i], or out[i] = the reduction over r of in[i, r],
// with addresses that are affine in the indices. Copies, materialized views, concatenations, reductions and all
// collectives within a process are transfers. This header has the form and its preparation: few dimensions, long runs,
// tiles of a fixed size. Results do not depend on the number of threads: the extents alone determine the order of a
// reduction.

#include <tessera/base/inplace_list.hpp>
#include <tessera/base/loops.hpp>
#include <tessera/engine/exec/fused/find_lanes.hpp>
#include <tessera/exec/device/space.hpp>
#include <tessera/exec/memory/stream.hpp>

#include <algorithm>
#include <cstdlib>

namespace tessera {

// One loop: its extent, and its strides in the input and the output, in elements.
struct transfer_dim {
  std::int64_t extent = 1, in = 0, out = 0;
};

struct transfer {
  static constexpr int capacity = 24;  // dimensions and mesh axes of both sides, before joining
  using dims = inplace_list<transfer_dim, capacity>;

  dtype element = dtype::float32;
  monoid combine = monoid::none;
  bool in_order = false;   // a sequential reduction: over devices, whose blocks may be anywhere
  dims kept{}, reduced{};  // `out` of a reduced dimension is not used
  std::int64_t in_offset = 0, out_offset = 0;
  int in_slot = 1, out_slot = 0, scratch_slot = 2;  // slots of the frame

  constexpr void keep(std::int64_t extent, std::int64_t in, std::int64_t out) { kept.push_back({extent, in, out}); }
  constexpr void reduce(std::int64_t extent, std::int64_t in) { reduced.push_back({extent, in, 0}); }
};

namespace detail {

// A prepared transfer.
struct transfer_work {
  transfer what{};  // `kept` is sorted by output stride, joined, without those in `inner`
  patch inner{};    // the two innermost loops of a copy; a reduction's columns
  copy_function copy = nullptr;
  lane_functions const* lanes = nullptr;
  bool by_rows = false;    // reduction: each output reduces one run; else columns are lanes
  bool at_once = false;    // reduction: all rows of some columns at once, into the output
  bool runs = false;       // copy: output runs are long enough for streaming stores
  bool stream = false;     // reduction: with streaming stores
  std::int64_t outer = 1;  // outputs / (rows * columns)
  std::int64_t reduce_count = 1;
  int split_dim = 0;  // the reduced dimension cut in `splits` pieces, joined in scratch
  std::int64_t splits = 1;
  std::int64_t outers_a_tile = 1, rows_a_tile = 1, columns_a_tile = 1;
  std::int64_t tiles = 0, first_tile = 0;
  std::int64_t bytes = 0;  // read and written
  std::int64_t scratch_bytes = 0;

  std::int64_t outputs() const { return outer * inner.rows * inner.columns; }
};

inline constexpr std::int64_t tile_elements = 8192;
// The columns that a reduction over rows adds up together: long runs of memory, with sums in the L1 cache.
inline constexpr std::int64_t reduced_columns = 4096;

constexpr std::int64_t pieces(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

// Drops extents of 1, sorts by `stride` (largest first), and joins neighbors that are one run in both arrays.
template <class Stride>
constexpr void simplify(transfer::dims& dims, Stride stride, bool in_only) {
  sort_loops(dims, stride);
  join_loops(dims, [in_only](transfer_dim const& outer, transfer_dim const& inner) {
    return one_run(outer, inner, &transfer_dim::in) && (in_only || one_run(outer, inner, &transfer_dim::out));
  });
}

constexpr std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }

constexpr void remove_dim(transfer::dims& dims, int which) {
  for (int i = which; i + 1 < dims.size(); ++i) dims[i] = dims[i + 1];
  --dims.count;
}

TESSERA_COLD inline void prepare_copy(transfer_work& w) {
  auto& kept = w.what.kept;
  transfer_dim columns{1, 1, 1}, rows{1, 0, 0};
  if (!kept.empty()) {
    columns = kept[kept.size() - 1];
    --kept.count;
  }
  int chosen = kept.size() - 1;
  if (columns.in != 1 && columns.in != 0)
    for (int i = 0; i < kept.size(); ++i)
      if (kept[i].in == 1) chosen = i;  // a transposition: also walks the input's runs
  if (chosen >= 0) {
    rows = kept[chosen];
    remove_dim(kept, chosen);
  }
  w.inner = {rows.extent, rows.out, rows.in, columns.extent, columns.out, columns.in};
  w.outer = extents_product(kept);
  if (w.outputs() == 0) return;
  bool const transposed = rows.in == 1 && columns.in != 1 && columns.in != 0;
  if (transposed) {  // long runs of the input
    std::int64_t const side = square_side(bytes_of(w.what.element));
    w.rows_a_tile = std::min(rows.extent, tile_elements / side);
    w.columns_a_tile = std::min(columns.extent, tile_elements / w.rows_a_tile / side * side);
  } else {
    w.columns_a_tile = std::min(columns.extent, 2 * tile_elements);
    w.rows_a_tile = std::min(rows.extent, std::max<std::int64_t>(1, tile_elements / w.columns_a_tile));
  }
  bool const whole = w.columns_a_tile == columns.extent && w.rows_a_tile == rows.extent;
  if (whole) w.outers_a_tile = std::clamp<std::int64_t>(tile_elements / (rows.extent * columns.extent), 1, w.outer);
  w.tiles =
      pieces(w.outer, w.outers_a_tile) * pieces(rows.extent, w.rows_a_tile) * pieces(columns.extent, w.columns_a_tile);
  w.bytes = 2 * w.outputs() * bytes_of(w.what.element);
  w.runs = columns.out == 1 && (transposed || (columns.in == 1 && w.columns_a_tile * bytes_of(w.what.element) >= 512));
}

TESSERA_COLD inline void prepare_reduction(transfer_work& w) {
  auto& kept = w.what.kept;
  auto& reduced = w.what.reduced;
  w.lanes = &lanes_of(w.what.element, w.what.combine);
  simplify(
      reduced, [](transfer_dim const& d) { return magnitude(d.in); }, true);
  w.reduce_count = extents_product(reduced);
  if (reduced.empty()) reduced.push_back({1, 0, 0});
  transfer_dim columns{1, 1, 1};
  if (!kept.empty()) {
    columns = kept[kept.size() - 1];
    --kept.count;
  }
  auto const run = reduced[reduced.size() - 1];
  w.by_rows = !w.what.in_order && run.extent >= 8 && (columns.in != 1 || columns.extent < 8) &&
              (magnitude(run.in) <= magnitude(columns.in) || columns.extent < 8);
  w.inner = {1, 0, 0, columns.extent, columns.out, columns.in};
  w.outer = extents_product(kept);
  if (w.outputs() == 0) return;
  w.columns_a_tile = std::min<std::int64_t>(
      columns.extent, w.by_rows ? std::max<std::int64_t>(1, tile_elements / std::max<std::int64_t>(1, w.reduce_count))
                                : reduced_columns);
  std::int64_t const column_tiles = pieces(columns.extent, w.columns_a_tile);
  if (column_tiles == 1)
    w.outers_a_tile = std::clamp<std::int64_t>(
        tile_elements / (columns.extent * std::max<std::int64_t>(1, w.reduce_count)), 1, w.outer);
  std::int64_t const result_tiles = pieces(w.outer, w.outers_a_tile) * column_tiles;
  // Few results of many inputs: cuts the longest reduced dimension, so that all threads have work.
  for (int d = 0; d < reduced.size(); ++d)
    if (reduced[d].extent > reduced[w.split_dim].extent) w.split_dim = d;
  std::int64_t const work = w.reduce_count * w.outputs();
  constexpr std::int64_t most = runs_on_host ? 64 : 1024;  // a GPU has ten thousand threads and more under way
  if (!w.what.in_order && result_tiles < 16 && work >= 4 * tile_elements)
    w.splits = std::clamp<std::int64_t>(work / (2 * tile_elements) / result_tiles, 1,
                                        std::min(w.by_rows ? most : 64, reduced[w.split_dim].extent));
  w.at_once = !w.by_rows && w.lanes->direct && columns.in == 1 && columns.out == 1 && reduced.size() == 1;
  w.bytes = (work + w.outputs()) * bytes_of(w.what.element);
  if (w.splits > 1) w.scratch_bytes = w.splits * w.outputs() * register_bytes(w.what.element);
  w.tiles = result_tiles * w.splits;
}

// Removes the splits, so that one tile computes each result.
inline void without_splits(transfer_work& w) {
  w.tiles /= w.splits;
  w.splits = 1;
  w.scratch_bytes = 0;
}

// Prepares one transfer; number_tiles makes it part of a launch.
TESSERA_COLD inline transfer_work prepare(transfer const& what) {
  transfer_work w;
  w.what = what;
  simplify(
      w.what.kept, [](transfer_dim const& d) { return magnitude(d.out); }, false);
  if (what.combine == monoid::none)
    prepare_copy(w);
  else
    prepare_reduction(w);
  return w;
}

}  // namespace detail

}  // namespace tessera
