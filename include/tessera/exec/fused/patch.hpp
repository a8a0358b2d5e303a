// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies of rectangles of elements: rows x columns, transposed in squares where columns are strided.

#include <tessera/exec/memory/stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

TESSERA_LOOPS_BEGIN
namespace tessera::detail {

// Elements as bits: copies read and write memory of any element type.
template <class Bits>
struct TESSERA_MAY_ALIAS raw_word {
  Bits bits;
};
struct TESSERA_MAY_ALIAS wide_word {
  std::uint64_t low, high;
};

// f(std::type_identity<Word>) of a word of so many bytes.
template <class F>
decltype(auto) with_word(std::int64_t bytes, F const& f) {
  switch (bytes) {
    case 1: return f(std::type_identity<raw_word<std::uint8_t>>{});
    case 2: return f(std::type_identity<raw_word<std::uint16_t>>{});
    case 4: return f(std::type_identity<raw_word<std::uint32_t>>{});
    case 8: return f(std::type_identity<raw_word<std::uint64_t>>{});
    default: return f(std::type_identity<wide_word>{});
  }
}
// f(bytes), which is a constant where a copy of so many bytes is one or two instructions.
template <class F>
TESSERA_INLINE void with_run_size(std::size_t bytes, F const& f) {
  switch (bytes) {
    case 8: return f(std::integral_constant<std::size_t, 8>{});
    case 16: return f(std::integral_constant<std::size_t, 16>{});
    case 32: return f(std::integral_constant<std::size_t, 32>{});
    case 64: return f(std::integral_constant<std::size_t, 64>{});
    default: return f(bytes);
  }
}

// A rectangle of elements, rows x columns; the destination's columns may be strided, too.
struct patch {
  std::int64_t rows, row_out, row_in;  // steps in elements
  std::int64_t columns, column_out, column_in;
};

// The side of the squares that a transposition copies through a buffer; the rows of a square are whole cache lines.
constexpr std::int64_t square_side(std::size_t word) { return word < 8 ? static_cast<std::int64_t>(64 / word) : 8; }

// Of C columns that lie next to each other in `in`, `rows` rows, each as a run of `out`, `apart` elements from the next.
template <int C, class Word>
TESSERA_INLINE void runs_of_columns(Word* out, std::int64_t apart, Word const* in, std::int64_t rows) {
  TESSERA_VECTORIZE
  for (std::int64_t r = 0; r < rows; ++r) {
    TESSERA_UNROLL
    for (int c = 0; c < C; ++c) out[c * apart + r].bits = in[r * C + c].bits;  // as numbers: g++ makes vectors of them
  }
}
// The opposite.
template <int C, class Word>
TESSERA_INLINE void columns_of_runs(Word* out, Word const* in, std::int64_t apart, std::int64_t rows) {
  TESSERA_VECTORIZE
  for (std::int64_t r = 0; r < rows; ++r) {
    TESSERA_UNROLL
    for (int c = 0; c < C; ++c) out[r * C + c].bits = in[c * apart + r].bits;
  }
}
// A transposition from or to rows of few elements, next to each other: of numbers for which g++ makes vectors. Whether
// it is one.
template <int C, class Word>
TESSERA_INLINE bool transposes_few(Word* out, Word const* in, patch const& p) {
  if constexpr (std::is_same_v<Word, wide_word>)
    return false;
  else if (p.rows == C && p.column_in == C)
    runs_of_columns<C>(out, p.row_out, in, p.columns);
  else if (p.columns == C && p.row_out == C)
    columns_of_runs<C>(out, in, p.column_in, p.rows);
  else
    return false;
  return true;
}

// A transposition: columns of the result are runs of the input. Each cache line of either is touched once, since lines
// of rows that are a power of two apart evict each other. write(to, run, bytes).
template <class Word, class Write>
TESSERA_INLINE void transpose_patch(Word* out, Word const* in, patch const& p, Write const& write) {
  constexpr std::int64_t side = square_side(sizeof(Word));
  alignas(64) Word square[side * side], run[side];
  for (std::int64_t c0 = 0; c0 < p.columns; c0 += side)
    for (std::int64_t r0 = 0; r0 < p.rows; r0 += side) {
      Word const* const from = in + r0 + c0 * p.column_in;
      Word* const to = out + r0 * p.row_out + c0;
      std::int64_t const rows = std::min(side, p.rows - r0), columns = std::min(side, p.columns - c0);
      if (rows == side && columns == side) {
        for (std::int64_t c = 0; c < side; ++c)
          std::memcpy(square + c * side, from + c * p.column_in, side * sizeof(Word));
        for (std::int64_t r = 0; r < side; ++r) {
          for (std::int64_t c = 0; c < side; ++c) run[c] = square[c * side + r];
          write(to + r * p.row_out, run, side * sizeof(Word));
        }
      } else {
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t c = 0; c < columns; ++c) to[r * p.row_out + c] = from[c * p.column_in + r];
      }
    }
}

template <class Word>
void copy_patch(void* to, void const* from, patch const& given) {
  patch const p = given;  // no store changes it
  auto* const out = static_cast<Word*>(to);
  auto const* const in = static_cast<Word const*>(from);
  if (p.column_out == 1 && p.column_in == 1) {
    std::size_t const bytes = p.columns * sizeof(Word);
    if (p.row_out == p.columns && p.row_in == p.columns) return static_cast<void>(std::memcpy(out, in, p.rows * bytes));
    with_run_size(bytes, [&]<class Size>(Size size) {
      for (std::int64_t r = 0; r < p.rows; ++r)
        if (!std::is_same_v<Size, std::size_t> || size >= 128)
          std::memcpy(out + r * p.row_out, in + r * p.row_in, size);
        else
          for (std::int64_t c = 0; c < p.columns; ++c) out[r * p.row_out + c] = in[r * p.row_in + c];
    });
  } else if (p.column_out == 1 && p.column_in == 0) {
    for (std::int64_t r = 0; r < p.rows; ++r) {
      Word const value = in[r * p.row_in];
      for (std::int64_t c = 0; c < p.columns; ++c) out[r * p.row_out + c] = value;
    }
  } else if (p.row_in == 1 && p.column_out == 1) {
    if (transposes_few<2>(out, in, p) || transposes_few<3>(out, in, p) || transposes_few<4>(out, in, p) ||
        transposes_few<8>(out, in, p) || transposes_few<16>(out, in, p))
      return;
    transpose_patch(out, in, p, [](Word* to, Word const* run, std::size_t bytes) { std::memcpy(to, run, bytes); });
  } else {
    for (std::int64_t r = 0; r < p.rows; ++r)
      for (std::int64_t c = 0; c < p.columns; ++c)
        out[r * p.row_out + c * p.column_out] = in[r * p.row_in + c * p.column_in];
  }
}

// The same with stores that bypass the caches, for results whose rows are runs.
template <class Word>
void stream_patch(void* to, void const* from, patch const& p) {
  auto* const out = static_cast<Word*>(to);
  auto const* const in = static_cast<Word const*>(from);
  auto const byte_at = [](Word const* at) { return reinterpret_cast<std::byte const*>(at); };
  if (p.column_in == 1)
    for (std::int64_t r = 0; r < p.rows; ++r) {
      Word const *const run = in + r * p.row_in, *const next = r + 1 < p.rows ? run + p.row_in : run + p.columns;
      stream_run(reinterpret_cast<std::byte*>(out + r * p.row_out), byte_at(run), p.columns * sizeof(Word),
                 byte_at(next));
    }
  else
    transpose_patch(out, in, p, [&](Word* row, Word const* run, std::size_t bytes) {
      stream_run(reinterpret_cast<std::byte*>(row), byte_at(run), bytes);
    });
  stream_end();
}

using copy_function = void (*)(void* to, void const* from, patch const& p);

}  // namespace tessera::detail
TESSERA_LOOPS_END
