// SPDX-License-Identifier: Apache-2.0
// Products that stay in a cache, in every layout of their operands, against nested loops.
// optimized

#include <tessera/engine/exec/product/small_product.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using tessera::detail::small_product;

std::mt19937 engine{17};

template <class T>
std::vector<T> numbers(std::int64_t count) {
  std::uniform_int_distribution<int> any{-8, 8};
  std::vector<T> all(static_cast<std::size_t>(count));
  for (T& x : all) x = static_cast<T>(any(engine));
  return all;
}

struct lies {
  std::int64_t row, column, size;
};
// Of rows x columns: runs along rows, along columns, or neither.
lies layout(int way, std::int64_t rows, std::int64_t columns) {
  std::int64_t const apart = (way == 1 ? rows : columns) + 3;
  if (way == 0) return {apart, 1, rows * apart};
  if (way == 1) return {1, apart, columns * apart};
  return {2 * apart, 2, 2 * rows * apart};
}

template <class T>
void expect_like_loops(std::int64_t m, std::int64_t n, std::int64_t k) {
  for (int way = 0; way < 9; ++way)
    for (T beta : {T(0), T(1), T(3)}) {
      lies const x = layout(way % 3, m, k), y = layout(way / 3, k, n);
      auto const a = numbers<T>(x.size), b = numbers<T>(y.size);
      std::int64_t const c_row = n + 5;
      auto c = numbers<T>(m * c_row), expected = c;
      T const alpha = beta == 3 ? T(2) : T(1);
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          T sum = 0;
          for (std::int64_t p = 0; p < k; ++p) sum += a[i * x.row + p * x.column] * b[p * y.row + j * y.column];
          T& to = expected[i * c_row + j];
          to = alpha * sum + beta * to;
        }
      std::vector<T> memory(small_product<T>::bytes(k, n) / sizeof(T));
      small_product<T>(m, n, k, alpha, beta)
          .run({a.data(), x.row, x.column}, {b.data(), y.row, y.column}, c.data(), c_row, memory.data());
      ASSERT_EQ(c, expected) << m << " x " << k << " x " << n << ", way " << way << ", beta " << beta;
    }
}

TEST(small_product, like_loops) {
  for (std::int64_t m : {1, 7, 8, 21})
    for (std::int64_t n : {1, 16, 31, 32, 70})
      for (std::int64_t k : {0, 1, 15, 16, 37}) {
        expect_like_loops<float>(m, n, k);
        expect_like_loops<double>(m, n, k);
      }
}

}  // namespace
