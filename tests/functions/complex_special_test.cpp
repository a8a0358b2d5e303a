// SPDX-License-Identifier: Apache-2.0
// nightly
// Functions of complex numbers, in their two parts, against mpmath's; spherical harmonics and loggamma against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <class F>
struct in_parts {
  template <class X>
  constexpr auto operator()(X const& x, X const& y) const {
    auto const w = F{}(ts::complex(x, y));
    return std::tuple{ts::real(w), ts::imag(w)};
  }
};
template <class F>
constexpr in_parts<F> parts_of(F) {
  return {};
}

TEST(complex_special, loggamma) {
  auto const f = parts_of([](auto z) { return ts::loggamma(z); });
  expect_recorded<float[8][6], float[8][6]>("loggamma float32", f, 1e-6);
  expect_recorded<double[8][6], double[8][6]>("loggamma float64", f, 1e-15);
  expect_recorded<not_sloped, float[8]>("loggamma of reals", [](auto x) { return ts::loggamma(x); });
}
TEST(complex_special, wofz) {
  auto const f = parts_of([](auto z) { return ts::wofz(z); });
  expect_recorded<float[8][6], float[8][6]>("wofz float32", f, 1e-6);
  expect_recorded<double[8][6], double[8][6]>("wofz float64", f, 1e-14);
}
TEST(complex_special, wofz_of_a_real_number) {
  auto const w = ts::wofz(ts::asarray({0.5, -3.0}));
  static_assert(ts::type_text<decltype(w)> == "complex128[2]");
  EXPECT_NEAR(w.to_host()[0].re, std::exp(-0.25), 1e-15);
  EXPECT_NEAR(w.to_host()[1].re, std::exp(-9.0), 1e-15);
}
TEST(complex_special, sph_harm_y) {
  auto const f = [](auto n, auto m, auto theta, auto phi) {
    auto const y = ts::sph_harm_y<5>(n, m, theta, phi);
    return std::tuple{ts::real(y), ts::imag(y)};
  };
  expect_recorded<int[8][2], int[8][2], float[8][2], float[8][2]>("sph_harm_y float32", f);
  expect_recorded<int[8][2], int[8][2], double[8][2], double[8][2]>("sph_harm_y float64", f, 1e-14);
}

}  // namespace
