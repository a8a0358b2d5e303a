// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loops of a step over each of its operands: which bytes each part of the work accesses.

#include <tessera/engine/exec/product/gemm.hpp>
#include <tessera/exec/fused/fused_work.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::detail {

// The accesses to one operand: the loops that parts are cut from, outermost first, and the range of all other loops.
struct walked_operand {
  int slot = -1;
  bool writes = false;
  std::int64_t size = 1, offset = 0;  // size: bytes per element; offset: in elements
  std::int64_t low = 0, high = 0;     // range that other loops add, in elements
  std::vector<std::int64_t> steps;    // by loop of walked_step::extents

  void add_loop(std::int64_t extent, std::int64_t step) { (step < 0 ? low : high) += (extent - 1) * step; }
};
struct walked_step {
  std::vector<std::int64_t> extents;
  std::vector<walked_operand> operands;
  std::int64_t tiles = 0, strips = 1, strips_a_tile = 1, rows_a_strip = 1;  // rows_a_strip: of the last extent
};

TESSERA_COLD inline walked_step walked(fused_work const& w) {
  walked_step s{{}, {}, w.tiles, 1, w.strips_a_tile, w.rows_a_strip};
  for (int i = 0; i + 1 < w.rank; ++i) s.extents.push_back(w.extent[i]);
  for (std::size_t i = 0; i + 1 < s.extents.size(); ++i) s.strips *= s.extents[i];
  s.strips *= pieces(w.rows(), w.rows_a_strip);
  for (std::size_t k = 0; k < w.operands.size(); ++k) {
    fused_operand const& o = w.operands[k];
    if (o.slot < 0) continue;
    walked_operand made{o.slot, static_cast<int>(k) >= w.inputs, bytes_of(o.element), o.offset, 0, 0, {}};
    for (int i = 0; i + 1 < w.rank; ++i) made.steps.push_back(o.step[i]);
    made.add_loop(w.columns(), w.step(static_cast<int>(k), w.rank - 1));
    std::int64_t least = 0, most = 0;
    for (int segment = 0; segment < w.segments; ++segment) {
      least = std::min(least, w.shift(segment)[k]);
      most = std::max(most, w.shift(segment)[k]);
    }
    made.low += least;
    made.high += most;
    s.operands.push_back(std::move(made));
  }
  return s;
}
TESSERA_COLD inline walked_step walked(product_work const& w) {
  walked_step s{{}, {}, w.tiles, w.batches, 1, 1};
  auto const add = [&](int slot, bool writes, std::int64_t offset, std::int64_t product_dim::*step) {
    walked_operand made{slot, writes, bytes_of(writes ? w.what.element : w.what.operand()), offset, 0, 0, {}};
    for (auto const& d : w.what.batch) made.steps.push_back(d.*step);
    for (auto const& d : w.what.k) made.add_loop(d.extent, d.*step);
    for (product_dim const* d : {&w.m, &w.n, &w.k}) made.add_loop(d->extent, d->*step);
    s.operands.push_back(std::move(made));
  };
  for (auto const& d : w.what.batch) s.extents.push_back(d.extent);
  add(w.what.a_slot, false, w.what.a_offset, &product_dim::a);
  add(w.what.b_slot, false, w.what.b_offset, &product_dim::b);
  add(w.what.c_slot, true, w.what.c_offset, &product_dim::c);
  return s;
}

// Bytes [begin, end) of an address of the frame.
struct byte_range {
  std::int64_t begin = 0, end = 0;
};

// The bytes of each of `parts` parts of an operand; empty if the loops cannot be cut into them.
TESSERA_COLD inline std::vector<byte_range> part_ranges(walked_step const& s, walked_operand const& o,
                                                        std::int64_t parts) {
  std::vector<byte_range> all;
  for (std::int64_t p = 0; p < parts; ++p) {
    std::int64_t left = parts, index = p, low = o.offset + o.low, high = o.offset + o.high;
    for (std::size_t i = 0; i < s.extents.size(); ++i) {
      std::int64_t extent = s.extents[i], first = 0;
      if (left % extent == 0) {  // one index of the loop
        left /= extent;
        first = index / left;
        index %= left;
        extent = 1;
      } else if (extent % left == 0) {  // a piece of the loop
        extent /= left;
        first = index * extent;
        left = 1;
        index = 0;
      } else {
        return {};
      }
      low += first * o.steps[i] + std::min<std::int64_t>(0, (extent - 1) * o.steps[i]);
      high += first * o.steps[i] + std::max<std::int64_t>(0, (extent - 1) * o.steps[i]);
    }
    if (left != 1) return {};
    all.push_back({low * o.size, (high + 1) * o.size});
  }
  return all;
}

}  // namespace tessera::detail
