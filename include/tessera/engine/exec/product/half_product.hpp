// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products of 16-bit floats where no library has them: blocks of both operands become float32, BLAS multiplies these, and
// the sums are rounded once, or are the result. A block is small enough for a core's cache, so that whole operands are never copied.

#include <tessera/engine/exec/fused/find_lanes.hpp>
#include <tessera/engine/exec/fused/row_memory.hpp>
#include <tessera/engine/exec/product/cblas.hpp>
#include <tessera/engine/exec/product/gemm.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tessera::detail {

// A block of an operand as floats, the way it lies: its rows one after the other, or its columns.
class float_block {
public:
  float_block(element_functions const& memory, float* to) : memory_(memory), to_(to) {}

  void load(std::byte const* from, std::int64_t rows, std::int64_t row, std::int64_t columns, std::int64_t column,
            std::int64_t bytes) {
    by_columns_ = row == 1 && column != 1;
    std::int64_t const lines = by_columns_ ? columns : rows, apart = by_columns_ ? column : row;
    length_ = by_columns_ ? rows : columns;
    for (std::int64_t i = 0; i < lines; ++i)
      memory_.gather(to_ + i * length_, from + i * apart * bytes, by_columns_ ? row : column, length_);
  }
  bool transposed() const { return by_columns_; }
  int leading() const { return static_cast<int>(length_); }
  float const* data() const { return to_; }

private:
  element_functions const& memory_;
  float* to_;
  bool by_columns_ = false;
  std::int64_t length_ = 1;
};

class half_product {
public:
  explicit half_product(product_work const& w)
      : w_(w),
        read_(elements_of(w.what.operand())),
        memory_(elements_of(w.what.element)),
        size_(bytes_of(w.what.element)) {}

  // c = alpha * (sum over `count` outer terms of a * b) + beta * c, for `rows` x `columns` of c.
  // operands(k): the addresses of a and b of outer term k.
  template <class Operands>
  void run(std::int64_t rows, std::int64_t columns, std::byte* c, Operands const& operands) const {
    std::int64_t const depth = std::min(most_depth, w_.k.extent);
    std::int64_t const high = std::min(most_rows, rows), wide = std::min(most_columns, columns);
    auto* const sums = reinterpret_cast<float*>(row_memory((high * wide + (high + wide) * depth + wide) * 4));
    float_block x(read_, sums + high * wide), y(read_, sums + high * wide + high * depth);
    float* const old = sums + high * wide + (high + wide) * depth;
    for (std::int64_t m = 0; m < rows; m += high)
      for (std::int64_t n = 0; n < columns; n += wide) {
        std::int64_t const tall = std::min(high, rows - m), broad = std::min(wide, columns - n);
        std::memset(sums, 0, static_cast<std::size_t>(tall * broad) * sizeof(float));
        for (std::int64_t outer = 0; outer < w_.outer_k; ++outer) {
          auto const [a, b] = operands(outer);
          for (std::int64_t k = 0; k < w_.k.extent; k += depth) {
            std::int64_t const deep = std::min(depth, w_.k.extent - k);
            x.load(a + (m * w_.m.a + k * w_.k.a) * 2, tall, w_.m.a, deep, w_.k.a, 2);
            y.load(b + (k * w_.k.b + n * w_.n.b) * 2, deep, w_.k.b, broad, w_.n.b, 2);
            blas_product(x.transposed(), y.transposed(), static_cast<int>(tall), static_cast<int>(broad),
                         static_cast<int>(deep), 1.0f, x.data(), x.leading(), y.data(), y.leading(), 1.0f, sums,
                         static_cast<int>(broad));
          }
        }
        for (std::int64_t i = 0; i < tall; ++i)
          write(c + ((m + i) * w_.m.c + n * w_.n.c) * size_, sums + i * broad, old, broad);
      }
  }

private:
  static constexpr std::int64_t most_rows = 128, most_columns = 256, most_depth = 256;

  void write(std::byte* to, float* sums, float* old, std::int64_t count) const {
    auto const alpha = static_cast<float>(w_.what.alpha), beta = static_cast<float>(w_.what.beta);
    if (beta != 0) {
      memory_.gather(old, to, w_.n.c, count);
      for (std::int64_t j = 0; j < count; ++j) sums[j] = alpha * sums[j] + beta * old[j];
    } else if (alpha != 1) {
      for (std::int64_t j = 0; j < count; ++j) sums[j] *= alpha;
    }
    memory_.scatter(to, w_.n.c, sums, count);
  }

  product_work const& w_;
  element_functions const &read_, &memory_;
  std::int64_t size_;
};

}  // namespace tessera::detail
