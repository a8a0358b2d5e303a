// SPDX-License-Identifier: Apache-2.0
// constant({...}): in one to four dimensions, of each kind of number, in traced code and outside of it; and what a
// constant has as an array has it: elements, devices, layout.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <vector>

namespace {

namespace ts = tessera;

static_assert(ts::type_text<decltype(ts::constant({1.f, 2.f, 3.f}))::type> == "float32[3]");
static_assert(ts::type_text<decltype(ts::constant({{1, 2, 3}, {4, 5, 6}}))::type> == "int32[2,3]");
static_assert(ts::type_text<decltype(ts::constant({1.0}))::type> == "float64[1]");
static_assert(!decltype(ts::constant({1.0}))::type::value.weak);

// Weights that a constexpr function computes.
constexpr std::array<std::array<double, 3>, 20> squares() {
  std::array<std::array<double, 3>, 20> table{};
  for (std::size_t i = 0; i < 20; ++i) table[i] = {0.5 * double(i), double(i * i), -1};
  return table;
}
static_assert(ts::type_text<decltype(ts::constant(std::array{1, 2}))::type> == "int32[2]");
static_assert(ts::type_text<decltype(ts::constant(2.5))::type> == "float64[]");

TEST(constant, of_tables) {
  std::vector<double> want;
  for (auto const& row : squares()) want.insert(want.end(), row.begin(), row.end());
  EXPECT_EQ(ts::constant(squares()).to_host(), want);
  auto const weighed =
      ts::jit([](auto x) { return ts::matmul(ts::constant(squares()), x); })(ts::asarray({1.0, 10.0, 100.0}));
  EXPECT_EQ(weighed.shape()[0], 20);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(weighed.to_host()[i], 0.5 * double(i) + 10.0 * double(i * i) - 100);
  EXPECT_EQ(ts::jit([](auto x) { return x * ts::constant(2.5); })(ts::asarray(2.0)).item(), 5.0);
}
TEST(constant, has_its_elements_in_order) {
  EXPECT_EQ(ts::constant({3, 1, 2}).to_host(), (std::vector<int>{3, 1, 2}));
  EXPECT_EQ(ts::constant({true, false}).to_host(), (std::vector<unsigned char>{1, 0}));
  EXPECT_EQ(ts::constant({{1.1, 2.5}, {3.5, 4.5}, {5.5, 6.5}}).to_host(),
            (std::vector<double>{1.1, 2.5, 3.5, 4.5, 5.5, 6.5}));
  auto const cube = ts::constant({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}});
  EXPECT_EQ(cube.shape(), (ts::extents_list{3, 2, 2}));
  EXPECT_EQ(cube.to_host(), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  auto const kernels = ts::constant({{{{1.f}}, {{2.f}}}, {{{3.f}}, {{4.f}}}});
  EXPECT_EQ(kernels.shape(), (ts::extents_list{2, 2, 1, 1}));
  EXPECT_EQ(kernels.to_host(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(ts::constant({ts::complex64(1, 2), ts::complex64(3)}).to_host(),
            (std::vector<ts::complex64>{{1, 2}, {3, 0}}));
  EXPECT_EQ(float(ts::sum(ts::constant({ts::bfloat16(1.5f), ts::bfloat16(2)}))), 3.5f);
  EXPECT_EQ(ts::constant({(std::int64_t{1} << 53) + 1, std::int64_t{3}}).to_host(),
            (std::vector<std::int64_t>{(std::int64_t{1} << 53) + 1, 3}));
}

#ifndef TESSERA_BY_DAY
// Longer lists are joined of parts.
template <std::size_t N>
void expect_list() {
  static constexpr auto make = [](auto indices) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return ts::constant({static_cast<int>(I * I)...}); }
    (indices);
  };
  std::vector<int> wanted;
  for (std::size_t i = 0; i < N; ++i) wanted.push_back(static_cast<int>(i * i));
  EXPECT_EQ(make(std::make_index_sequence<N>{}).to_host(), wanted) << N;
}
TEST(constant, of_up_to_256_numbers) {
  expect_list<1>();
  expect_list<16>();
  expect_list<17>();
  expect_list<32>();
  expect_list<33>();
  expect_list<100>();
  expect_list<256>();
}

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

TEST(constant, in_traced_code) {
  auto const weighted = ts::jit([](auto x) { return ts::dot(x, ts::constant({1.f, 10.f, 100.f})); });
  EXPECT_EQ(weighted(ts::asarray({1.f, 2.f, 3.f})).item(), 321.f);
  auto const slope = ts::grad([](auto x) { return ts::sum(x * x * ts::constant({1.f, 10.f, 100.f})); });
  EXPECT_EQ(slope(ts::asarray({1.f, 2.f, 3.f})).to_host(), (std::vector<float>{2, 40, 600}));
  auto const mapped = ts::vmap([](auto x) { return x * ts::constant({1, 2}); });
  EXPECT_EQ(mapped(ts::asarray({3, 4})).to_host(), (std::vector<int>{3, 6, 4, 8}));
  // A Laplacian of a split field.
  std::vector<float> const field{0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0};
  auto const x = ts::device_put<ts::P<dp>>(ts::host<4, 4>(field), ts::make_mesh<line>(ts::devices()));
  auto const y = ts::jit([](auto u) { return u - ts::constant({{1.f, 2.f, 3.f, 4.f}}); })(x);
  static_assert(ts::type_text<decltype(y)> == "float32[4@dp,4]");
  auto const got = y.to_host();
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(got[i], field[i] - static_cast<float>(i % 4 + 1)) << i;
}

TEST(constant, is_an_array_where_one_is_asked_for) {
  auto const x = ts::iota<float, 0, 3>() * 2;
  EXPECT_EQ(x.to_host(), (std::vector<float>{0, 2, 4}));
  EXPECT_EQ(ts::device_get(x), (std::vector<float>{0, 2, 4}));
  EXPECT_EQ(ts::sum(x).item(), 6.f);
  EXPECT_EQ(int(ts::sum(x)), 6);
  EXPECT_TRUE(ts::sum(x) > 5);
  EXPECT_FALSE(static_cast<bool>(ts::sum(x) > 6));
  EXPECT_EQ(x.size(), 3);
  EXPECT_EQ(x.nbytes(), 12);
  EXPECT_EQ(x.devices().size(), 1u);
  EXPECT_EQ(x.device().id, ts::default_device().id);
  EXPECT_TRUE(x.is_fully_addressable());
  EXPECT_TRUE(x.is_fully_replicated());
  EXPECT_FALSE(x.committed());
  EXPECT_EQ(x.addressable_shards().size(), 1u);
  EXPECT_EQ(x.block_until_ready().to_host(), (std::vector<float>{0, 2, 4}));
  std::vector<float> copied(3);
  x.copy_to(std::span<float>(copied));
  EXPECT_EQ(copied, (std::vector<float>{0, 2, 4}));
  EXPECT_EQ(ts::visualize(x).text({}), ts::visualize(ts::asarray(x)).text({}));
  auto const on_mesh = [] {
    ts::use_mesh current{ts::make_mesh<line>(ts::devices())};
    return ts::zeros<float, 8>(ts::out_sharding<ts::P<dp>, line>).addressable_shards().size();
  }();
  EXPECT_EQ(on_mesh, 4u);
}
#endif

}  // namespace
