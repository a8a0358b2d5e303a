// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 bits and complex ones beside arrays keep their type, by every way in: as in JAX, whose scalars of these
// types are arrays. The table of result types is that of JAX 0.10.2 with 64 bits.

#include "support/on_grid.hpp"

#include <complex>
#include <tuple>
#include <type_traits>

namespace {

using namespace on_grid;
using ts::bfloat16, ts::float16, ts::complex64, ts::complex128;

template <class T>
auto ones_of() {
  return ts::astype<T>(
      ts::device_put<ts::P<>>(ts::host<4>(std::vector<float>(4, 1)), ts::make_mesh<grid>(ts::devices())));
}
template <class X>
using element = typename X::element;
std::complex<double> wide(complex64 z) { return {z.re, z.im}; }
std::complex<double> wide(complex128 z) { return {z.re, z.im}; }
template <class T>
std::complex<double> wide(T x) {
  return static_cast<double>(x);
}

// n times an array of ones, by every way in: each element is n.
struct ways {
  constexpr auto operator()(auto x, auto n) const {
    return std::tuple{x * n,
                      n * x,
                      ts::where(x == x, n, x),
                      ts::where(n == n, x * n, x),
                      ts::zeros_like(x) + n,
                      x * ts::full<4>(n),
                      x * ts::broadcast_to<4>(n),
                      x * ts::full_like(x * n, n),
                      (x * n).at(1).set(n),
                      ts::vmap<ts::in_axes<0, ts::unmapped>>([](auto e, auto m) { return e * m; })(x, n),
                      ts::vmap([&](auto e) { return e * n; })(x),
                      ts::fori_loop(
                          0, 2, [&](auto, auto v) { return ts::where(v != v, v, n); }, x * n),
                      std::get<1>(ts::scan(
                          [&](auto c, auto e) {
                            return std::pair{c, e * n};
                          },
                          n, x)),
                      std::get<1>(ts::scan(
                          [&](auto c, auto e) {
                            return std::pair{c, c * e};
                          },
                          n, x)),
                      ts::cond(
                          ts::all(x == x), [&](auto y) { return y * n; }, [&](auto y) { return y * n; }, x),
                      ts::checkpoint([&](auto y) { return n * y; })(x),
                      std::get<0>(ts::tree_map([](auto a, auto b) { return a * b; }, std::tuple{x}, std::tuple{n}))};
  }
};
template <auto N>
struct literals {
  constexpr auto operator()(auto x) const { return ways{}(x, N()); }
};

template <class T, class Results>
void expect_all(Results const& results, std::complex<double> want, double bound) {
  int way = 0;
  auto const one = [&](auto const& y) {
    static_assert(std::is_same_v<element<std::remove_cvref_t<decltype(y)>>, T>);
    for (T const got : y.to_host()) EXPECT_LE(std::abs(wide(got) - want), bound) << "way " << way;
    ++way;
  };
  std::apply([&](auto const&... y) { (one(y), ...); }, results);
}
template <class Array, auto N, class Want>
void kept() {
  auto const x = ones_of<Array>();
  auto const n = N();
  double const bound = 1e-3;  // these numbers have few bits
  expect_all<Want>(run<ways>(x, n), wide(n), bound);
  expect_all<Want>(run<literals<N>>(x), wide(n), bound);
  expect_all<Want>(std::tuple{x * n, n * x, ts::where(x == x, n, x), ts::zeros_like(x) + n, x * ts::full<4>(n),
                              (x * n).at(1).set(n), (x * n).at(ts::span(1, 2)).set(n)},
                   wide(n), bound);
}

constexpr auto half = [] { return float16(1.5); };
constexpr auto brain = [] { return bfloat16(1.5f); };
constexpr auto turn = [] { return complex64(0.5f, -2.f); };
constexpr auto fine = [] { return complex128(0.5, -2.0); };

TEST(typed_numbers, halves) {
  kept<int, half, float16>();
  kept<int, brain, bfloat16>();
  kept<float16, half, float16>();
  kept<bfloat16, half, float>();
  kept<float16, brain, float>();
  kept<float, brain, float>();
  kept<double, half, double>();
  kept<complex64, brain, complex64>();
}
TEST(typed_numbers, complex) {
  kept<int, turn, complex64>();
  kept<bfloat16, turn, complex64>();
  kept<float, turn, complex64>();
  kept<double, turn, complex128>();
  kept<complex64, turn, complex64>();
  kept<float, fine, complex128>();
  kept<complex64, fine, complex128>();
}

#ifndef TESSERA_BY_DAY
// Alone they are scalars of their types; the parts of a complex one are not rounded.
struct itself {
  constexpr auto operator()(auto n) const { return n; }
};
struct tenths {
  constexpr auto operator()(auto x) const { return x + complex128(0.1, 0.2); }
};
TEST(typed_numbers, alone) {
  auto const z = ts::jit<itself>(complex128(0.1, 0.2));
  static_assert(std::is_same_v<decltype(z)::element, complex128>);
  EXPECT_EQ(z.item(), complex128(0.1, 0.2));
  EXPECT_EQ(ts::jit<itself>(std::complex<double>(0.1, 0.2)).item(), complex128(0.1, 0.2));
  EXPECT_EQ(ts::jit<itself>(bfloat16(1.5f)).item(), bfloat16(1.5f));
  EXPECT_EQ(ts::jit<itself>(ts::float8_e5m2(1.5f)).item(), 1.5f);
  EXPECT_EQ(ts::jit<itself>(true).item(), true);
  EXPECT_EQ(ts::where(true, ts::asarray(3.f), ts::asarray(4.f)).item(), 3.f);
  EXPECT_EQ(ts::jit<tenths>(0.).item(), complex128(0.1, 0.2));
  EXPECT_EQ(ts::asarray(ts::abs(complex64(3, 4))).item(), 5.f);
  EXPECT_EQ(ts::asarray(ts::full<2>(complex128(0.1, 0.2))).to_host()[1], complex128(0.1, 0.2));
  EXPECT_EQ(ts::asarray(ts::full<bfloat16, 2>(bfloat16(1.5f))).to_host()[1], bfloat16(1.5f));
}
TEST(typed_numbers, operators) {
  auto const x = ones_of<complex64>();
  auto y = x + std::complex<float>(0, 1);
  y *= complex64(0, 1);
  y = std::complex<float>(2, 0) - y / complex64(0, 1);
  EXPECT_EQ(y.to_host()[3], complex64(1, -1));
  EXPECT_TRUE((y == complex64(1, -1)).to_host()[0]);
  EXPECT_TRUE((complex64(1, -1) == y).to_host()[0]);
  EXPECT_FALSE((y != complex64(1, -1)).to_host()[0]);
  auto const h = ones_of<float>();
  EXPECT_TRUE((h < bfloat16(2)).to_host()[0]);
  EXPECT_TRUE((bfloat16(2) >= h).to_host()[0]);
  EXPECT_EQ((bfloat16(2) - h % float16(2)).to_host()[0], 1.f);
}
struct energy {
  constexpr auto operator()(auto v) const { return ts::sum(ts::square(ts::abs(complex64(3, 4) * v))); }
};
TEST(typed_numbers, gradients) {
  auto const x = ones_of<float>();
  auto const scaled = [](auto n, auto v) { return ts::sum(v * n * n); };
  auto const by_number = ts::grad<0>(scaled)(bfloat16(3), x);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_number)>::element, bfloat16>);
  EXPECT_EQ(static_cast<float>(by_number.item()), 24.f);
  EXPECT_NEAR(ts::grad(energy{})(x).to_host()[0], 50, 1e-4);
  EXPECT_NEAR(ts::jit(ts::grad(energy{}))(x).to_host()[2], 50, 1e-4);
}
#endif

}  // namespace
