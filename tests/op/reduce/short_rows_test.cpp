// SPDX-License-Identifier: Apache-2.0
// nightly
// Reductions over rows of 1 to 17 columns, what reads their results along the row, and rows that are strided or split.
// optimized

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

constexpr std::int64_t row_count = 44;  // not a multiple of the lanes that are computed together

// Quarters, whose squares are exact in bfloat16, too; and negative zeros.
template <class T>
std::vector<T> numbers(std::int64_t count) {
  std::vector<T> made;
  for (std::int64_t i = 0; i < count; ++i) {
    auto const whole = static_cast<int>(i * 37 % 17) - 8;
    made.push_back(std::is_integral_v<T> ? static_cast<T>(whole) : static_cast<T>(whole == 8 ? -0.0f : whole / 4.0f));
  }
  return made;
}
template <class T>
constexpr double tolerance = std::is_same_v<T, ts::bfloat16> ? 0x1p-7
                             : std::is_same_v<T, float>      ? 1e-6
                                                             : 1e-14;

// Each program, and what it gives for one row.
constexpr auto reduced = [](auto x) {
  auto const centered = x - ts::max<-1>(x, ts::keepdims);
  return std::tuple{ts::sum<-1>(x * x), ts::min<-1>(x), centered, ts::sum<-1>(centered)};
};
std::vector<std::vector<double>> reduced_row(std::vector<double> const& x) {
  double squares = 0, least = x[0], most = x[0], sum = 0;
  for (double v : x) squares += v * v, least = std::min(least, v), most = std::max(most, v);
  std::vector<double> centered;
  for (double v : x) centered.push_back(v - most), sum += v - most;
  return {{squares}, {least}, centered, {sum}};
}
constexpr auto normalized = [](auto x) { return std::tuple{ts::softmax<-1>(x), ts::logsumexp<-1>(x)}; };
std::vector<std::vector<double>> normalized_row(std::vector<double> const& x) {
  double sum = 0;
  for (double v : x) sum += std::exp(v);
  std::vector<double> parts;
  for (double v : x) parts.push_back(std::exp(v) / sum);
  return {parts, {std::log(sum)}};
}

template <class T, class Results, class Want>
void check(std::vector<T> const& x, std::int64_t columns, Results const& results, Want const& want) {
  auto const rows = static_cast<std::int64_t>(x.size()) / columns;
  for (std::int64_t r = 0; r < rows; ++r) {
    std::vector<double> row;
    for (std::int64_t c = 0; c < columns; ++c)
      row.push_back(static_cast<double>(static_cast<float>(x[r * columns + c])));
    auto const wanted = want(row);
    std::size_t k = 0;
    auto const one = [&](auto const& got) {
      for (std::size_t c = 0; c < wanted[k].size(); ++c) {
        auto const value = static_cast<double>(got[static_cast<std::size_t>(r) * wanted[k].size() + c]);
        EXPECT_NEAR(value, wanted[k][c], tolerance<T> * (1 + std::abs(wanted[k][c])))
            << "result " << k << ", row " << r << " of " << columns << ", column " << c;
      }
      ++k;
    };
    std::apply([&](auto const&... result) { (one(result), ...); }, results);
  }
}
template <class R>
auto on_host(R const& results) {
  return std::apply([](auto const&... x) { return std::tuple{x.to_host()...}; }, results);
}
template <class T, std::int64_t Columns, class F, class Want>
void run(F const& program, Want const& want) {
  auto const host = numbers<T>(row_count * Columns);
  auto const x = ts::device_put(ts::host<row_count, Columns>(host));
  check(host, Columns, on_host(ts::jit(program)(x)), want);
}
// The program of all rows, and of the first three alone, whose columns are lanes: the same bits.
template <class T, std::int64_t Columns>
void same_alone() {
  auto const host = numbers<T>(row_count * Columns);
  auto const x = ts::device_put(ts::host<row_count, Columns>(host));
  auto const first = ts::device_put(ts::host<3, Columns>(std::vector<T>(host.begin(), host.begin() + 3 * Columns)));
  auto const all = on_host(ts::jit(normalized)(x)), few = on_host(ts::jit(normalized)(first));
  auto const same = [](auto const& some, auto const& more) {
    EXPECT_EQ(std::memcmp(some.data(), more.data(), some.size() * sizeof(*some.data())), 0) << Columns;
  };
  same(std::get<0>(few), std::get<0>(all));
  same(std::get<1>(few), std::get<1>(all));
}
template <class T, std::int64_t... C>
void each_width(std::integer_sequence<std::int64_t, C...>) {
  (run<T, C + 1>(reduced, &reduced_row), ...);
  if constexpr (std::is_same_v<T, float>) (run<T, C + 1>(normalized, &normalized_row), ...);
}
template <class T>
void all_widths() {
  each_width<T>(std::make_integer_sequence<std::int64_t, 17>{});
}

}  // namespace

TEST(short_rows, of_float32) { all_widths<float>(); }
TEST(short_rows, have_the_bits_of_few_rows) {
  same_alone<float, 3>();
  same_alone<float, 8>();
  same_alone<float, 17>();
  same_alone<double, 7>();
  same_alone<ts::bfloat16, 5>();
}
TEST(short_rows, of_float64) {
  all_widths<double>();
  run<double, 5>(normalized, &normalized_row);
}
TEST(short_rows, of_int32) { all_widths<std::int32_t>(); }
TEST(short_rows, of_bfloat16) {
  all_widths<ts::bfloat16>();
  run<ts::bfloat16, 5>(normalized, &normalized_row);
}

TEST(short_rows, of_a_transposed_array) {
  constexpr std::int64_t columns = 5;
  auto const host = numbers<float>(row_count * columns);
  std::vector<float> turned(host.size());
  for (std::int64_t r = 0; r < row_count; ++r)
    for (std::int64_t c = 0; c < columns; ++c) turned[c * row_count + r] = host[r * columns + c];
  auto const x = ts::device_put(ts::host<columns, row_count>(turned));
  auto const program = [](auto y) { return normalized(ts::transpose(y)); };
  check(host, columns, on_host(ts::jit(program)(x)), &normalized_row);
}

TEST(short_rows, split_over_devices) {
  constexpr std::int64_t columns = 6;
  auto const host = numbers<float>(row_count * columns);
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<row_count, columns>(host), ts::make_mesh<grid>(ts::devices()));
  check(host, columns, on_host(ts::jit(normalized)(x)), &normalized_row);
  check(host, columns, on_host(ts::jit(reduced)(x)), &reduced_row);
}

// Squared distances of all pairs of points: one operand repeats along the rows, the other over them.
TEST(short_rows, of_differences_of_all_pairs) {
  constexpr std::int64_t points = 20, dims = 3;
  auto const host = numbers<float>(points * dims);
  auto const distances = [](auto x) {
    auto const d = ts::expand_dims<1>(x) - ts::expand_dims<0>(x);
    return ts::sum<-1>(d * d);
  };
  auto const got = ts::jit(distances)(ts::device_put(ts::host<points, dims>(host))).to_host();
  for (std::int64_t i = 0; i < points; ++i)
    for (std::int64_t j = 0; j < points; ++j) {
      float sum = 0;
      for (std::int64_t d = 0; d < dims; ++d) {
        float const apart = host[i * dims + d] - host[j * dims + d];
        sum += apart * apart;
      }
      EXPECT_EQ(got[static_cast<std::size_t>(i * points + j)], sum);
    }
}

// Infinities, and rows with a nan.
TEST(short_rows, of_special_values) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> const host{inf, 1, -inf, -inf, -inf, -inf, 1, nan, 2, -0.f, -0.f, -0.f};
  auto const x = ts::device_put(ts::host<4, 3>(host));
  auto const most = ts::jit([](auto y) { return ts::max<-1>(y); })(x).to_host();
  auto const sums = ts::jit([](auto y) { return ts::sum<-1>(y); })(x).to_host();
  EXPECT_EQ(most[0], inf);
  EXPECT_EQ(most[1], -inf);
  EXPECT_TRUE(std::isnan(most[2]) && std::isnan(sums[0]) && std::isnan(sums[2]));
  EXPECT_EQ(sums[1], -inf);
  EXPECT_EQ(sums[3], 0);
}
