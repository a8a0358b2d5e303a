// SPDX-License-Identifier: Apache-2.0
// What kernels of an accelerator treat differently by shape: rows longer than a team, groups of neighbors that do not lie
// aligned or are not whole, squares of a transposition at an edge, sums in pieces, lines that a team adds up.
// stand-in

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>>;

// Values in [-1, 1) with few bits, so that sums of some thousand are exact.
template <class T = float>
std::vector<T> values(std::int64_t count, int seed) {
  std::vector<T> made;
  std::uint32_t z = 2463534242u + static_cast<std::uint32_t>(seed) * 7919u;
  for (std::int64_t i = 0; i < count; ++i) {
    z ^= z << 13, z ^= z >> 17, z ^= z << 5;
    made.push_back(static_cast<T>(static_cast<float>(z % 256u) / 128.0f - 1.0f));
  }
  return made;
}
template <class S, std::int64_t... E>
auto put(std::vector<float> const& host) {
  return ts::device_put<S>(ts::host<E...>(host), ts::make_mesh<grid>(ts::devices()));
}
template <class F, class... X>
auto run(F, X const&... x) {
  return ts::jit<F>(x...);
}
template <class A>
void expect_near(A const& result, std::vector<double> const& expected, double tolerance = 1e-5) {
  auto const got = result.to_host();
  ASSERT_EQ(got.size(), expected.size());
  int wrong = 0;
  for (std::size_t i = 0; i < expected.size() && wrong < 3; ++i)
    if (!(std::abs(static_cast<double>(got[i]) - expected[i]) <= tolerance * (1 + std::abs(expected[i])))) {
      ++wrong;
      ADD_FAILURE() << "element " << i << " is " << static_cast<double>(got[i]) << ", not " << expected[i];
    }
}

constexpr auto soft = [](auto x) { return ts::softmax(x); };
constexpr auto normed = [](auto x, auto gain) { return ts::layer_norm(x) * gain; };

template <class S, std::int64_t Rows, std::int64_t Columns>
void rows() {
  auto const host = values(Rows * Columns, 1), gains = values(Columns, 2);
  auto const x = put<S, Rows, Columns>(host);
  std::vector<double> softmax, norm;
  for (std::int64_t r = 0; r < Rows; ++r) {
    float const* const row = &host[r * Columns];
    double sum = 0, mean = 0, square = 0;
    for (std::int64_t c = 0; c < Columns; ++c) sum += std::exp(double{row[c]}), mean += row[c] / double(Columns);
    for (std::int64_t c = 0; c < Columns; ++c) square += (row[c] - mean) * (row[c] - mean) / double(Columns);
    for (std::int64_t c = 0; c < Columns; ++c) {
      softmax.push_back(std::exp(double{row[c]}) / sum);
      norm.push_back((row[c] - mean) / std::sqrt(square + 1e-5) * gains[c]);
    }
  }
  expect_near(run(soft, x), softmax, 1e-6);
  expect_near(run(normed, x, put<ts::P<>, Columns>(gains)), norm, 2e-5);
}

}  // namespace

TEST(device_kernels, rows_of_every_length) {
  rows<ts::P<>, 5, 1>();
  rows<ts::P<>, 3, 7>();
  rows<ts::P<dp>, 4, 255>();
  rows<ts::P<>, 2, 1027>();
  rows<ts::P<dp, mp>, 2, 4096>();
  rows<ts::P<>, 2, 9001>();
}

TEST(device_kernels, sums_in_pieces) {
  constexpr std::int64_t rows = 301, columns = 1000;
  auto const host = values(rows * columns, 3);
  auto const x = put<ts::P<ts::none, mp>, rows, columns>(host);
  std::vector<double> all(1), down(columns), across(rows);
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    all[0] += host[i];
    down[i % columns] += host[i];
    across[i / columns] += host[i];
  }
  expect_near(run([](auto x) { return ts::sum(x); }, x), all, 1e-4);
  expect_near(run([](auto x) { return ts::sum<0>(x); }, x), down, 1e-4);
  expect_near(run([](auto x) { return ts::sum<1>(x); }, x), across, 1e-4);
  EXPECT_EQ(run([](auto x) { return ts::max(x); }, x).item(), *std::max_element(host.begin(), host.end()));
}

TEST(device_kernels, groups_that_are_not_aligned) {
  constexpr std::int64_t rows = 6, columns = 37;
  auto const host = values(rows * columns, 4);
  auto const x = put<ts::P<dp>, rows, columns>(host);
  // From the second column on, every second column, columns from the last to the first.
  auto const parts = run(
      [](auto x) {
        return std::tuple{ts::slice(x, ts::starts<0, 1>, ts::limits<6, 37>) * 2, ts::exp(ts::flip<1>(x)),
                          ts::relu(ts::slice(x, ts::starts<0, 1>, ts::limits<6, 37>, ts::steps<1, 2>))};
      },
      x);
  std::vector<double> tail, turned, second;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      double const v = host[r * columns + c];
      turned.push_back(std::exp(double{host[r * columns + columns - 1 - c]}));
      if (c > 0) tail.push_back(2 * v);
      if (c % 2 == 1) second.push_back(std::max(v, 0.0));
    }
  expect_near(std::get<0>(parts), tail);
  expect_near(std::get<1>(parts), turned);
  expect_near(std::get<2>(parts), second);
  // A column and a row beside a matrix, of types of 1, 2, 4 and 8 bytes.
  auto const mixed = run(
      [](auto x, auto row) {
        auto const wide = ts::astype<double>(x) + ts::astype<double>(row);
        auto const narrow = ts::astype<ts::bfloat16>(x) > ts::astype<ts::bfloat16>(row);
        return std::tuple{ts::where(narrow, wide, -wide), ts::astype<std::int8_t>(x * 100)};
      },
      x, put<ts::P<>, columns>(values(columns, 5)));
  auto const row = values(columns, 5);
  std::vector<double> chosen, bytes;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    double const sum = double{host[i]} + row[i % columns];
    chosen.push_back(host[i] > row[i % columns] ? sum : -sum);
    bytes.push_back(std::trunc(host[i] * 100));
  }
  expect_near(std::get<0>(mixed), chosen);
  expect_near(std::get<1>(mixed), bytes);
}

#ifndef TESSERA_BY_DAY
TEST(device_kernels, transpositions) {
  constexpr std::int64_t a = 5, b = 33, c = 70;
  auto const host = values(a * b * c, 6);
  auto const x = put<ts::P<>, a, b, c>(host);
  auto const at = [&](std::int64_t i, std::int64_t j, std::int64_t k) { return double{host[(i * b + j) * c + k]}; };
  std::vector<double> last, outer, cycle;
  for (std::int64_t i = 0; i < a; ++i)
    for (std::int64_t k = 0; k < c; ++k)
      for (std::int64_t j = 0; j < b; ++j) last.push_back(at(i, j, k));
  for (std::int64_t j = 0; j < b; ++j)
    for (std::int64_t i = 0; i < a; ++i)
      for (std::int64_t k = 0; k < c; ++k) outer.push_back(at(i, j, k));
  for (std::int64_t k = 0; k < c; ++k)
    for (std::int64_t i = 0; i < a; ++i)
      for (std::int64_t j = 0; j < b; ++j) cycle.push_back(at(i, j, k));
  expect_near(run([](auto x) { return ts::transpose<0, 2, 1>(x); }, x), last);
  expect_near(run([](auto x) { return ts::transpose<1, 0, 2>(x); }, x), outer);
  expect_near(run([](auto x) { return ts::transpose<2, 0, 1>(x); }, x), cycle);
}

namespace {

// Step over the values so far, from one end.
template <int Dim, std::int64_t Rows, std::int64_t Columns>
std::vector<double> running(std::vector<float> const& x, bool back, std::function<double(double, double)> const& step) {
  std::vector<double> y(x.begin(), x.end());
  constexpr std::int64_t length = Dim == 0 ? Rows : Columns, lines = Dim == 0 ? Columns : Rows;
  for (std::int64_t l = 0; l < lines; ++l)
    for (std::int64_t i = 1; i < length; ++i) {
      auto const place = [&](std::int64_t k) {
        std::int64_t const at = back ? length - 1 - k : k;
        return Dim == 0 ? at * Columns + l : l * Columns + at;
      };
      y[place(i)] = step(y[place(i - 1)], y[place(i)]);
    }
  return y;
}

template <std::int64_t Rows, std::int64_t Columns>
void scans() {
  auto const host = values(Rows * Columns, 7);
  auto const x = put<ts::P<>, Rows, Columns>(host);
  auto const add = [](double s, double v) { return s + v; };
  auto const most = [](double s, double v) { return std::max(s, v); };
  auto const log_add = [](double s, double v) { return std::log(std::exp(s) + std::exp(v)); };
  expect_near(run([](auto x) { return ts::cumsum<1>(x); }, x), running<1, Rows, Columns>(host, false, add));
  expect_near(run([](auto x) { return ts::cumsum<1>(x, ts::reverse); }, x), running<1, Rows, Columns>(host, true, add));
  expect_near(run([](auto x) { return ts::cumsum<0>(x); }, x), running<0, Rows, Columns>(host, false, add));
  expect_near(run([](auto x) { return ts::cummax<1>(x); }, x), running<1, Rows, Columns>(host, false, most));
  expect_near(run([](auto x) { return ts::cumlogsumexp<1>(x); }, x), running<1, Rows, Columns>(host, false, log_add),
              1e-4);
  auto near_one = host;
  for (float& v : near_one) v = 1 + v / 256;
  expect_near(run([](auto x) { return ts::cumprod<1>(x); }, put<ts::P<>, Rows, Columns>(near_one)),
              running<1, Rows, Columns>(near_one, false, [](double s, double v) { return s * v; }), 1e-4);
}

}  // namespace

TEST(device_kernels, lines_that_are_added_up) {
  scans<3, 2>();
  scans<3, 256>();
  scans<300, 1501>();
}

TEST(device_kernels, products_of_every_type) {
  constexpr std::int64_t m = 33, k = 40, n = 18;
  auto const host_a = values(m * k, 8), host_b = values(k * n, 9);
  auto const a = put<ts::P<dp>, m + 1, k>([&] {
    auto rows = host_a;
    rows.resize((m + 1) * k, 0.5f);
    return rows;
  }());
  auto const b = put<ts::P<ts::none, mp>, k, n>(host_b);
  std::vector<double> expected;
  for (std::int64_t i = 0; i <= m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l) sum += (i < m ? host_a[i * k + l] : 0.5f) * double{host_b[l * n + j]};
      expected.push_back(sum);
    }
  auto const product_of = [&]<class T>(T) {
    return run([](auto a, auto b) { return ts::matmul(ts::astype<T>(a), ts::astype<T>(b)); }, a, b);
  };
  expect_near(product_of(float{}), expected);
  expect_near(product_of(double{}), expected);
  expect_near(product_of(ts::bfloat16{}), expected, 1e-2);
  expect_near(product_of(ts::float16{}), expected, 2e-3);
  auto const parts = run(
      [](auto a, auto b) {
        auto const z = ts::matmul(ts::complex(a, a), ts::complex(b, -b));
        return std::tuple{ts::real(z), ts::imag(z)};
      },
      a, b);
  auto twice = expected;
  for (double& v : twice) v *= 2;
  expect_near(std::get<0>(parts), twice);
  expect_near(std::get<1>(parts), std::vector<double>(expected.size()));
}
#endif
