// SPDX-License-Identifier: Apache-2.0
// Products against three nested loops.
// optimized
// stand-in

#include <tessera/engine/exec/product/gemm_device.hpp>

#include "support/near.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ts = tessera;

namespace {

std::mt19937 engine{11};
int pick(int low, int high) { return std::uniform_int_distribution<int>{low, high}(engine); }

struct form {
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  bool a_transposed = false, b_transposed = false, c_transposed = false, a_shared = false;
  double alpha = 1, beta = 0;
};

template <class T>
std::vector<T> small_numbers(std::int64_t count) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (auto& x : all) x = static_cast<T>(static_cast<float>(pick(-3, 3)));
  return all;
}

// Also without the library that the product would be given.
void expect_by_blocks(ts::product p, std::byte* c, std::byte const* a, std::byte const* b) {
  p.c_slot = 0, p.a_slot = 1, p.b_slot = 2;
  std::byte* const frame[]{c, const_cast<std::byte*>(a), const_cast<std::byte*>(b)};
  auto const work = ts::detail::prepare(p);
  EXPECT_EQ(work.way, ts::detail::product_way::as_floats);
  ts::detail::run_product("by blocks", work, frame);
}

template <class T>
void expect_like_loops(form const& f, bool by_blocks = false) {
  auto const a = small_numbers<T>(f.batch * f.m * f.k), b = small_numbers<T>(f.batch * f.k * f.n);
  auto c = small_numbers<T>(f.batch * f.m * f.n), expected = c;
  std::int64_t const am = f.a_transposed ? 1 : f.k, ak = f.a_transposed ? f.m : 1;
  std::int64_t const bk = f.b_transposed ? 1 : f.n, bn = f.b_transposed ? f.k : 1;
  std::int64_t const cm = f.c_transposed ? 1 : f.n, cn = f.c_transposed ? f.m : 1;
  std::int64_t const a_step = f.a_shared ? 0 : f.m * f.k;
  for (std::int64_t i = 0; i < f.batch; ++i)
    for (std::int64_t m = 0; m < f.m; ++m)
      for (std::int64_t n = 0; n < f.n; ++n) {
        double sum = 0;
        for (std::int64_t k = 0; k < f.k; ++k)
          sum += static_cast<double>(a[i * a_step + m * am + k * ak]) *
                 static_cast<double>(b[i * f.k * f.n + k * bk + n * bn]);
        auto& to = expected[i * f.m * f.n + m * cm + n * cn];
        to = static_cast<T>(static_cast<float>(f.alpha * sum + f.beta * static_cast<double>(to)));
      }
  ts::product p;
  p.element = ts::dtype_of<T>();
  p.batch.push_back({f.batch, a_step, f.k * f.n, f.m * f.n});
  p.m.push_back({f.m, am, 0, cm});
  p.n.push_back({f.n, 0, bn, cn});
  p.k.push_back({f.k, ak, bk, 0});
  p.alpha = f.alpha;
  p.beta = f.beta;
  if (by_blocks)
    expect_by_blocks(p, reinterpret_cast<std::byte*>(c.data()), reinterpret_cast<std::byte const*>(a.data()),
                     reinterpret_cast<std::byte const*>(b.data()));
  else
    support::run_near(p, support::near(c), a, b);
  for (std::size_t i = 0; i < c.size(); ++i)
    ASSERT_EQ(static_cast<double>(c[i]), static_cast<double>(expected[i])) << "element " << i;
}

template <class T>
void all_layouts() {
  for (int bits = 0; bits < 16; ++bits)
    for (int i = 0; i < 6; ++i) {
      form f{pick(1, 3),     pick(1, 40),    pick(1, 150),   pick(1, 40),
             bool(bits & 1), bool(bits & 2), bool(bits & 4), bool(bits & 8)};
      if (i == 0) f.m = 1;
      if (i == 1) f.n = 1;
      if (i == 2) f.k = 1;
      if (i == 3) f.alpha = 2, f.beta = 1;
      expect_like_loops<T>(f);
    }
}

}  // namespace

TEST(gemm, every_layout_in_float32) { all_layouts<float>(); }
TEST(gemm, every_layout_in_float64) { all_layouts<double>(); }
TEST(gemm, every_layout_in_int32) { all_layouts<std::int32_t>(); }
TEST(gemm, every_layout_in_int64) { all_layouts<std::int64_t>(); }
TEST(gemm, every_layout_in_float16) { all_layouts<ts::float16>(); }
TEST(gemm, every_layout_in_bfloat16) { all_layouts<ts::bfloat16>(); }

TEST(gemm, large_products_are_cut_into_panels) {
  expect_like_loops<float>({1, 130, 70, 65});
  expect_like_loops<float>({1, 5, 700, 65});
  expect_like_loops<double>({3, 64, 64, 64});
}

// 16-bit floats: products larger than a block in each dimension, by a library and by blocks of float32.
template <class T>
void large_halves() {
  for (int bits = 0; bits < 8; ++bits)
    for (bool by_blocks : {false, true}) {
      if (by_blocks && !ts::runs_on_host) continue;
      expect_like_loops<T>({1, 133, 261, 259, bool(bits & 1), bool(bits & 2), bool(bits & 4)}, by_blocks);
      expect_like_loops<T>({3, 16, 16, 64, bool(bits & 1), bool(bits & 2), bool(bits & 4), true}, by_blocks);
      expect_like_loops<T>({2, 20, 30, 40, bool(bits & 1), bool(bits & 2), bool(bits & 4), false, 0.5, 1}, by_blocks);
    }
}
TEST(gemm, large_products_in_float16) { large_halves<ts::float16>(); }
TEST(gemm, large_products_in_bfloat16) { large_halves<ts::bfloat16>(); }

// Sums in float32 of 16-bit floats.
template <class T>
void wide_results() {
  for (int bits = 0; bits < 4; ++bits)
    for (std::int64_t const size : {7, 150}) {
      std::int64_t const M = size, N = size + 3, K = 2 * size;
      bool const turned = bits & 1, other = bits & 2;
      auto const a = small_numbers<T>(M * K), b = small_numbers<T>(K * N);
      std::vector<float> c(static_cast<std::size_t>(M * N), 9), expected(c.size());
      for (std::int64_t m = 0; m < M; ++m)
        for (std::int64_t n = 0; n < N; ++n)
          for (std::int64_t k = 0; k < K; ++k)
            expected[m * N + n] += static_cast<float>(a[turned ? k * M + m : m * K + k]) *
                                   static_cast<float>(b[other ? n * K + k : k * N + n]);
      ts::product p;
      p.wide = true;
      p.half = ts::dtype_of<T>();
      p.m.push_back({M, turned ? 1 : K, 0, N});
      p.n.push_back({N, 0, other ? K : 1, 1});
      p.k.push_back({K, turned ? M : 1, other ? 1 : N, 0});
      support::run_near(p, support::near(c), a, b);
      EXPECT_EQ(c, expected);
    }
}
TEST(gemm, float32_sums_of_halves) {
  ONLY_ON_HOST();
  wide_results<ts::float16>();
  wide_results<ts::bfloat16>();
}

TEST(gemm, an_empty_contraction_gives_zeros) { expect_like_loops<float>({1, 3, 4, 0}); }

// a[h,m,x,y] * b[x,h,y,n] -> c[m,h,n]: several contracted dimensions which are not one run, the batch inside c.
template <class T>
void several_contracted() {
  std::int64_t const H = 3, M = 5, X = 4, Y = 6, N = 47;
  auto const a = small_numbers<T>(H * M * X * Y), b = small_numbers<T>(X * H * Y * N);
  std::vector<T> c(static_cast<std::size_t>(M * H * N));
  std::vector<float> expected(c.size());
  for (std::int64_t h = 0; h < H; ++h)
    for (std::int64_t m = 0; m < M; ++m)
      for (std::int64_t n = 0; n < N; ++n)
        for (std::int64_t x = 0; x < X; ++x)
          for (std::int64_t y = 0; y < Y; ++y)
            expected[(m * H + h) * N + n] += static_cast<float>(a[((h * M + m) * X + x) * Y + y]) *
                                             static_cast<float>(b[((x * H + h) * Y + y) * N + n]);
  ts::product p;
  p.element = ts::dtype_of<T>();
  p.batch.push_back({H, M * X * Y, Y * N, N});
  p.m.push_back({M, X * Y, 0, H * N});
  p.n.push_back({N, 0, 1, 1});
  p.k.push_back({X, Y, H * Y * N, 0});
  p.k.push_back({Y, 1, N, 0});
  support::run_near(p, support::near(c), a, b);
  for (std::size_t i = 0; i < c.size(); ++i)
    ASSERT_EQ(static_cast<float>(c[i]), static_cast<float>(static_cast<T>(expected[i]))) << "element " << i;
}
TEST(gemm, several_contracted_dimensions) {
  several_contracted<float>();
  several_contracted<ts::float16>();
  several_contracted<ts::bfloat16>();
}

TEST(gemm, a_broadcast_operand_has_no_steps) {
  std::vector<float> const a{2}, b{1, 2, 3};
  std::vector<float> c(12, 9);
  ts::product p;
  p.m.push_back({4, 0, 0, 3});
  p.n.push_back({3, 0, 1, 1});
  p.k.push_back({5, 0, 0, 0});
  support::run_near(p, support::near(c), a, b);
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(c[i], 10.0f * b[i % 3]);
}
