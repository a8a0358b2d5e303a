// SPDX-License-Identifier: Apache-2.0
// Products of 16-bit floats that are asked for as float32, against loops: layouts, vmap and gradients. Operands stay 16-bit.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>>;
using none = ts::none;

constexpr std::int64_t rows = 24, inner = 64, columns = 40;

template <class T>
std::vector<T> numbers(std::int64_t count, int step) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<T>(static_cast<float>(static_cast<int>(i * 7919 % static_cast<std::size_t>(step)) - step / 2));
  return all;
}
template <class T>
std::vector<float> product_of(std::vector<T> const& x, std::vector<T> const& y) {
  std::vector<float> z(rows * columns);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      for (std::int64_t k = 0; k < inner; ++k)
        z[i * columns + j] += static_cast<float>(x[i * inner + k]) * static_cast<float>(y[k * columns + j]);
  return z;
}

template <class Out>
struct product {
  constexpr auto operator()(auto x, auto y) const {
    return ts::dot_general<ts::contract<ts::dims<1>, ts::dims<0>>>(x, y, ts::preferred<float>, ts::out_sharding<Out>);
  }
};
template <class Out>
struct slopes {
  constexpr auto operator()(auto x, auto y) const {
    return ts::grad<0, 1>([](auto a, auto b) { return ts::sum(ts::square(product<Out>{}(a, b)) * 0.0005f); })(x, y);
  }
};
struct row_by_row {
  constexpr auto operator()(auto x, auto y) const {
    return ts::vmap<ts::in_axes<0, ts::unmapped>>([](auto row, auto all) {
      return ts::dot_general<ts::contract<ts::dims<0>, ts::dims<0>>>(row, all, ts::preferred<float>);
    })(x, y);
  }
};

// How many of the steps' values are casts.
template <class F, class... X>
constexpr int casts() {
  ts::plan_view const plan = ts::detail::planned<ts::trace_of<F, ts::signature_of<X>...>>::value.view();
  int count = 0;
  for (int id = 0; id < plan.local.node_count; ++id) count += plan.local[id].op->name == std::string_view("astype");
  return count;
}

void expect_same(std::vector<float> const& got, std::vector<float> const& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], expected[i]) << "element " << i;
}

template <class T, class L, class R, class Out>
void on_layouts() {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const a = numbers<T>(rows * inner, 13), b = numbers<T>(inner * columns, 11);
  auto const x = ts::device_put<L>(ts::host<rows, inner>(a), mesh);
  auto const y = ts::device_put<R>(ts::host<inner, columns>(b), mesh);
  auto const expected = product_of(a, b);
  if constexpr (ts::runs_on_host) static_assert(casts<product<Out>, decltype(x), decltype(y)>() == 0);
  auto const z = ts::jit<product<Out>>(x, y);
  expect_same(z.to_host(), expected);

  auto const [by_x, by_y] = ts::jit<slopes<Out>>(x, y);
  auto const gx = by_x.to_host(), gy = by_y.to_host();
  static_assert(std::is_same_v<typename std::decay_t<decltype(gx)>::value_type, T>);
  auto const expect_sum = [](T got, std::int64_t terms, auto const& term) {
    double sum = 0;
    for (std::int64_t k = 0; k < terms; ++k) sum += term(k);
    EXPECT_NEAR(static_cast<float>(got), sum, 0.01 * std::abs(sum) + 0.01);
  };
  auto const cotangent = [&](std::int64_t i, std::int64_t j) { return 0.001 * expected[i * columns + j]; };
  for (std::int64_t k = 0; k < inner; ++k) {
    for (std::int64_t i = 0; i < rows; ++i)
      expect_sum(gx[i * inner + k], columns,
                 [&](std::int64_t j) { return cotangent(i, j) * static_cast<float>(b[k * columns + j]); });
    for (std::int64_t j = 0; j < columns; ++j)
      expect_sum(gy[k * columns + j], rows,
                 [&](std::int64_t i) { return cotangent(i, j) * static_cast<float>(a[i * inner + k]); });
  }
}

template <class T>
void everywhere() {
  on_layouts<T, ts::P<none, none>, ts::P<none, none>, ts::P<none, none>>();
  on_layouts<T, ts::P<dp, none>, ts::P<none, mp>, ts::P<dp, mp>>();
  on_layouts<T, ts::P<dp, mp>, ts::P<mp, none>, ts::P<dp, none>>();
  on_layouts<T, ts::P<none, dp>, ts::P<dp, mp>, ts::P<dp, mp>>();
  auto const a = numbers<T>(rows * inner, 13), b = numbers<T>(inner * columns, 11);
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const z = ts::jit<row_by_row>(ts::device_put<ts::P<dp, none>>(ts::host<rows, inner>(a), mesh),
                                     ts::device_put<ts::P<>>(ts::host<inner, columns>(b), mesh));
  expect_same(z.to_host(), product_of(a, b));
}

}  // namespace

TEST(preferred, bfloat16) { everywhere<ts::bfloat16>(); }
TEST(preferred, float16) { everywhere<ts::float16>(); }
