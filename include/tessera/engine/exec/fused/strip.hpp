// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loads and stores strips: memory with any strides to and from lanes, by functions of element_functions.

#include <tessera/exec/fused/fused_work.hpp>
#include <tessera/exec/fused/lanes_on_device.hpp>
#include <tessera/exec/fused/patch.hpp>

TESSERA_LOOPS_BEGIN
namespace tessera::detail {

// The strides of one operand along the two loops of a strip, and their extents.
struct strip_shape {
  std::int64_t rows, row_step, columns, column_step;
  std::int64_t count() const { return rows * columns; }
  // Whether both loops are one run with a constant stride.
  bool flat() const { return rows == 1 || row_step == columns * column_step; }
};

// Copies each of `rows` values `columns` times, one after the other, to lanes that hold most of them.
template <class Word>
void repeat_each(Word* lanes, Word const* values, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t turn = 16;
  std::int64_t row = 0;
  for (; row < rows && row * columns + turn <= rows * columns && columns <= turn; ++row) {
    Word const value = values[row];
    TESSERA_VECTORIZE
    for (std::int64_t j = 0; j < turn; ++j)
      lanes[row * columns + j] = value;  // the next row overwrites what is too much
  }
  for (; row < rows; ++row) std::fill_n(lanes + row * columns, columns, values[row]);
}

// Copies rows of words of `width` bytes, row_out and row_in of them apart.
inline void copy_rows(void* to, std::int64_t row_out, void const* from, std::int64_t row_in, int width,
                      strip_shape const& s) {
  with_word(width, [&]<class Word>(std::type_identity<Word>) {
    copy_patch<Word>(to, from, {s.rows, row_out, row_in, s.columns, 1, 1});
  });
}

// `load`: gather or pack. A lane has `width` bytes, an element has `bytes`. Precondition: at most lane_count elements.
TESSERA_NOINLINE inline void load_strip(decltype(element_functions::gather) load, int bytes, void* lanes,
                                        void const* in, int width, strip_shape const& s) {
  if (s.flat()) return load(lanes, in, s.column_step, s.count());
  auto* const to = static_cast<std::byte*>(lanes);
  if (s.row_step == 0) {
    load(to, in, s.column_step, s.columns);
    std::int64_t const all = s.count() * width;
    for (std::int64_t done = s.columns * width; done < all; done *= 2)
      std::memcpy(to + done, to, static_cast<std::size_t>(std::min(done, all - done)));
  } else if (s.column_step == 0) {
    alignas(64) std::byte values[lane_count * most_register_bytes];
    load(values, in, s.row_step, s.rows);
    with_word(width, [&]<class Word>(std::type_identity<Word>) {
      repeat_each(static_cast<Word*>(lanes), reinterpret_cast<Word const*>(values), s.rows, s.columns);
    });
  } else if (s.column_step == 1 && width == bytes) {
    copy_rows(to, s.columns, in, s.row_step, width, s);
  } else {
    for (std::int64_t r = 0; r < s.rows; ++r)
      load(to + r * s.columns * width, static_cast<std::byte const*>(in) + r * s.row_step * bytes, s.column_step,
           s.columns);
  }
}
// `store`: scatter or unpack.
TESSERA_NOINLINE inline void store_strip(decltype(element_functions::scatter) store, int bytes, void* out,
                                         void const* lanes, int width, strip_shape const& s) {
  if (s.flat())
    store(out, s.column_step, lanes, s.count());
  else if (s.column_step == 1 && width == bytes)
    copy_rows(out, s.row_step, lanes, s.columns, width, s);
  else
    for (std::int64_t r = 0; r < s.rows; ++r)
      store(static_cast<std::byte*>(out) + r * s.row_step * bytes, s.column_step,
            static_cast<std::byte const*>(lanes) + r * s.columns * width, s.columns);
}
TESSERA_NOINLINE inline void index_strip(element_functions const& of, void* registers, std::int64_t first, int width,
                                         strip_shape const& s) {
  for (std::int64_t r = 0; r < s.rows; ++r)
    of.count_up(static_cast<std::byte*>(registers) + r * s.columns * width, first + r * s.row_step, s.column_step,
                s.columns);
}

// Lanes past the end repeat the first lane, so that computing on them cannot trap.
TESSERA_NOINLINE inline void fill_lanes(void* registers, int width, std::int64_t from, std::int64_t to = block_size) {
  auto const fill = [from, to](auto* lanes) {
    constexpr std::int64_t stride = 16;
    auto const value = lanes[0];
    std::int64_t j = from;
    for (; j < to && j % stride != 0; ++j) lanes[j] = value;
    for (; j + stride <= to; j += stride) {
      TESSERA_VECTORIZE
      for (std::int64_t i = j; i < j + stride; ++i) lanes[i] = value;
    }
    for (; j < to; ++j) lanes[j] = value;
  };
  with_word(width, [&]<class Word>(std::type_identity<Word>) { fill(static_cast<Word*>(registers)); });
}

// Registers wider than T wrap to T: x[j] = T(x[j]), in place.
template <class T>
struct settled_lane {
  static TESSERA_FUNCTION register_of<T> eval(register_of<T> x) {
    return static_cast<register_of<T>>(static_cast<T>(x));
  }
};
template <class T>
void settle_lanes(void* lanes, void const* const*, std::int64_t count) {
  auto* const x = static_cast<register_of<T>*>(lanes);
#if defined(TESSERA_ACCELERATOR)
  void const* const in[]{lanes};
  return launch_lanes<settled_lane<T>, register_of<T>, register_of<T>>(x, in, count);
#else
  for (std::int64_t j = 0; j < count; ++j) x[j] = settled_lane<T>::eval(x[j]);
#endif
}
// The function that follows an op on its result: casts to 16-bit floats round, narrow integers wrap. Null: none.
TESSERA_COLD inline lanes_function settling(dtype element, bool rounds) {
  return with_element(element, [&]<class T>(std::type_identity<T>) -> lanes_function {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, register_of<T>>)
      return &settle_lanes<T>;
    else if constexpr (!std::is_same_v<T, register_of<T>>)
      return rounds ? &settle_lanes<T> : nullptr;
    else
      return nullptr;
  });
}

}  // namespace tessera::detail
TESSERA_LOOPS_END
