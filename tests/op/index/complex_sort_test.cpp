// SPDX-License-Identifier: Apache-2.0
// nightly
// sort and argsort of complex numbers: beside std::sort, and for special values beside JAX 0.10.2.

#include "support/complex_matrices.hpp"

#include <tessera/op/index/heap_sort.hpp>

#include <algorithm>
#include <numeric>

namespace {

using namespace complex_matrices;

bool is_before(number a, number b) { return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag(); }
std::vector<std::int32_t> order_of(std::vector<number> const& line, bool descending) {
  std::vector<std::int32_t> at(line.size());
  std::iota(at.begin(), at.end(), 0);
  std::sort(at.begin(), at.end(), [&](std::int32_t a, std::int32_t b) {
    if (line[a] == line[b]) return a < b;
    return is_before(line[a], line[b]) != descending;
  });
  return at;
}

// Lines with many equal real parts.
template <class T>
std::vector<T> lines(std::size_t count, std::size_t length) {
  std::vector<T> all;
  for (std::size_t i = 0; i < count * length; ++i) {
    double const k = static_cast<double>(i);
    all.emplace_back(static_cast<typename T::value_type>(std::round(3 * std::sin(k * k))),
                     static_cast<typename T::value_type>(std::round(20 * std::cos(1.3 * k * k))));
  }
  return all;
}
template <class T, bool Descending>
void expect_order(std::vector<T> const& given, std::size_t length, std::vector<T> const& sorted,
                  std::vector<std::int32_t> const& positions) {
  for (std::size_t first = 0; first < given.size(); first += length) {
    std::vector<number> line;
    for (std::size_t i = 0; i < length; ++i) line.emplace_back(given[first + i].re, given[first + i].im);
    auto const want = order_of(line, Descending);
    for (std::size_t i = 0; i < length; ++i) {
      ASSERT_EQ(positions[first + i], want[i]);
      ASSERT_EQ(sorted[first + i], given[first + static_cast<std::size_t>(want[i])]);
    }
  }
}
template <class X>
auto listed(X const& x) {
  auto const all = x.to_host();
  return std::vector(all.begin(), all.end());
}

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;
struct orders {
  constexpr auto operator()(auto x) const {
    return std::tuple{ts::sort(x), ts::argsort(x), ts::sort(x, ts::descending), ts::argsort(x, ts::descending)};
  }
};
template <class T, std::int64_t N>
void check_lines() {
  auto const given = lines<T>(8, N);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, N>(given), ts::make_mesh<grid>(ts::devices()));
  auto const check = [&](auto const& made) {
    auto const& [up, at, down, down_at] = made;
    expect_order<T, false>(given, N, listed(up), listed(at));
    expect_order<T, true>(given, N, listed(down), listed(down_at));
  };
  check(ts::jit<orders>(x));
  check(orders{}(x));
  check(ts::jit([](auto y) { return ts::vmap(orders{})(y); })(x));
}
TEST(complex_sort, lines) {
  check_lines<ts::complex64, 7>();
  check_lines<ts::complex128, 7>();
  check_lines<ts::complex64, 700>();
  check_lines<ts::complex128, 700>();
}

// Without memory, as an accelerator sorts.
template <class T, bool Descending>
void check_heap() {
  namespace sorting = tessera::ops::sorting;
  constexpr std::int64_t n = 90;
  auto const given = lines<T>(1, n);
  std::vector<T> sorted(given.size());
  std::vector<std::int32_t> positions(given.size());
  std::int64_t const extents[]{n}, steps[]{1};
  sorting::heap_sort<T>({given.data(), extents, steps, 1}, {sorted.data(), extents, steps, 1}, Descending);
  sorting::heap_argsort<T>({given.data(), extents, steps, 1}, {positions.data(), extents, steps, 1}, Descending);
  expect_order<T, Descending>(given, n, sorted, positions);
}
TEST(complex_sort, by_a_heap) {
  check_heap<ts::complex64, false>();
  check_heap<ts::complex64, true>();
  check_heap<ts::complex128, false>();
  check_heap<ts::complex128, true>();
}

// NaN is last among real parts, and among imaginary ones of equal real parts; -0 and 0 are equal.
TEST(complex_sort, special_values) {
  double const inf = INFINITY, nan = NAN;
  std::vector<ts::complex128> const given{{0, 5},    {-0.0, 1}, {0, nan},   {nan, -1}, {1, 2}, {1, -2},
                                          {-inf, 3}, {inf, -1}, {nan, nan}, {0, -0.0}, {0, 0}, {1, 2}};
  auto const x = ts::asarray(ts::host<12>(given));
  EXPECT_EQ(listed(ts::argsort(x)), (std::vector<std::int32_t>{6, 9, 10, 1, 0, 2, 5, 4, 11, 7, 3, 8}));
  EXPECT_EQ(listed(ts::argsort(x, ts::descending)), (std::vector<std::int32_t>{8, 3, 7, 4, 11, 5, 2, 0, 1, 9, 10, 6}));
  auto const sorted = listed(ts::sort(x));
  EXPECT_EQ(sorted[3], ts::complex128(0, 1));
  EXPECT_TRUE(std::signbit(sorted[3].re));
  EXPECT_TRUE(std::isnan(sorted[5].im));
  EXPECT_EQ(sorted[10].im, -1);
  EXPECT_TRUE(std::isnan(sorted[10].re));
  EXPECT_EQ(ts::sort(ts::asarray(ts::zeros<ts::complex64, 2, 0>())).to_host().size(), 0u);
}

// JAX 0.10.2: jax.grad(lambda v: jnp.sum(jnp.real(jnp.sort(v) * jnp.arange(1, 5) * (1 + 2j)))).
TEST(complex_sort, gradient) {
  auto const x = ts::asarray(ts::host<4>(std::vector<ts::complex128>{{2, 1}, {1, -1}, {1, 3}, {-1, 0}}));
  auto const slope = ts::jit([](auto y) {
    return ts::grad([](auto v) {
      return ts::sum(ts::real(ts::sort(v) * (1.0 + ts::arange<double, 4>()) * ts::complex128(1, 2)));
    })(y);
  })(x);
  EXPECT_EQ(listed(slope), (std::vector<ts::complex128>{{4, 8}, {2, 4}, {3, 6}, {1, 2}}));
}

}  // namespace
