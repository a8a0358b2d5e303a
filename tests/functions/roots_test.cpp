// SPDX-License-Identifier: Apache-2.0
// nightly
// Roots of polynomials beside JAX, and with zeros in front.

#include <tessera/functions.hpp>

#include "support/complex_matrices.hpp"

namespace {

using namespace complex_matrices;

TEST(roots, as_jax) {
  expect(std::tuple{powers(ts::roots(z<6>())), powers(ts::roots(wave<double, 5>() + 1.0))}, recorded_complex::roots);
}
TEST(roots, with_zeros) {
  auto const of = [](std::vector<float> p) {
    return numbers(ts::jit([](auto x) { return ts::roots(x); })(ts::asarray(ts::host<4>(std::move(p)))));
  };
  expect_near(of({0, 0, 1, -2}), {2, 0, std::nan(""), std::nan(""), std::nan(""), std::nan("")}, 1e-6, "in front");
  expect_near(of({2, -4, 0, 0}), {2, 0, 0, 0, 0, 0}, 1e-6, "behind");
  for (double v : of({0, 0, 0, 0})) EXPECT_TRUE(std::isnan(v));
}
TEST(roots, have_a_gradient) {  // x^2 + b x + c: the sum of the roots is -b, of their squares b^2 - 2 c
  auto const slope = ts::grad([](auto p) {
    auto const w = ts::roots(p);
    return ts::sum(ts::real(w * w));
  })(ts::asarray({1.0f, 3.0f, 5.0f}));
  expect_near(numbers(slope), {-(2 * 9 - 2 * 5), 6, -2}, 1e-5, "slope");
}

}  // namespace
