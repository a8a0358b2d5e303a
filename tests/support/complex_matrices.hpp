// SPDX-License-Identifier: Apache-2.0
#pragma once
// The matrices of tests/op/linalg/record_complex.py, and results and slopes beside what JAX gives for them.

#include <tessera/tessera.hpp>

#include "op/linalg/recorded/complex_matrices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <tuple>
#include <vector>

namespace complex_matrices {
namespace ts = tessera;

using number = std::complex<double>;

// The matrices of record_complex.py.
template <class T, std::int64_t... N>
auto wave(double phase = 0) {
  std::vector<T> all(static_cast<std::size_t>((1 * ... * N)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    double const k = static_cast<double>(i) * static_cast<double>(i);
    if constexpr (std::is_same_v<T, ts::complex128> || std::is_same_v<T, ts::complex64>)
      all[i] = T(number(std::sin(0.7 * k + phase), std::cos(1.3 * k + phase)));
    else
      all[i] = static_cast<T>(std::sin(0.7 * k + phase));
  }
  return ts::asarray(ts::host<N...>(std::move(all)));
}
template <std::int64_t... N>
auto z(double phase = 0) {
  return wave<ts::complex128, N...>(phase);
}

template <class X>
std::vector<double> numbers(X const& x) {
  std::vector<double> all;
  for (auto const& v : x.to_host()) {
    if constexpr (requires { v.re; }) {
      all.push_back(static_cast<double>(v.re));
      all.push_back(static_cast<double>(v.im));
    } else {
      all.push_back(static_cast<double>(v));
    }
  }
  return all;
}
inline void expect_near(std::vector<double> const& got, std::vector<double> const& want, double tolerance,
                        char const* what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  double most = 1;
  for (double v : want)
    if (!std::isnan(v)) most = std::max(most, std::abs(v));
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::isnan(want[i]))
      EXPECT_TRUE(std::isnan(got[i])) << what << ' ' << i;
    else
      EXPECT_NEAR(got[i], want[i], tolerance * most) << what << ' ' << i;
}
template <class Values>
void expect(Values const& values, std::vector<std::vector<double>> const& want, double tolerance = 1e-10) {
  ASSERT_EQ(std::tuple_size_v<Values>, want.size());
  std::size_t k = 0;
  auto const one = [&](auto const& v) {
    expect_near(numbers(v), want[k], tolerance, std::to_string(k).c_str());
    ++k;
  };
  std::apply([&](auto const&... v) { (one(v), ...); }, values);
}

constexpr auto size_of = [](auto v) { return ts::sum(ts::real((v - 0.5) * ts::conj(v - 0.5))); };
// F's result, and the slopes of its size.
template <class F>
struct and_slopes {
  template <class... X>
  constexpr auto operator()(X... x) const {
    auto const slopes = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ts::grad<static_cast<int>(I)...>([](auto... one) { return size_of(F{}(one...)); })(x...);
    }
    (std::make_index_sequence<sizeof...(X)>{});
    if constexpr (sizeof...(X) == 1)
      return std::tuple{F{}(x...), slopes};
    else
      return std::tuple_cat(std::tuple{F{}(x...)}, slopes);
  }
};
template <class F, class... X>
auto with_slopes(F const&, X const&... x) {
  return ts::jit<and_slopes<F>>(x...);
}

// The slope of the size of F's result by operand K of shape N x M, against central differences.
template <int K, std::int64_t N, std::int64_t M, class F, class... X>
void check_slope(F const& f, X const&... x) {
  auto const made = with_slopes(f, x...);
  auto const given = std::tuple{x...};
  auto const at = std::get<K>(given).to_host();
  constexpr bool of_complex = requires { at[0].re; };
  constexpr double h = 1e-6;
  std::vector<double> want;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (int part = 0; part < (of_complex ? 2 : 1); ++part) {
      auto const moved = [&](double by) {
        auto numbers = std::vector(at.begin(), at.end());
        if constexpr (of_complex)
          (part == 0 ? numbers[i].re : numbers[i].im) += by;
        else
          numbers[i] += by;
        auto with = given;
        std::get<K>(with) = ts::asarray(ts::host<N, M>(std::move(numbers)));
        return std::apply([&](auto const&... y) { return size_of(f(y...)).item(); }, with);
      };
      double const change = (moved(h) - moved(-h)) / (2 * h);
      want.push_back(part == 0 ? change : -change);  // JAX: minus the slope by the imaginary part
    }
  expect_near(numbers(std::get<K + 1>(made)), want, 1e-6, "slope");
}

constexpr auto powers = [](auto w) {
  return ts::stack<-1>(std::tuple{ts::sum<-1>(w), ts::sum<-1>(w * w), ts::sum<-1>(w * w * w)});
};
}  // namespace complex_matrices
