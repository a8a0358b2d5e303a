// SPDX-License-Identifier: Apache-2.0
#pragma once
// The short loops of all host code: reductions over 64 lanes in a fixed order. There is one small function per element
// type and monoid, called through a pointer: the code that calls them is compiled once, for each level of instructions.

#include <tessera/base/level.hpp>
#include <tessera/exec/fused/element_loops.hpp>
#include <tessera/exec/memory/stream.hpp>
#include <tessera/graph/monoid.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

TESSERA_LOOPS_BEGIN
namespace tessera::detail {

// lanes[j] o= others[j]
template <monoid M, class A>
void merge_lanes(void* lanes, void const* others, std::int64_t count) {
  auto* const a = static_cast<A*>(lanes);
  auto const* const b = static_cast<A const*>(others);
  constexpr std::int64_t stride = 16;
  std::int64_t j = 0;
  for (; j + stride <= count; j += stride) {
    TESSERA_VECTORIZE
    for (std::int64_t i = j; i < j + stride; ++i) a[i] = combine<M, A>(a[i], b[i]);
  }
  constexpr std::int64_t few = 4;
  for (; j + few <= count; j += few) {
    TESSERA_VECTORIZE
    for (std::int64_t i = j; i < j + few; ++i) a[i] = combine<M, A>(a[i], b[i]);
  }
  for (; j < count; ++j) a[j] = combine<M, A>(a[j], b[j]);
}

// x[at_x[w] + j] o= y[at_y[w] + j] for windows w of so many columns, one after the other; none where at_x is `nowhere`.
template <monoid M, class A>
void merge_windows(void* x, void const* y, std::int64_t const* at_x, std::int64_t const* at_y, std::int64_t windows,
                   std::int64_t columns, std::int64_t nowhere) {
  for (std::int64_t w = 0; w < windows; ++w)
    if (at_x[w] != nowhere)
      merge_lanes<M, A>(static_cast<A*>(x) + at_x[w], static_cast<A const*>(y) + at_y[w], columns);
}

// lanes[j % 64] o= others[j], whole blocks of 64
template <monoid M, class A>
void merge_blocks(void* lanes, void const* others, std::int64_t count) {
  auto* const a = static_cast<A*>(lanes);
  auto const* const b = static_cast<A const*>(others);
  constexpr std::int64_t stride = 16;
  for (std::int64_t first = 0; first < block_size; first += stride) {
    A sum[stride];
    for (std::int64_t i = 0; i < stride; ++i) sum[i] = a[first + i];
    for (std::int64_t j = first; j < count; j += block_size) {
      TESSERA_VECTORIZE
      for (std::int64_t i = 0; i < stride; ++i) sum[i] = combine<M, A>(sum[i], b[j + i]);
    }
    for (std::int64_t i = 0; i < stride; ++i) a[first + i] = sum[i];
  }
}

// lanes[0] = all 64 lanes, combined as a tree
template <monoid M, class A>
TESSERA_NOINLINE void fold_lanes(void* block) {
  auto* const a = static_cast<A*>(block);
  constexpr int stride = 16;
  for (int half = block_size / 2; half >= stride; half /= 2)
    for (int i0 = 0; i0 < half; i0 += stride) {
      TESSERA_VECTORIZE
      for (int i = i0; i < i0 + stride; ++i) a[i] = combine<M, A>(a[i], a[half + i]);
    }
  for (int i = 0; i < 8; ++i) a[i] = combine<M, A>(a[i], a[8 + i]);
  for (int i = 0; i < 4; ++i) a[i] = combine<M, A>(a[i], a[4 + i]);
  a[0] = combine<M, A>(combine<M, A>(a[0], a[2]), combine<M, A>(a[1], a[3]));
}

// Combines rows of registers in memory, `step` elements apart: out[j] = identity o in[j] o in[step + j] o ... It takes
// 256 bytes of all rows before the next 256, several rows at a time, so that their sum stays in registers.
template <monoid M, class A>
class row_combiner {
public:
  static void combine_rows(void* out, void const* in, std::int64_t step, std::int64_t rows, std::int64_t columns,
                           bool stream) {
    auto* const to = static_cast<A*>(out);
    auto const* const from = static_cast<A const*>(in);
    // Few rows are each prefetched further along; of many rows, the next ones are prefetched.
    std::int64_t const ahead = rows <= 16 ? std::int64_t{fetched_ahead / sizeof(A)} : 8 * step;
    std::int64_t j = 0;
    for (; j + width <= columns; j += width) {
      alignas(64) A sum[width];
      std::fill_n(sum, width, identity_of<M, A>());
      A const* row = from + j;
      std::int64_t left = rows;
      for (; left >= 8; left -= 8, row += 8 * step) add<8>(sum, row, step, ahead);
      if (left & 4) add<4>(sum, row, step, ahead), row += 4 * step;
      if (left & 2) add<2>(sum, row, step, ahead), row += 2 * step;
      if (left & 1) add<1>(sum, row, step, ahead);
      if (stream)
        stream_run(reinterpret_cast<std::byte*>(to + j), reinterpret_cast<std::byte const*>(sum), sizeof(sum));
      else
        std::memcpy(static_cast<void*>(to + j), static_cast<void const*>(sum), sizeof(sum));
    }
    for (; j < columns; ++j) {
      A sum = identity_of<M, A>();
      for (std::int64_t r = 0; r < rows; ++r) sum = combine<M, A>(sum, from[r * step + j]);
      to[j] = sum;
    }
    if (stream) stream_end();
  }

private:
  static constexpr std::int64_t width = 256 / std::int64_t{sizeof(A)};

  template <int Rows>
  TESSERA_INLINE static void add(A* sum, A const* first, std::int64_t step, std::int64_t ahead) {
    A const* row[Rows];
    for (int r = 0; r < Rows; ++r) row[r] = first + r * step;
    for (int r = 0; r < Rows; ++r)
      for (std::int64_t i = 0; i < width; i += 64 / std::int64_t{sizeof(A)}) __builtin_prefetch(row[r] + ahead + i);
    TESSERA_VECTORIZE
    for (std::int64_t i = 0; i < width; ++i) {
      A all = sum[i];
      for (int r = 0; r < Rows; ++r) all = combine<M, A>(all, row[r][i]);
      sum[i] = all;
    }
  }
};

// A reduction of elements of one type. Lanes are registers.
struct lane_functions {
  element_functions const* element;
  void (*merge)(void* lanes, void const* others, std::int64_t count);
  void (*windows)(void* x, void const* y, std::int64_t const* at_x, std::int64_t const* at_y, std::int64_t windows,
                  std::int64_t columns, std::int64_t nowhere);
  void (*merge_whole)(void* lanes, void const* others, std::int64_t count);
  void (*fold)(void* block);
  void (*rows)(void* out, void const* in, std::int64_t step, std::int64_t rows, std::int64_t columns, bool stream);
  std::int64_t identity;  // the first 8 bytes of one register; the others are 0
  int width;              // bytes of a register
  int element_bytes;
  bool direct;  // memory holds registers

  void start(void* lanes, std::int64_t count) const {
    if (identity == 0) return static_cast<void>(std::memset(lanes, 0, count * width));
    switch (width) {
      case 1: std::memset(lanes, static_cast<int>(identity & 1), count); break;
      case 4: std::fill_n(static_cast<std::int32_t*>(lanes), count, static_cast<std::int32_t>(identity)); break;
      case 8: std::fill_n(static_cast<std::int64_t*>(lanes), count, identity); break;
      default:
        for (std::int64_t i = 0; i < count; ++i)
          static_cast<std::int64_t*>(lanes)[2 * i] = identity, static_cast<std::int64_t*>(lanes)[2 * i + 1] = 0;
    }
  }
  // Initializes the 64 partial results of a row.
  void start_block(void* lanes) const {
    auto const fill = [lanes]<class Word>(Word value) {
      auto* const to = static_cast<Word*>(lanes);
      TESSERA_VECTORIZE
      for (int j = 0; j < block_size; ++j) to[j] = value;
    };
    switch (width) {
      case 4: return fill(static_cast<std::int32_t>(identity));
      case 8: return fill(identity);
      default: return start(lanes, block_size);
    }
  }
  // lanes[j] o= in[j]
  void add(void* lanes, void const* in, std::int64_t stride, std::int64_t count) const {
    if (direct && stride == 1) return merge(lanes, in, count);
    alignas(64) std::byte registers[block_size * most_register_bytes];
    for (std::int64_t j = 0; j < count; j += block_size) {
      std::int64_t const n = count - j < block_size ? count - j : block_size;
      element->gather(registers, static_cast<std::byte const*>(in) + j * stride * element_bytes, stride, n);
      merge(static_cast<std::byte*>(lanes) + j * width, registers, n);
    }
  }
  // block[i % 64] o= in[i]
  void row(void* block, void const* in, std::int64_t stride, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; i += block_size)
      add(block, static_cast<std::byte const*>(in) + i * stride * element_bytes, stride,
          count - i < block_size ? count - i : block_size);
  }
};

template <class A>
constexpr std::int64_t register_bits(A value) {
  if constexpr (std::is_same_v<A, bool>)
    return value;
  else if constexpr (std::is_same_v<A, complex128>)
    return std::bit_cast<std::int64_t>(value.re);  // the other half of an identity is 0
  else if constexpr (sizeof(A) == 4)
    return std::bit_cast<std::int32_t>(value);
  else
    return std::bit_cast<std::int64_t>(value);
}

template <class T, monoid M, level L>
inline constexpr lane_functions lane_table{&element_table<T, L>,
                                           at_level<L, &merge_lanes<M, register_of<T>>>,
                                           at_level<L, &merge_windows<M, register_of<T>>>,
                                           at_level<L, &merge_blocks<M, register_of<T>>>,
                                           &fold_lanes<M, register_of<T>>,
                                           at_level<L, &row_combiner<M, register_of<T>>::combine_rows>,
                                           register_bits(identity_of<M, register_of<T>>()),
                                           static_cast<int>(sizeof(register_of<T>)),
                                           static_cast<int>(sizeof(T)),
                                           std::is_same_v<T, register_of<T>>};

}  // namespace tessera::detail
TESSERA_LOOPS_END
