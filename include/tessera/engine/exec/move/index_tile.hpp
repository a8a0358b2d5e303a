// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs tiles of a gather or scatter on the host: windows are copied or combined at the positions that the indices name.

#include <tessera/engine/exec/move/index_work.hpp>
#include <tessera/engine/exec/move/transfer_run.hpp>

#include <limits>

namespace tessera::detail {

// The bits of the value for an index outside of the array. As in JAX: NaN, the lowest signed or highest unsigned
// integer, or true; or zero.
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

// Copies windows that are runs of `bytes` bytes, a constant or a number.
template <class Word, class Bytes>
void gather_runs(Word* y, Word const* x, index_places const& at, std::int64_t count, Word fill, Bytes bytes) {
  for (std::int64_t j = 0; j < count; ++j)
    if (at.x[j] == nowhere)
      std::fill_n(y + at.y[j], bytes / sizeof(Word), fill);
    else
      std::memcpy(static_cast<void*>(y + at.y[j]), x + at.x[j], bytes);
}

template <class Word>
void gather_tile(index_work const& w, std::byte* const* frame, std::int64_t tile) {
  auto* const y = reinterpret_cast<Word*>(frame[w.y_slot]) + w.y_offset;
  auto const* const x = reinterpret_cast<Word const*>(frame[w.x_slot]) + w.x_offset;
  auto fill = literal_as<Word>(fill_bits(w.element, w.zeros));
  std::int64_t const total = w.meeting_count, first = tile * w.a_tile;
  std::int64_t const index0[index_work::capacity]{};
  bool const single = w.window_size() == 1, runs = w.has_runs();
  std::size_t const bytes = w.window.columns * sizeof(Word);
  patch nothing = w.window;
  nothing.row_in = nothing.column_in = 0;
  each_strip(w, w.meeting, frame, index0, 0, 0, first, std::min(w.a_tile, total - first), 0, 0,
             [&](index_places const& at, std::int64_t n) {
               if (single) return gather_words(y, x, at, n, fill);
               if (runs) return with_run_size(bytes, [&](auto size) { gather_runs(y, x, at, n, fill, size); });
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

// Combines y into x over the window: rows of registers directly, other memory through a buffer.
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

// A tile has the positions of one index of `apart` that fall in one range of the cut dimension, in their order.
inline void scatter_tile(index_work const& w, std::byte* const* frame, std::int64_t tile) {
  std::int64_t const bytes = bytes_of(w.element);
  std::int64_t const range = tile % w.ranges;
  std::int64_t x0 = 0, y0 = 0, index0[index_work::capacity]{};
  step_to(w, w.apart, tile / w.ranges, x0, y0, index0);
  std::int64_t const extent = w.cut < 0 ? 0 : w.streams[w.cut].extent;
  std::byte* const x = frame[w.x_slot] + w.x_offset * bytes;
  std::byte const* const y = frame[w.y_slot] + w.y_offset * bytes;
  bool const runs = w.lanes && w.lanes->direct && w.has_runs();
  each_strip(w, w.meeting, frame, index0, x0, y0, 0, w.meeting_count, extent * range / w.ranges,
             extent * (range + 1) / w.ranges, [&](index_places const& at, std::int64_t n) {
               if (runs) return w.lanes->windows(x, y, at.x, at.y, n, w.window.columns, nowhere);
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
  with_word(bytes_of(w.element), [&]<class Word>(std::type_identity<Word>) { gather_tile<Word>(w, frame, tile); });
}

}  // namespace tessera::detail
