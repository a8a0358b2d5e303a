// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products and the steps around them as one launch, part by part: what one step has written of a part is in a cache when the
// next reads it. Parts are devices, or blocks of a batch, that need nothing of each other's between these steps; that they
// do not is read off the addresses.

#include <tessera/engine/exec/product/gemm.hpp>
#include <tessera/exec/fused/fused_work.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::detail {

// A slot of the frame that a thread sets before each part: there its memory, from `place` on, stands for bytes of the arena.
struct kept_region {
  int slot = -1;
  std::int64_t place = 0;
  std::vector<std::int64_t> begin;  // of each part: the first of those bytes
};
// Steps first .. first + count - 1 of a bound plan, each cut into so many parts.
struct step_chain {
  int first = 0, count = 0;
  std::int64_t parts = 1, bytes = 0;
  std::vector<kept_region> kept;  // engine/exec/run/chain_memory.hpp
  std::int64_t kept_bytes = 0;
};

// What a step does to one of its operands: the loops that parts are cut from, outermost first, and the rest as a range.
struct walked_operand {
  int slot = -1;
  bool writes = false;
  std::int64_t size = 1, offset = 0;  // bytes of an element; elements
  std::int64_t low = 0, high = 0;     // elements that other loops add
  std::vector<std::int64_t> steps;    // of `walked_step::extents`

  void add_loop(std::int64_t extent, std::int64_t step) { (step < 0 ? low : high) += (extent - 1) * step; }
};
struct walked_step {
  std::vector<std::int64_t> extents;
  std::vector<walked_operand> operands;
  std::int64_t tiles = 0, strips = 1, strips_a_tile = 1, rows_a_strip = 1;  // of the last extent
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
    walked_operand made{slot, writes, bytes_of(w.what.element), offset, 0, 0, {}};
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

// Bytes begin .. end of an address of the frame.
struct byte_range {
  std::int64_t begin = 0, end = 0;
};

// Where each of so many parts of an operand lies; none when they are not parts of its loops.
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
      } else if (extent % left == 0) {  // a piece of it
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

class chain_finder {
public:
  // Slots: arguments, then results, then what no argument lies in. `cache`: of one core.
  chain_finder(int arguments, int results, int threads, std::int64_t cache)
      : arguments_(arguments), results_(results), threads_(threads < 1 ? 1 : threads), cache_(cache) {}

  // Calls made(chain) for the chains of steps first .. last - 1: product(i), fused(i) are the step's work or null,
  // nothing(i): it has none.
  template <class Product, class Fused, class Nothing, class Made>
  TESSERA_COLD void find(int first, int last, Product const& product, Fused const& fused, Nothing const& nothing,
                         Made const& made) {
    for (int i = first; i < last;) {
      start();
      int next = i;
      bool products = false;
      for (; next < last; ++next) {
        if (next > i && nothing(next)) continue;
        product_work const* const p = product(next);
        fused_work const* const f = fused(next);
        if ((!p && !f) || !extend(p ? walked(*p) : walked(*f))) break;
        products = products || p;
        bytes_ += p ? p->bytes : f->bytes;
      }
      std::int64_t touched = 0;
      for (auto const& s : steps_) touched += touched_of(s);
      while (next > i && nothing(next - 1)) --next;
      if (steps_.size() >= 2 && products && touched > cache_ * threads_)
        made(step_chain{i, next - i, chosen(touched), bytes_, {}, 0});
      i = next > i ? next : i + 1;
    }
  }

private:
  static constexpr std::int64_t most_parts = 64;

  void start() {
    steps_.clear();
    bytes_ = 0;
    possible_.clear();
    for (std::int64_t parts = 4 * threads_; parts <= most_parts; parts += threads_) possible_.push_back(parts);
  }
  // Whether the chain goes on with the step: some number of parts serves all of them.
  bool extend(walked_step step) {
    std::vector<std::int64_t> still;
    for (std::int64_t parts : possible_)
      if (cuts(step, parts) && std::none_of(steps_.begin(), steps_.end(),
                                            [&](walked_step const& before) { return meet(before, step, parts); }))
        still.push_back(parts);
    if (still.empty()) return false;
    possible_ = std::move(still);
    steps_.push_back(std::move(step));
    return true;
  }
  // Parts are whole tiles, and whole strips of rows.
  static bool cuts(walked_step const& s, std::int64_t parts) {
    if (s.tiles == 0 || s.extents.empty() || s.tiles % parts || s.strips % parts) return false;
    std::int64_t before = 1;
    for (std::size_t i = 0; i + 1 < s.extents.size(); ++i) before *= s.extents[i];
    bool const within = parts > before && (parts % before || s.extents.back() % (parts / before) ||
                                           s.extents.back() / (parts / before) % s.rows_a_strip);
    return !within && s.strips / parts % s.strips_a_tile == 0 && !part_ranges(s, s.operands.back(), parts).empty();
  }
  // A donated argument may lie where a result does.
  bool may_be_one(int a, int b) const {
    auto const result = [&](int slot) { return slot >= arguments_ && slot < arguments_ + results_; };
    return (a < arguments_ && result(b)) || (b < arguments_ && result(a));
  }
  // One step writes what different parts of the other write or read.
  bool meet(walked_step const& one, walked_step const& other, std::int64_t parts) const {
    for (walked_operand const& x : one.operands)
      for (walked_operand const& y : other.operands) {
        if (!x.writes && !y.writes) continue;
        if (may_be_one(x.slot, y.slot)) return true;
        if (x.slot != y.slot) continue;
        auto const a = part_ranges(one, x, parts), b = part_ranges(other, y, parts);
        for (std::size_t p = 0; p < a.size(); ++p)
          for (std::size_t q = 0; q < b.size(); ++q)
            if (p != q && a[p].begin < b[q].end && b[q].begin < a[p].end) return true;
      }
    return false;
  }
  std::int64_t touched_of(walked_step const& s) const {
    std::int64_t bytes = 0;
    for (walked_operand const& o : s.operands)
      for (byte_range const& r : part_ranges(s, o, possible_.front())) bytes += r.end - r.begin;
    return bytes;
  }
  // As few parts as leave each in a core's cache.
  std::int64_t chosen(std::int64_t touched) const {
    for (std::int64_t parts : possible_)
      if (touched / parts <= cache_) return parts;
    return possible_.back();
  }

  int arguments_, results_;
  std::int64_t threads_, cache_;
  std::vector<walked_step> steps_;
  std::vector<std::int64_t> possible_;
  std::int64_t bytes_ = 0;
};

}  // namespace tessera::detail
