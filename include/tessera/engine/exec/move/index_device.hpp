// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gathers and scatters on an accelerator, with one thread per element. Updates that may write the same element use
// atomic operations, in any order. If the last update must win, or the element type has no atomic operations, one
// thread applies all updates that may collide.

#include <tessera/engine/exec/move/index_tile.hpp>
#include <tessera/engine/exec/move/index_work.hpp>
#include <tessera/exec/device/device_launch.hpp>

namespace tessera::detail {

struct device_index_loop {
  std::int64_t extent = 0, x = 0, y = 0, index[4]{};
};

struct device_index_stream {
  std::byte const* data = nullptr;
  bool wide = false;
  std::int64_t extent = 0, last = 0, x_step = 0;
};

// Index work with up to four index arrays, flat, as an argument of kernels.
struct device_index_work {
  static constexpr int streams_at_most = 4;
  int loops = 0, streams = 0, dims = 0;
  device_index_loop loop[index_work::capacity]{};
  device_index_stream stream[streams_at_most]{};
  std::int64_t extent[transfer::capacity]{}, x_step[transfer::capacity]{}, y_step[transfer::capacity]{};
  std::int64_t positions = 1, window = 1;
  std::int64_t meeting = 1;  // consecutive positions whose updates may collide
  bool wraps = false, drops = false;
  monoid combine = monoid::none;
  std::int64_t fill = 0;

  // Finds the offsets of element e of position p's window in x and y; false if the position is dropped.
  TESSERA_FUNCTION bool locate(std::int64_t p, std::int64_t e, std::int64_t& x, std::int64_t& y) const {
    std::int64_t at[streams_at_most]{};
    unravel(loop, loops, p, [&](int d, std::int64_t i) {
      x += i * loop[d].x;
      y += i * loop[d].y;
      for (int k = 0; k < streams; ++k) at[k] += i * loop[d].index[k];
    });
    unravel(extent, dims, e, [&](int d, std::int64_t i) {
      x += i * x_step[d];
      y += i * y_step[d];
    });
    bool inside = true;
    for (int k = 0; k < streams; ++k) {
      auto const& s = stream[k];
      std::int64_t i = s.wide ? reinterpret_cast<std::int64_t const*>(s.data)[at[k]]
                              : reinterpret_cast<std::int32_t const*>(s.data)[at[k]];
      if (wraps && i < 0) i += s.extent;
      if (drops && (i < 0 || i > s.last)) inside = false;
      i = i < 0 ? 0 : i > s.last ? s.last : i;
      x += i * s.x_step;
    }
    return inside;
  }
};

template <class Word>
struct device_gather {
  device_index_work w;
  Word const* x;
  Word* y;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t from = 0, to = 0;
    bool const inside = w.locate(flat / w.window, flat % w.window, from, to);
    y[to] = inside ? x[from] : literal_as<Word>(w.fill);
  }
};

template <class T>
struct device_scatter {
  using A = register_of<T>;
  device_index_work w;
  T* x;
  T const* y;
  static constexpr bool has_atomics = sizeof(T) == 4 || sizeof(T) == 8;
  static bool one_by_one(device_index_work const& w) { return !has_atomics || w.combine == monoid::none; }

  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t const position = flat / w.window, element = flat % w.window;
    if (!has_atomics || w.combine == monoid::none)
      for (std::int64_t m = 0; m < w.meeting; ++m) put(position * w.meeting + m, element);
    else
      put(position, element);
  }
  TESSERA_FUNCTION void put(std::int64_t position, std::int64_t element) const {
    std::int64_t to = 0, from = 0;
    if (!w.locate(position, element, to, from)) return;
    if (w.combine == monoid::none) {
      x[to] = y[from];
    } else if constexpr (has_atomics) {
      if (w.combine == monoid::sum)
        device_atomic_add(x + to, y[from]);
      else
        exchange(x + to, y[from]);
    } else {
      x[to] = static_cast<T>(combine_by<A>(w.combine, static_cast<A>(x[to]), static_cast<A>(y[from])));
    }
  }
  TESSERA_FUNCTION void exchange(T* to, T value) const {
    using word = std::conditional_t<sizeof(T) == 4, unsigned int, unsigned long long>;
    auto* const bits = reinterpret_cast<word*>(to);
    word seen = *bits;
    for (;;) {
      T old, made;
      old = *reinterpret_cast<T const*>(&seen);
      made = combine_by<T>(w.combine, old, value);
      word const found = device_compare_exchange(bits, seen, *reinterpret_cast<word const*>(&made));
      if (found == seen) return;
      seen = found;
    }
  }
};

inline device_index_work flat_index_work(index_work const& w, std::byte* const* frame) {
  device_index_work f;
  if (w.streams.size() > device_index_work::streams_at_most)
    throw std::invalid_argument("tessera: at most 4 index arrays at once on an accelerator. Fix: index in two steps.");
  f.streams = w.streams.size();
  auto const add = [&](index_loop const& l) {
    auto& to = f.loop[f.loops++];
    to.extent = l.extent;
    to.x = l.x;
    to.y = l.y;
    for (int k = 0; k < f.streams; ++k) to.index[k] = l.index[k];
  };
  for (auto const& l : w.apart) add(l);
  for (auto const& l : w.meeting) add(l);
  for (int k = 0; k < f.streams; ++k) {
    auto const& s = w.streams[k];
    f.stream[k].data = frame[s.slot] + s.offset * (s.wide ? 8 : 4);
    f.stream[k].wide = s.wide;
    f.stream[k].extent = s.extent;
    f.stream[k].last = s.last;
    f.stream[k].x_step = s.x_step;
  }
  auto const dim = [&](std::int64_t extent, std::int64_t in, std::int64_t out) {
    if (extent == 1) return;
    f.extent[f.dims] = extent;
    f.x_step[f.dims] = w.writes ? out : in;
    f.y_step[f.dims++] = w.writes ? in : out;
  };
  for (auto const& d : w.outer) dim(d.extent, d.in, d.out);
  dim(w.window.rows, w.window.row_in, w.window.row_out);
  dim(w.window.columns, w.window.column_in, w.window.column_out);
  f.positions = w.apart_count * w.meeting_count;
  f.meeting = w.meeting_count;
  f.window = w.window_size();
  f.wraps = w.wraps;
  f.drops = w.drops;
  f.combine = w.combine;
  f.fill = fill_bits(w.element, w.zeros);
  return f;
}

template <class Word>
void launch_device_gather(std::string const& label, device_index_work const& f, index_work const& w,
                          std::byte* const* frame) {
  launch_elements(label, f.positions * f.window,
                  device_gather<Word>{f, reinterpret_cast<Word const*>(frame[w.x_slot]) + w.x_offset,
                                      reinterpret_cast<Word*>(frame[w.y_slot]) + w.y_offset});
}

// A template, so that host builds do not instantiate it.
template <bool OnHost = runs_on_host>
void launch_indexed(std::string const& label, index_work const& w, std::byte* const* frame) {
  if constexpr (!OnHost) {
    device_index_work const f = flat_index_work(w, frame);
    if (f.positions * f.window == 0) return;
    if (w.writes)
      return with_element(w.element, [&]<class T>(std::type_identity<T>) {
        std::int64_t const positions = device_scatter<T>::one_by_one(f) ? f.positions / f.meeting : f.positions;
        launch_elements(label, positions * f.window,
                        device_scatter<T>{f, reinterpret_cast<T*>(frame[w.x_slot]) + w.x_offset,
                                          reinterpret_cast<T const*>(frame[w.y_slot]) + w.y_offset});
      });
    with_word(bytes_of(w.element),
              [&]<class Word>(std::type_identity<Word>) { launch_device_gather<Word>(label, f, w, frame); });
  }
}

}  // namespace tessera::detail
