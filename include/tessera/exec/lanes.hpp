// SPDX-License-Identifier: Apache-2.0
#pragma once
// The short loops everything on the host is made of: copies of a patch, and reductions over 64 lanes in a fixed order.
// One small function per element type and monoid; callers hold pointers to them.

#include <tessera/exec/monoid.hpp>

#include <cstdint>
#include <cstring>

namespace tessera::detail {

inline constexpr int block_size = 64;

// A rectangle of elements, rows x columns; the destination's columns may lie apart, too.
struct patch {
  std::int64_t rows, row_out, row_in;           // steps in elements
  std::int64_t columns, column_out, column_in;
};

template <class Word>
void copy_patch(void* to, void const* from, patch const& p) {
  auto* const out = static_cast<Word*>(to);
  auto const* const in = static_cast<Word const*>(from);
  if (p.column_out == 1 && p.column_in == 1) {
    auto const bytes = static_cast<std::size_t>(p.columns) * sizeof(Word);
    if (bytes >= 128) {
      for (std::int64_t r = 0; r < p.rows; ++r) std::memcpy(out + r * p.row_out, in + r * p.row_in, bytes);
    } else {
      for (std::int64_t r = 0; r < p.rows; ++r)
        for (std::int64_t c = 0; c < p.columns; ++c) out[r * p.row_out + c] = in[r * p.row_in + c];
    }
  } else if (p.column_out == 1 && p.column_in == 0) {
    for (std::int64_t r = 0; r < p.rows; ++r) {
      Word const value = in[r * p.row_in];
      for (std::int64_t c = 0; c < p.columns; ++c) out[r * p.row_out + c] = value;
    }
  } else if (p.row_in == 1) {  // a transposition: small squares, so that both sides stay in cache
    constexpr std::int64_t side = 16;
    for (std::int64_t r0 = 0; r0 < p.rows; r0 += side)
      for (std::int64_t c0 = 0; c0 < p.columns; c0 += side) {
        auto const r1 = r0 + side < p.rows ? r0 + side : p.rows;
        auto const c1 = c0 + side < p.columns ? c0 + side : p.columns;
        for (std::int64_t r = r0; r < r1; ++r)
          for (std::int64_t c = c0; c < c1; ++c) out[r * p.row_out + c * p.column_out] = in[r + c * p.column_in];
      }
  } else {
    for (std::int64_t r = 0; r < p.rows; ++r)
      for (std::int64_t c = 0; c < p.columns; ++c)
        out[r * p.row_out + c * p.column_out] = in[r * p.row_in + c * p.column_in];
  }
}

using copy_function = void (*)(void* to, void const* from, patch const& p);

inline copy_function copy_of(dtype element) {
  switch (bytes_of(element)) {
    case 1: return &copy_patch<std::uint8_t>;
    case 2: return &copy_patch<std::uint16_t>;
    case 4: return &copy_patch<std::uint32_t>;
    default: return &copy_patch<std::uint64_t>;
  }
}

// A reduction's loops. Accumulators are arrays of register_of<T>; strides in elements of T.
struct lane_functions {
  void (*start)(void* lanes, std::int64_t count);                                            // identities
  void (*add)(void* lanes, void const* in, std::int64_t stride, std::int64_t count);        // lanes[j] o= in[j]
  void (*merge)(void* lanes, void const* others, std::int64_t count);                        // lanes[j] o= others[j]
  void (*row)(void* block, void const* in, std::int64_t stride, std::int64_t count);        // block[i % 64] o= in[i]
  void (*fold)(void* block);                                                                 // block[0] = all 64
  void (*finish)(void* out, std::int64_t stride, void const* lanes, std::int64_t count);    // rounds to storage
};

template <class T, monoid M>
struct lane_loops {
  using A = register_of<T>;

  static void start(void* lanes, std::int64_t count) {
    auto* const a = static_cast<A*>(lanes);
    for (std::int64_t j = 0; j < count; ++j) a[j] = identity_of<M, A>();
  }
  static void add(void* lanes, void const* from, std::int64_t stride, std::int64_t count) {
    auto* const a = static_cast<A*>(lanes);
    auto const* const in = static_cast<T const*>(from);
    if (stride == 1) {
      TESSERA_VECTORIZE
      for (std::int64_t j = 0; j < count; ++j) a[j] = combine<M, A>(a[j], static_cast<A>(in[j]));
    } else {
      for (std::int64_t j = 0; j < count; ++j) a[j] = combine<M, A>(a[j], static_cast<A>(in[j * stride]));
    }
  }
  static void merge(void* lanes, void const* others, std::int64_t count) {
    auto* const a = static_cast<A*>(lanes);
    auto const* const b = static_cast<A const*>(others);
    TESSERA_VECTORIZE
    for (std::int64_t j = 0; j < count; ++j) a[j] = combine<M, A>(a[j], b[j]);
  }
  static void row(void* block, void const* from, std::int64_t stride, std::int64_t count) {
    A a[block_size];
    std::memcpy(a, block, sizeof(a));
    auto const* in = static_cast<T const*>(from);
    std::int64_t i = 0;
    if (stride == 1)
      for (; i + block_size <= count; i += block_size, in += block_size) {
        TESSERA_VECTORIZE
        for (int j = 0; j < block_size; ++j) a[j] = combine<M, A>(a[j], static_cast<A>(in[j]));
      }
    for (int j = 0; i < count; ++i, in += stride, j = (j + 1) % block_size)
      a[j] = combine<M, A>(a[j], static_cast<A>(*in));
    std::memcpy(block, a, sizeof(a));
  }
  static void fold(void* block) {
    auto* const a = static_cast<A*>(block);
    for (int half = block_size / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) a[j] = combine<M, A>(a[j], a[j + half]);
  }
  static void finish(void* to, std::int64_t stride, void const* lanes, std::int64_t count) {
    auto* const out = static_cast<T*>(to);
    auto const* const a = static_cast<A const*>(lanes);
    for (std::int64_t j = 0; j < count; ++j) out[j * stride] = static_cast<T>(a[j]);
  }
};

template <class T, monoid M>
inline constexpr lane_functions lane_table{&lane_loops<T, M>::start, &lane_loops<T, M>::add,  &lane_loops<T, M>::merge,
                                           &lane_loops<T, M>::row,   &lane_loops<T, M>::fold, &lane_loops<T, M>::finish};

inline lane_functions const& lanes_of(dtype element, monoid m) {
  return *with_element(element, [m]<class T>(std::type_identity<T>) {
    return with_monoid<T>(m, []<monoid M>(monoid_constant<M>) { return &lane_table<T, M>; });
  });
}

}  // namespace tessera::detail
