// SPDX-License-Identifier: Apache-2.0
// nightly
// stochastic_round against the neighbors of each number, found by frexp and ldexp in double, and against the share of
// numbers that goes up.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace ts = tessera;
namespace rd = tessera::random;
using ts::P, ts::none;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

template <class To>
double quantum_at(double x) {
  bool const half = std::is_same_v<To, ts::float16>, brain = std::is_same_v<To, ts::bfloat16>;
  bool const four = std::is_same_v<To, ts::float8_e4m3fn>, five = std::is_same_v<To, ts::float8_e5m2>;
  int const digits = half ? 11 : brain ? 8 : four ? 4 : five ? 3 : 24;
  int const least = half ? -24 : brain ? -133 : four ? -9 : five ? -16 : -149;
  int e = 0;
  std::frexp(x, &e);
  return std::ldexp(1.0, std::max(e - digits, least));
}

template <class To, class From>
void expect_neighbors(double value) {
  constexpr int count = 1 << 14;
  auto const x = ts::full_like(ts::zeros<From, count>(), static_cast<From>(value));
  double const exact = static_cast<double>(static_cast<From>(value)), q = quantum_at<To>(exact);
  double const low = std::floor(exact / q) * q, high = low + q, share = (exact - low) / q;
  auto const y = rd::stochastic_round<To>(rd::key(3), ts::asarray(x)).to_host();
  int up = 0;
  for (auto const n : y) {
    double const got = static_cast<double>(static_cast<From>(n));
    ASSERT_TRUE(got == low || (got == high && share > 0)) << value << " became " << got;
    up += got == high;
  }
  EXPECT_NEAR(up, share * count, 4.5 * std::sqrt(count * share * (1 - share)) + 1e-9) << value;
}

TEST(stochastic_round, goes_to_neighbors_by_chance) {
  for (double const x : {1.001, -3.3, 1e-3, 0.1, 255.4, -1e30, 1e-40, 3e-39, 1.5})
    expect_neighbors<ts::bfloat16, float>(x);
  for (double const x : {1.0001, -3.3, 1e-3, 65000.1, 3.1e-8, -1e-5, 6e-6, 2048.5})
    expect_neighbors<ts::float16, float>(x);
  for (double const x : {1.0000000123, -1e-40, 3.3e30}) expect_neighbors<float, double>(x);
  for (double const x : {1.000001, -7.7}) expect_neighbors<ts::bfloat16, double>(x);
  for (double const x : {1.001, -3.3, 1e-3, 447.0, 0.0201}) expect_neighbors<ts::float8_e4m3fn, float>(x);
  for (double const x : {1.001, -3.3, 1e-5, 57000.0, 0.0201}) expect_neighbors<ts::float8_e5m2, float>(x);
  expect_neighbors<ts::bfloat16, ts::float16>(1.001);
  expect_neighbors<ts::float16, ts::bfloat16>(1e-6);
}

template <class To>
void expect_exact() {
  using bits = std::conditional_t<sizeof(To) == 1, std::uint8_t, std::uint16_t>;
  std::vector<float> all(std::size_t{1} << (8 * sizeof(To)));
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = static_cast<float>(std::bit_cast<To>(static_cast<bits>(i)));
  auto const y = rd::stochastic_round<To>(rd::key(1), ts::asarray(all)).to_host();
  auto place = y.begin();
  for (float const x : all) {
    float const got = static_cast<float>(*place++);
    EXPECT_TRUE((x != x && got != got) || (x == got && std::signbit(x) == std::signbit(got))) << x << " became " << got;
  }
}
TEST(stochastic_round, numbers_of_the_narrow_type_stay) {
  expect_exact<ts::bfloat16>();
  expect_exact<ts::float16>();
  expect_exact<ts::float8_e4m3fn>();
  expect_exact<ts::float8_e5m2>();
}

// Beyond the largest number it is astype's.
TEST(stochastic_round, at_the_end_of_the_range) {
  float const most = std::numeric_limits<float>::max(), infinity = std::numeric_limits<float>::infinity();
  auto const half =
      rd::stochastic_round<ts::float16>(rd::key(1), ts::asarray({65510.f, 65520.f, 1e9f, -infinity, -65504.f}));
  EXPECT_EQ(ts::astype<float>(half).to_host(),
            ts::asarray({65504.f, infinity, infinity, -infinity, -65504.f}).to_host());
  auto const brain = rd::stochastic_round<ts::bfloat16>(rd::key(1), ts::asarray({most, -most}));
  EXPECT_EQ(ts::astype<float>(brain).to_host(), ts::asarray({infinity, -infinity}).to_host());
}

TEST(stochastic_round, is_the_same_in_every_layout) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::random::normal<float, 64, 48>(rd::key(5));
  auto const key = [] { return rd::key(6); };
  auto const want = rd::stochastic_round<ts::bfloat16>(key(), ts::asarray(x)).to_host();
  auto const split = rd::stochastic_round<ts::bfloat16>(key(), ts::device_put<P<dp, mp>>(x, mesh));
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(split)>,
                               ts::array<ts::array_type<ts::bfloat16, ts::shape<64, 48>, P<dp, mp>, grid>>>);
  EXPECT_EQ(split.to_host(), want);
  auto const in_jit = ts::jit([](auto x) { return rd::stochastic_round<ts::bfloat16>(rd::key(6), x); });
  EXPECT_EQ(in_jit(ts::device_put<P<mp, dp>>(x, mesh)).to_host(), want);
}

TEST(stochastic_round, has_the_gradient_of_a_cast) {
  auto const f = [](auto x) {
    return ts::sum(ts::astype<float>(rd::stochastic_round<ts::bfloat16>(rd::key(1), x)) * x);
  };
  auto const x = ts::asarray({1.001f, -2.5f, 0.f});
  auto const y = ts::astype<float>(rd::stochastic_round<ts::bfloat16>(rd::key(1), x));
  EXPECT_EQ(ts::grad(f)(x).to_host(), (y + ts::astype<float>(ts::astype<ts::bfloat16>(x))).to_host());
}

// A small step that nearest rounding loses is kept in the mean: 512 steps of 1/1024 from 1, where a quantum is 1/128.
TEST(stochastic_round, keeps_small_updates) {
  auto const walked = ts::jit([](auto key) {
    auto const first = std::tuple{ts::ones<ts::bfloat16, 256>(), ts::ones<ts::bfloat16, 256>()};
    return ts::fori_loop(
        0, 512,
        [&](auto i, auto p) {
          auto const [nearest, chance] = p;
          auto const step = 1.0f / 1024;
          return std::tuple{ts::astype<ts::bfloat16>(ts::astype<float>(nearest) + step),
                            rd::stochastic_round<ts::bfloat16>(rd::fold_in(key, i), ts::astype<float>(chance) + step)};
        },
        first);
  })(ts::jit([] { return rd::key(2); })());
  for (auto const p : std::get<0>(walked).to_host()) EXPECT_EQ(static_cast<float>(p), 1.f);
  EXPECT_NEAR(ts::mean(ts::astype<float>(std::get<1>(walked))).item(), 1.5f, 0.01f);
}

TEST(stochastic_round, of_trees) {
  auto const x = ts::asarray({1.001f, 2.002f});
  auto const y = ts::asarray({3.003f});
  auto const n = ts::asarray({1, 2});
  auto const [a, b, c] = rd::stochastic_round<ts::bfloat16>(rd::key(1), std::tuple{x, n, y});
  static_assert(std::is_same_v<decltype(a)::element, ts::bfloat16> &&
                std::is_same_v<decltype(c)::element, ts::bfloat16>);
  EXPECT_EQ(b.to_host(), n.to_host());
  EXPECT_NEAR(static_cast<float>(a.to_host()[1]), 2.002f, 1.f / 64);
  EXPECT_NEAR(static_cast<float>(c.to_host()[0]), 3.003f, 1.f / 64);
}

}  // namespace
