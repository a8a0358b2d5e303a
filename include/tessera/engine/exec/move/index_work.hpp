// SPDX-License-Identifier: Apache-2.0
#pragma once
// A gather or scatter with its loops: positions, which name a place in x by their indices, and a window that is copied
// or combined at each. On the host the places of many positions are worked out first; then whole windows move.

#include <tessera/engine/exec/move/transfer_run.hpp>
#include <tessera/exec/device/launch.hpp>

#include <limits>

namespace tessera::detail {

struct index_stream {
  int slot = 0;
  bool wide = false;        // int64
  std::int64_t offset = 0;  // in elements
  std::int64_t extent = 0;  // of x's dimension
  std::int64_t last = 0;    // the last start at which a window is inside
  std::int64_t x_step = 0;  // of the dimension
};

struct index_loop {
  std::int64_t extent = 1, x = 0, y = 0;  // steps in x, and in the result (gather) or the updates (scatter)
  std::array<std::int64_t, 16> index{};   // in each stream
};

struct index_work {
  static constexpr int capacity = 16;
  dtype element = dtype::float32;
  monoid combine = monoid::none;
  bool writes = false;  // a scatter: x is written
  bool wraps = false, drops = false, zeros = false;
  int x_slot = 0, y_slot = 0;
  std::int64_t x_offset = 0, y_offset = 0;
  inplace_list<index_loop, capacity> apart{}, meeting{};  // of a scatter: positions of `meeting` may name one place
  inplace_list<index_stream, capacity> streams{};
  int cut = -1;  // of a scatter: the stream whose dimension is divided among tiles
  std::int64_t ranges = 1;
  patch window{};          // the two innermost dimensions; out is y and in is x for a gather, the reverse else
  transfer::dims outer{};  // those around it
  std::int64_t outer_count = 1;
  std::int64_t apart_count = 1, meeting_count = 1;
  std::int64_t a_tile = 1, tiles = 0, bytes = 0;
  copy_function copy = nullptr;
  lane_functions const* lanes = nullptr;

  std::int64_t window_size() const { return outer_count * window.rows * window.columns; }
};

inline constexpr std::int64_t positions_at_once = 256;
inline constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::min();

// The places in x and y of up to positions_at_once positions; `nowhere` for those that are dropped, or not in
// [low, high) of `cut`. Places before an array's first element are lawful: dimensions may run backwards.
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

// Steps from x, y and the streams' indices to position `flat` of these loops.
template <class Loops>
void step_to(index_work const& w, Loops const& loops, std::int64_t flat, std::int64_t& x, std::int64_t& y,
             std::int64_t* index) {
  unravel(loops.begin(), loops.size(), flat, [&](int d, std::int64_t i) {
    x += i * loops[d].x;
    y += i * loops[d].y;
    for (int k = 0; k < w.streams.size(); ++k) index[k] += i * loops[d].index[k];
  });
}

// Positions [first, first + count) of `loops`, from x0 and y0 on: strips of the innermost loop. f(places, count).
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

// What stands where an index is outside: as JAX, NaN, the lowest integer, or true.
TESSERA_COLD inline std::int64_t fill_bits(dtype element, bool zeros) {
  std::int64_t bits = 0;
  if (zeros) return bits;
  with_element(element, [&]<class T>(std::type_identity<T>) {
    T value{};
    if constexpr (std::is_same_v<T, bool>)
      value = true;
    else if constexpr (std::is_integral_v<T>)
      value = std::is_signed_v<T> ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    else
      value = static_cast<T>(std::numeric_limits<typename real_type<register_of<T>>::type>::quiet_NaN());
    std::memcpy(&bits, &value, std::min(sizeof(T), sizeof(bits)));
  });
  return bits;
}

template <class Word>
void gather_words(Word* y, Word const* x, index_places const& at, std::int64_t count, Word fill) {
  if (at.some_dropped)
    for (std::int64_t j = 0; j < count; ++j) y[at.y[j]] = at.x[j] == nowhere ? fill : x[at.x[j]];
  else
    for (std::int64_t j = 0; j < count; ++j) y[at.y[j]] = x[at.x[j]];
}

template <class Word>
void gather_tile(index_work const& w, std::byte* const* frame, std::int64_t tile) {
  auto* const y = reinterpret_cast<Word*>(frame[w.y_slot]) + w.y_offset;
  auto const* const x = reinterpret_cast<Word const*>(frame[w.x_slot]) + w.x_offset;
  auto fill = literal_as<Word>(fill_bits(w.element, w.zeros));
  std::int64_t const total = w.meeting_count, first = tile * w.a_tile;
  std::int64_t const index0[index_work::capacity]{};
  bool const single = w.window_size() == 1;
  patch nothing = w.window;
  nothing.row_in = nothing.column_in = 0;
  each_strip(w, w.meeting, frame, index0, 0, 0, first, std::min(w.a_tile, total - first), 0, 0,
             [&](index_places const& at, std::int64_t n) {
               if (single) return gather_words(y, x, at, n, fill);
               for (std::int64_t j = 0; j < n; ++j)
                 for (std::int64_t o = 0; o < w.outer_count; ++o) {
                   cursor const by = locate(w.outer, o);
                   Word* const to = y + at.y[j] + by.out;
                   if (at.x[j] == nowhere)
                     w.copy(to, &fill, nothing);
                   else
                     w.copy(to, x + at.x[j] + by.in, w.window);
                 }
             });
}

// x o= y over the window: rows of registers, or through a buffer where memory holds others.
inline void combine_window(index_work const& w, std::byte* x, std::byte const* y) {
  std::int64_t const bytes = bytes_of(w.element);
  if (!w.lanes) return w.copy(x, y, w.window);
  for (std::int64_t r = 0; r < w.window.rows; ++r) {
    std::byte* const to = x + r * w.window.row_out * bytes;
    std::byte const* const from = y + r * w.window.row_in * bytes;
    if (w.lanes->direct && w.window.column_out == 1) {
      w.lanes->add(to, from, w.window.column_in, w.window.columns);
      continue;
    }
    alignas(64) std::byte registers[block_size * most_register_bytes];
    for (std::int64_t c = 0; c < w.window.columns; c += block_size) {
      std::int64_t const n = std::min<std::int64_t>(block_size, w.window.columns - c);
      w.lanes->element->gather(registers, to + c * w.window.column_out * bytes, w.window.column_out, n);
      w.lanes->add(registers, from + c * w.window.column_in * bytes, w.window.column_in, n);
      w.lanes->element->scatter(to + c * w.window.column_out * bytes, w.window.column_out, registers, n);
    }
  }
}

// Tile t: the positions of one place of `apart` that fall in one range of the cut dimension, in their order.
inline void scatter_tile(index_work const& w, std::byte* const* frame, std::int64_t tile) {
  std::int64_t const bytes = bytes_of(w.element);
  std::int64_t const range = tile % w.ranges;
  std::int64_t x0 = 0, y0 = 0, index0[index_work::capacity]{};
  step_to(w, w.apart, tile / w.ranges, x0, y0, index0);
  std::int64_t const extent = w.cut < 0 ? 0 : w.streams[w.cut].extent;
  std::byte* const x = frame[w.x_slot] + w.x_offset * bytes;
  std::byte const* const y = frame[w.y_slot] + w.y_offset * bytes;
  each_strip(w, w.meeting, frame, index0, x0, y0, 0, w.meeting_count, extent * range / w.ranges,
             extent * (range + 1) / w.ranges, [&](index_places const& at, std::int64_t n) {
               for (std::int64_t j = 0; j < n; ++j) {
                 if (at.x[j] == nowhere) continue;
                 for (std::int64_t o = 0; o < w.outer_count; ++o) {
                   cursor const by = locate(w.outer, o);
                   combine_window(w, x + (at.x[j] + by.out) * bytes, y + (at.y[j] + by.in) * bytes);
                 }
               }
             });
}

inline void index_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
  auto const& w = *static_cast<index_work const*>(work);
  if (w.writes) return scatter_tile(w, frame, tile);
  switch (bytes_of(w.element)) {
    case 1: return gather_tile<raw_word<std::uint8_t>>(w, frame, tile);
    case 2: return gather_tile<raw_word<std::uint16_t>>(w, frame, tile);
    case 4: return gather_tile<raw_word<std::uint32_t>>(w, frame, tile);
    case 8: return gather_tile<raw_word<std::uint64_t>>(w, frame, tile);
    default: return gather_tile<wide_word>(w, frame, tile);
  }
}

}  // namespace tessera::detail
