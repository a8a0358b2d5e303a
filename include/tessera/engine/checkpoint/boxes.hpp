// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parts of an array as boxes in row-major memory: the runs of elements that two boxes share, and the box that the
// blocks of a process form together.

#include <tessera/aval/value.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::detail {

// [start, stop) of every dimension. `room`: the extents of its memory, which may be larger.
struct array_box {
  int rank = 0;
  by_dim<std::int64_t> start{}, stop{}, room{};

  std::int64_t extent(int d) const { return stop.items[d] - start.items[d]; }
  std::int64_t elements() const {
    std::int64_t product = 1;
    for (int d = 0; d < rank; ++d) product *= std::max<std::int64_t>(extent(d), 0);
    return product;
  }
};

// The elements that `inner` and `outer` share, as runs that are contiguous in both, in ascending order.
class shared_runs {
public:
  shared_runs(array_box const& outer, array_box const& inner) {
    int const rank = outer.rank;
    std::int64_t outer_step = 1, inner_step = 1;
    bool together = true;
    count_ = 1;
    for (int d = rank - 1; d >= 0; --d) {
      auto const from = std::max(outer.start.items[d], inner.start.items[d]);
      auto const to = std::min(outer.stop.items[d], inner.stop.items[d]);
      auto const extent = std::max<std::int64_t>(to - from, 0);
      first_outer_ += (from - outer.start.items[d]) * outer_step;
      first_inner_ += (from - inner.start.items[d]) * inner_step;
      if (together && outer_step == length_ && inner_step == length_) {
        length_ *= extent;
      } else {
        together = false;
        loops_[used_++] = {extent, outer_step, inner_step};
        count_ *= extent;
      }
      outer_step *= outer.room.items[d];
      inner_step *= inner.room.items[d];
    }
    if (length_ == 0) count_ = 0;
  }

  // The number of runs, and the elements of each.
  std::int64_t count() const { return count_; }
  std::int64_t length() const { return length_; }
  // The first element of run i, as an index into the memory of each box.
  struct place {
    std::int64_t outer, inner;
  };
  place operator[](std::int64_t i) const {
    place at{first_outer_, first_inner_};
    for (int k = 0; k < used_; ++k) {
      auto const& loop = loops_[k];
      auto const turn = i % loop.extent;
      i /= loop.extent;
      at.outer += turn * loop.outer;
      at.inner += turn * loop.inner;
    }
    return at;
  }
  // The first run that ends after element `outer`.
  std::int64_t after(std::int64_t outer) const {
    std::int64_t low = 0, high = count_;
    while (low < high) {
      auto const middle = low + (high - low) / 2;
      if ((*this)[middle].outer + length_ > outer)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }
  // Calls f(index in outer, index in inner, elements) for the shared elements in [from, to) of outer.
  template <class F>
  void within(std::int64_t from, std::int64_t to, F const& f) const {
    for (auto i = after(from); i < count_; ++i) {
      auto const at = (*this)[i];
      if (at.outer >= to) break;
      auto const begin = std::max(at.outer, from), end = std::min(at.outer + length_, to);
      f(begin, at.inner + begin - at.outer, end - begin);
    }
  }

private:
  struct loop {
    std::int64_t extent = 1, outer = 0, inner = 0;
  };
  by_dim<loop> loops_{};  // the innermost first
  int used_ = 0;
  std::int64_t length_ = 1, count_ = 1, first_outer_ = 0, first_inner_ = 0;
};

// One box if the boxes form one without holes, else the boxes unchanged. They must not be empty or overlap.
inline std::vector<array_box> joined_boxes(std::vector<array_box> const& boxes) {
  if (boxes.size() < 2) return boxes;
  array_box all = boxes.front();
  for (auto const& box : boxes)
    for (int d = 0; d < all.rank; ++d) {
      all.start.items[d] = std::min(all.start.items[d], box.start.items[d]);
      all.stop.items[d] = std::max(all.stop.items[d], box.stop.items[d]);
    }
  std::int64_t elements = 0;
  for (auto const& box : boxes) elements += box.elements();
  if (elements != all.elements()) return boxes;
  for (int d = 0; d < all.rank; ++d) all.room.items[d] = all.extent(d);
  return {all};
}

}  // namespace tessera::detail
