// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loading and storing strips: memory with any steps <-> 64 lanes of registers, 16-bit floats converted on the way.

#include <tessera/exec/fused_work.hpp>

namespace tessera::detail {

// The steps of one operand along the two loops of a strip, and its extents.
struct strip_shape {
  std::int64_t rows, row_step, columns, column_step;
  std::int64_t count() const { return rows * columns; }
  // One run in memory, or one value.
  bool flat() const { return rows == 1 || row_step == columns * column_step; }
};

template <class T>
void load_strip(register_of<T>* out, T const* in, strip_shape const& s) {
  using A = register_of<T>;
  std::int64_t const count = s.count();
  if (!s.flat()) {
    for (std::int64_t r = 0; r < s.rows; ++r)
      for (std::int64_t c = 0; c < s.columns; ++c)
        out[r * s.columns + c] = static_cast<A>(in[r * s.row_step + c * s.column_step]);
  } else if (s.column_step == 1) {
    for (std::int64_t j = 0; j < count; ++j) out[j] = static_cast<A>(in[j]);
  } else {
    for (std::int64_t j = 0; j < count; ++j) out[j] = static_cast<A>(in[j * s.column_step]);
  }
  // Lanes past the end repeat a real element: computing on them cannot trap.
  for (std::int64_t j = count; j < block_size; ++j) out[j] = out[0];
}

template <class T>
void store_strip(T* out, register_of<T> const* in, strip_shape const& s) {
  std::int64_t const count = s.count();
  if (!s.flat()) {
    for (std::int64_t r = 0; r < s.rows; ++r)
      for (std::int64_t c = 0; c < s.columns; ++c)
        out[r * s.row_step + c * s.column_step] = static_cast<T>(in[r * s.columns + c]);
  } else if (s.column_step == 1) {
    for (std::int64_t j = 0; j < count; ++j) out[j] = static_cast<T>(in[j]);
  } else {
    for (std::int64_t j = 0; j < count; ++j) out[j * s.column_step] = static_cast<T>(in[j]);
  }
}

template <class A>
void index_strip(A* out, std::int64_t first, strip_shape const& s) {
  for (std::int64_t r = 0; r < s.rows; ++r)
    for (std::int64_t c = 0; c < s.columns; ++c)
      out[r * s.columns + c] = static_cast<A>(first + r * s.row_step + c * s.column_step);
  for (std::int64_t j = s.count(); j < block_size; ++j) out[j] = out[0];
}

}  // namespace tessera::detail
