// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs products and the steps around them as one launch, part by part, so that a part which one step has written is
// still in a cache when the next step reads it. Parts are devices, or blocks of a batch. They must not depend on each
// other between these steps, which is proved from their addresses.

#include <tessera/engine/exec/product/gemm.hpp>
#include <tessera/engine/exec/run/walked_step.hpp>
#include <tessera/exec/fused/fused_work.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::detail {

// A slot of the frame that a thread sets before each part: the thread's memory, from `place` on, replaces bytes of the
// arena.
struct kept_region {
  int slot = -1;
  std::int64_t place = 0;
  std::vector<std::int64_t> begin;  // by part: the first byte in the arena that is replaced
};
// Steps first .. first + count - 1 of a bound plan, each cut into `parts` parts.
struct step_chain {
  int first = 0, count = 0;
  std::int64_t parts = 1, bytes = 0;
  std::vector<kept_region> kept;  // engine/exec/run/chain_memory.hpp
  std::int64_t kept_bytes = 0;
};

class chain_finder {
public:
  // Slots: arguments, then results, then memory that does not overlap arguments. `cache`: bytes of one core's cache.
  chain_finder(int arguments, int results, int threads, std::int64_t cache)
      : arguments_(arguments), results_(results), threads_(threads < 1 ? 1 : threads), cache_(cache) {}

  // Calls made(chain) for the chains of steps first .. last - 1. product(i), fused(i): the step's work or null;
  // nothing(i): whether the step is empty.
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
  // Whether the chain can include the step: a number of parts must remain that suits all steps.
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
  // Whether parts are whole tiles and whole strips of rows.
  static bool cuts(walked_step const& s, std::int64_t parts) {
    if (s.tiles == 0 || s.extents.empty() || s.tiles % parts || s.strips % parts) return false;
    std::int64_t before = 1;
    for (std::size_t i = 0; i + 1 < s.extents.size(); ++i) before *= s.extents[i];
    bool const within = parts > before && (parts % before || s.extents.back() % (parts / before) ||
                                           s.extents.back() / (parts / before) % s.rows_a_strip);
    return !within && s.strips / parts % s.strips_a_tile == 0 && !part_ranges(s, s.operands.back(), parts).empty();
  }
  // Whether two slots may be the same memory: a donated argument may be a result's.
  bool may_be_one(int a, int b) const {
    auto const result = [&](int slot) { return slot >= arguments_ && slot < arguments_ + results_; };
    return (a < arguments_ && result(b)) || (b < arguments_ && result(a));
  }
  // Whether one step writes bytes that a different part of the other reads or writes.
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
  // The smallest number of parts for which each part fits in a core's cache.
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
