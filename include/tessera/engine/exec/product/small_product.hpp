// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products on the host whose second operand fits in a core's caches: that operand is packed once per tile, the first is
// read in place, and the result is written once. BLAS packs both in every call, and clears the result before.

#include <tessera/base/vector.hpp>
#include <tessera/engine/exec/fused/row_memory.hpp>
#include <tessera/engine/exec/product/gemm.hpp>

#include <algorithm>
#include <cstring>

namespace tessera::detail {

// c[m,n] = alpha * sum over k of a[m,k] b[k,n] + beta * c[m,n]; each sum adds in the order of k, with one rounding per
// term.
template <class T>
class small_product {
  using vector = typename vector_of<T>::type;
  static constexpr int lanes = sizeof(vector) / sizeof(T);
  static constexpr int rows = lanes * sizeof(T) == 64 ? 8 : 4, vectors = 2, columns = lanes * vectors;

public:
  struct matrix {
    T const* at;
    std::int64_t row, column;  // strides
  };
  static constexpr std::size_t bytes(std::int64_t k, std::int64_t n) {
    return static_cast<std::size_t>(pieces(n, columns) * columns * k) * sizeof(T);
  }

  small_product(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, T beta)
      : m_(m), n_(n), k_(k), alpha_(alpha), beta_(beta) {}

  // `memory`: bytes(k, n), aligned to a vector. All columns of some rows of the result are written before the next
  // rows.
  void run(matrix a, matrix b, T* c, std::int64_t c_row, T* memory) const {
    if (k_ == 0) a.row = b.column = 0;  // nothing is read, and the operands may be null
    for (std::int64_t j = 0; j < n_; j += columns)
      lay_out({b.at + j * b.column, b.row, b.column}, width(j), memory + j * k_);
    std::int64_t i = 0;
    for (; i + rows <= m_; i += rows)
      for (std::int64_t j = 0; j < n_; j += columns)
        block<rows>({a.at + i * a.row, a.row, a.column}, memory + j * k_, c + i * c_row + j, c_row, width(j));
    for (; i < m_; ++i)
      for (std::int64_t j = 0; j < n_; j += columns)
        block<1>({a.at + i * a.row, a.row, a.column}, memory + j * k_, c + i * c_row + j, c_row, width(j));
  }

private:
  std::int64_t width(std::int64_t j) const { return std::min<std::int64_t>(columns, n_ - j); }
  // Packs `columns` columns of b as contiguous rows; columns past the end are 0.
  void lay_out(matrix b, std::int64_t width, T* to) const {
    if (width < columns) std::fill_n(to, k_ * columns, T{});
    if (b.column == 1 && width == columns) {
      for (std::int64_t k = 0; k < k_; ++k) std::memcpy(to + k * columns, b.at + k * b.row, columns * sizeof(T));
    } else if (b.row == 1) {
      turn(b, width, to);
    } else {
      for (std::int64_t k = 0; k < k_; ++k)
        for (std::int64_t j = 0; j < width; ++j) to[k * columns + j] = b.at[k * b.row + j * b.column];
    }
  }
  // Packs columns that are contiguous: transposes squares in registers.
  void turn(matrix b, std::int64_t width, T* to) const {
    std::int64_t k = 0;
    for (; k + lanes <= k_ && width == columns; k += lanes)
      for (int j = 0; j < columns; j += lanes) {
        vector square[lanes];
        for (int i = 0; i < lanes; ++i) std::memcpy(&square[i], b.at + k + (j + i) * b.column, sizeof(vector));
        transpose_square(square);
        for (int i = 0; i < lanes; ++i) std::memcpy(to + (k + i) * columns + j, &square[i], sizeof(vector));
      }
    for (; k < k_; ++k)
      for (std::int64_t j = 0; j < width; ++j) to[k * columns + j] = b.at[k + j * b.column];
  }

  static TESSERA_INLINE vector load(T const* from) {
    vector v;
    std::memcpy(&v, from, sizeof(v));
    return v;
  }
  static TESSERA_INLINE void store(T* to, vector v) { std::memcpy(to, &v, sizeof(v)); }

  // Computes Rows x columns of the result in registers.
  template <int Rows>
  void block(matrix a, T const* b, T* c, std::int64_t c_row, std::int64_t width) const {
    for (int i = 0; i < Rows; ++i) {  // prefetches the memory that the next rows will write
      __builtin_prefetch(c + (i + Rows) * c_row, 1);
      __builtin_prefetch(c + (i + Rows) * c_row + lanes, 1);
    }
    vector sums[Rows][vectors]{};
    for (std::int64_t k = 0; k < k_; ++k, b += columns) {
      vector y[vectors];
      TESSERA_UNROLL
      for (int v = 0; v < vectors; ++v) y[v] = load(b + v * lanes);
      TESSERA_UNROLL
      for (int i = 0; i < Rows; ++i) {
        vector const x = a.at[k * a.column + i * a.row] - vector{};
        TESSERA_UNROLL
        for (int v = 0; v < vectors; ++v) sums[i][v] = multiply_add(x, y[v], sums[i][v]);
      }
    }
    bool const whole = width == columns && alpha_ == 1 && beta_ == 0;
    T all[Rows * columns];
    T* const to = whole ? c : all;
    std::int64_t const row = whole ? c_row : columns;
    TESSERA_UNROLL
    for (int i = 0; i < Rows; ++i) {
      TESSERA_UNROLL
      for (int v = 0; v < vectors; ++v) store(to + i * row + v * lanes, sums[i][v]);
    }
    for (int i = 0; i < Rows && !whole; ++i)
      for (std::int64_t j = 0; j < width; ++j) {
        T& out = c[i * c_row + j];
        out = beta_ == 0 ? alpha_ * all[i * columns + j] : alpha_ * all[i * columns + j] + beta_ * out;
      }
  }

  std::int64_t m_, n_, k_;
  T alpha_, beta_;
};

}  // namespace tessera::detail
