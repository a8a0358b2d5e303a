// SPDX-License-Identifier: Apache-2.0
#pragma once
// A gather or scatter as loops: positions, whose indices name a place in x, and a window that is copied or combined at
// each. On the host the offsets of up to 256 positions are computed first; then whole windows are moved.

#include <tessera/engine/exec/move/transfer_run.hpp>
#include <tessera/exec/device/launch.hpp>

#include <limits>

namespace tessera::detail {

struct index_stream {
  int slot = 0;
  bool wide = false;        // indices are int64
  std::int64_t offset = 0;  // of the first index, in elements
  std::int64_t extent = 0;  // of the indexed dimension of x
  std::int64_t last = 0;    // the last start of a window inside of x
  std::int64_t x_step = 0;  // stride of this dimension of x
};

struct index_loop {
  std::int64_t extent = 1, x = 0, y = 0;  // strides in x, and in the result (gather) or updates (scatter)
  std::array<std::int64_t, 16> index{};   // stride in each stream
};

struct index_work {
  static constexpr int capacity = 16;
  dtype element = dtype::float32;
  monoid combine = monoid::none;
  bool writes = false;  // a scatter: y is written to x
  bool wraps = false, drops = false, zeros = false;
  int x_slot = 0, y_slot = 0;
  std::int64_t x_offset = 0, y_offset = 0;
  inplace_list<index_loop, capacity> apart{}, meeting{};  // scatter: positions of `meeting` may have the same place
  inplace_list<index_stream, capacity> streams{};
  int cut = -1;  // scatter: the stream whose dimension is divided among tiles
  std::int64_t ranges = 1;
  patch window{};          // the two innermost dimensions; gather: in is x, out is y; scatter: the reverse
  transfer::dims outer{};  // the other dimensions of the window
  std::int64_t outer_count = 1;
  std::int64_t apart_count = 1, meeting_count = 1;
  std::int64_t a_tile = 1, tiles = 0, bytes = 0;
  copy_function copy = nullptr;
  lane_functions const* lanes = nullptr;

  std::int64_t window_size() const { return outer_count * window.rows * window.columns; }
  // Whether a window is one run in x and y.
  bool has_runs() const {
    return outer_count == 1 && window.rows == 1 &&
           (window.columns == 1 || (window.column_in == 1 && window.column_out == 1));
  }
};

inline constexpr std::int64_t positions_at_once = 256;
inline constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::min();

// The offsets in x and y of up to positions_at_once positions; `nowhere` if a position is dropped or not in [low, high)
// of `cut`. Negative offsets are valid: dimensions may have negative strides.
struct index_places {
  std::int64_t x[positions_at_once], y[positions_at_once];
  bool some_dropped = false;
};

template <class I>
void add_indices(index_work const& w, index_stream const& s, I const* index, std::int64_t step, std::int64_t count,
                 bool cut, std::int64_t low, std::int64_t high, index_places& at) {
  for (std::int64_t j = 0; j < count; ++j) {
    auto i = static_cast<std::int64_t>(index[j * step]);
    if (w.wraps && i < 0) i += s.extent;
    bool out = w.drops && (i < 0 || i > s.last);
    i = i < 0 ? 0 : i > s.last ? s.last : i;
    out = out || (cut && (i < low || i >= high));
    at.x[j] = out || at.x[j] == nowhere ? nowhere : at.x[j] + i * s.x_step;
    at.some_dropped = at.some_dropped || out;
  }
}

// Advances x, y and the streams' indices to position `flat` of these loops.
template <class Loops>
void step_to(index_work const& w, Loops const& loops, std::int64_t flat, std::int64_t& x, std::int64_t& y,
             std::int64_t* index) {
  unravel(loops.begin(), loops.size(), flat, [&](int d, std::int64_t i) {
    x += i * loops[d].x;
    y += i * loops[d].y;
    for (int k = 0; k < w.streams.size(); ++k) index[k] += i * loops[d].index[k];
  });
}

// Calls f(places, count) for positions [first, first + count) of `loops`, starting from x0 and y0, in strips of the
// innermost loop.
template <class Loops, class F>
void each_strip(index_work const& w, Loops const& loops, std::byte* const* frame, std::int64_t const* index0,
                std::int64_t x0, std::int64_t y0, std::int64_t first, std::int64_t count, std::int64_t low,
                std::int64_t high, F const& f) {
  index_places at;
  index_loop const one{};
  index_loop const& inner = loops.empty() ? one : loops[loops.size() - 1];
  while (count > 0) {
    std::int64_t x = x0, y = y0;
    std::int64_t index[index_work::capacity];
    for (int k = 0; k < w.streams.size(); ++k) index[k] = index0[k];
    step_to(w, loops, first, x, y, index);
    std::int64_t const n = std::min({count, positions_at_once, inner.extent - first % inner.extent});
    at.some_dropped = false;
    for (std::int64_t j = 0; j < n; ++j) {
      at.x[j] = x + j * inner.x;
      at.y[j] = y + j * inner.y;
    }
    for (int k = 0; k < w.streams.size(); ++k) {
      index_stream const& s = w.streams[k];
      std::int64_t const step = inner.index[k], from = s.offset + index[k];
      if (s.wide)
        add_indices(w, s, reinterpret_cast<std::int64_t const*>(frame[s.slot]) + from, step, n, k == w.cut, low, high,
                    at);
      else
        add_indices(w, s, reinterpret_cast<std::int32_t const*>(frame[s.slot]) + from, step, n, k == w.cut, low, high,
                    at);
    }
    f(at, n);
    first += n;
    count -= n;
  }
}

}  // namespace tessera::detail
