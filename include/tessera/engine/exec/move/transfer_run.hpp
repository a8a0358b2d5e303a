// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs transfers: on the host tile by tile with the shared launch, on accelerators by
// engine/exec/move/transfer_device.hpp.

#include <tessera/engine/exec/fused/find_lanes.hpp>
#include <tessera/engine/exec/move/transfer.hpp>
#include <tessera/engine/exec/move/transfer_device.hpp>
#include <tessera/exec/device/launch.hpp>
#include <tessera/exec/memory/buffer.hpp>

namespace tessera {

namespace detail {

// Several transfers in one launch, with disjoint outputs.
struct transfer_batch {
  transfer_work const* works;
  int count;
};

// The offsets of index `flat` of the dims in the input and the output.
struct cursor {
  std::int64_t in, out;
};
constexpr cursor locate(transfer::dims const& dims, std::int64_t flat) {
  cursor at{0, 0};
  unravel(dims.begin(), dims.size(), flat, [&](int d, std::int64_t i) {
    at.in += i * dims[d].in;
    at.out += i * dims[d].out;
  });
  return at;
}

inline void copy_tile(transfer_work const& w, std::byte* const* frame, std::int64_t tile) {
  std::int64_t const bytes = bytes_of(w.what.element);
  std::int64_t const column_tiles = pieces(w.inner.columns, w.columns_a_tile);
  std::int64_t const row_tiles = pieces(w.inner.rows, w.rows_a_tile);
  std::int64_t const c0 = tile % column_tiles * w.columns_a_tile;
  std::int64_t const r0 = tile / column_tiles % row_tiles * w.rows_a_tile;
  std::int64_t const first = tile / column_tiles / row_tiles * w.outers_a_tile;
  std::int64_t const last = std::min(first + w.outers_a_tile, w.outer);
  patch p = w.inner;
  p.rows = std::min(w.rows_a_tile, p.rows - r0);
  p.columns = std::min(w.columns_a_tile, p.columns - c0);
  std::byte* const out = frame[w.what.out_slot] + (w.what.out_offset + r0 * p.row_out + c0 * p.column_out) * bytes;
  std::byte const* const in = frame[w.what.in_slot] + (w.what.in_offset + r0 * p.row_in + c0 * p.column_in) * bytes;
  for (std::int64_t o = first; o < last; ++o) {
    cursor const at = locate(w.what.kept, o);
    w.copy(out + at.out * bytes, in + at.in * bytes, p);
  }
}

// Calls f(input offset) for each index of the first `count` dims.
template <class F>
void each_reduced(transfer::dims const& dims, int count, F const& f) {
  std::int64_t total = 1;
  for (int d = 0; d < count; ++d) total *= dims[d].extent;
  if (count == 1) {
    for (std::int64_t i = 0, in = 0; i < total; ++i, in += dims[0].in) f(in);
    return;
  }
  transfer::dims part = dims;
  part.count = count;
  for (std::int64_t i = 0; i < total; ++i) f(locate(part, i).in);
}

inline void reduce_tile(transfer_work const& w, std::byte* const* frame, std::int64_t tile) {
  std::int64_t const bytes = bytes_of(w.what.element);
  std::int64_t const column_tiles = pieces(w.inner.columns, w.columns_a_tile);
  std::int64_t const outer_tiles = pieces(w.outer, w.outers_a_tile);
  std::int64_t const c0 = tile % column_tiles * w.columns_a_tile;
  std::int64_t const first = tile / column_tiles % outer_tiles * w.outers_a_tile;
  std::int64_t const split = tile / column_tiles / outer_tiles;
  std::int64_t const last = std::min(first + w.outers_a_tile, w.outer);
  std::int64_t const columns = std::min(w.columns_a_tile, w.inner.columns - c0);

  transfer::dims reduced = w.what.reduced;
  std::int64_t start = 0;
  if (w.splits > 1) {
    auto& cut = reduced[w.split_dim];
    std::int64_t const begin = cut.extent * split / w.splits;
    std::int64_t const end = cut.extent * (split + 1) / w.splits;
    start = begin * cut.in;
    cut.extent = end - begin;
  }
  auto const run = reduced[reduced.size() - 1];
  std::byte const* const in = frame[w.what.in_slot] + (w.what.in_offset + start + c0 * w.inner.column_in) * bytes;
  std::byte* const out = frame[w.what.out_slot] + (w.what.out_offset + c0 * w.inner.column_out) * bytes;

  alignas(64) std::byte lanes[reduced_columns * most_register_bytes];
  for (std::int64_t o = first; o < last; ++o) {
    cursor const at = locate(w.what.kept, o);
    std::byte const* const from = in + at.in * bytes;
    std::byte* const to = out + at.out * bytes;
    std::byte* partial = nullptr;
    std::int64_t const width = register_bytes(w.what.element);
    if (w.splits > 1) partial = frame[w.what.scratch_slot] + ((split * w.outer + o) * w.inner.columns + c0) * width;
    if (w.by_rows) {
      for (std::int64_t c = 0; c < columns; ++c) {
        w.lanes->start(lanes, block_size);
        each_reduced(reduced, reduced.size() - 1, [&](std::int64_t offset) {
          w.lanes->row(lanes, from + (c * w.inner.column_in + offset) * bytes, run.in, run.extent);
        });
        w.lanes->fold(lanes);
        if (partial)
          std::memcpy(partial + c * width, lanes, width);
        else
          w.lanes->element->scatter(to + c * w.inner.column_out * bytes, 1, lanes, 1);
      }
    } else if (w.at_once) {
      w.lanes->rows(partial ? partial : to, from, run.in, run.extent, columns, w.stream && !partial);
    } else {
      w.lanes->start(lanes, columns);
      each_reduced(reduced, reduced.size(), [&](std::int64_t offset) {
        w.lanes->add(lanes, from + offset * bytes, w.inner.column_in, columns);
      });
      if (partial)
        std::memcpy(partial, lanes, columns * width);
      else
        w.lanes->element->scatter(to, w.inner.column_out, lanes, columns);
    }
  }
}

// Joins the pieces of a split reduction, in order.
inline void join_splits(transfer_work const& w, std::byte* const* frame) {
  std::int64_t const bytes = bytes_of(w.what.element), width = register_bytes(w.what.element);
  alignas(64) std::byte lanes[512 * most_register_bytes];
  for (std::int64_t o = 0; o < w.outer; ++o)
    for (std::int64_t c0 = 0; c0 < w.inner.columns; c0 += 512) {
      std::int64_t const columns = std::min<std::int64_t>(512, w.inner.columns - c0);
      w.lanes->start(lanes, columns);
      for (std::int64_t s = 0; s < w.splits; ++s)
        w.lanes->merge(lanes, frame[w.what.scratch_slot] + ((s * w.outer + o) * w.inner.columns + c0) * width, columns);
      std::int64_t const out = w.what.out_offset + locate(w.what.kept, o).out + c0 * w.inner.column_out;
      w.lanes->element->scatter(frame[w.what.out_slot] + out * bytes, w.inner.column_out, lanes, columns);
    }
}

inline void transfer_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
  auto const& batch = *static_cast<transfer_batch const*>(work);
  int k = batch.count - 1;
  while (batch.works[k].first_tile > tile) --k;
  transfer_work const& w = batch.works[k];
  if (w.lanes)
    reduce_tile(w, frame, tile - w.first_tile);
  else
    copy_tile(w, frame, tile - w.first_tile);
}

inline void run_transfers(std::string const& label, transfer_batch const& batch, std::byte* const* frame) {
  if constexpr (runs_on_host) {
    std::int64_t tiles = 0, bytes = 0;
    for (int k = 0; k < batch.count; ++k) {
      tiles += batch.works[k].tiles;
      bytes += batch.works[k].bytes;
    }
    launch_tiles(label, {&transfer_tile, &batch, frame}, tiles, bytes);
    for (int k = 0; k < batch.count; ++k)
      if (batch.works[k].splits > 1) join_splits(batch.works[k], frame);
  } else {
    launch_transfers(label, batch.works, batch.count, frame);
  }
}

// Numbers the tiles of works that run in one launch. They use streaming stores if together they do not fit in the
// caches.
TESSERA_COLD inline void number_tiles(transfer_work* works, int count) {
  std::int64_t next = 0, touched = 0, written = 0;
  for (int k = 0; k < count; ++k) {
    works[k].first_tile = next;
    next += works[k].tiles;
    touched += works[k].bytes;
    written += works[k].outputs() * bytes_of(works[k].what.element);
  }
  bool const large = touched >= stream_bytes() && written >= stream_bytes() / 4;
  for (int k = 0; k < count; ++k) {
    works[k].stream = large;
    if (!works[k].lanes) works[k].copy = copy_of(works[k].what.element, large && works[k].runs);
  }
}

}  // namespace detail

// Prepares and runs one transfer within the memory of the execution space. On host spaces it returns when the transfer
// is done.
inline void run(transfer what, std::byte* out, std::byte const* in, std::string const& label = "tessera transfer") {
  what.out_slot = 0;
  what.in_slot = 1;
  what.scratch_slot = 2;
  auto work = detail::prepare(what);
  detail::number_tiles(&work, 1);
  buffer const scratch(work.scratch_bytes);
  std::byte* const frame[]{out, const_cast<std::byte*>(in), scratch.data()};
  detail::run_transfers(label, {&work, 1}, frame);
}

}  // namespace tessera
