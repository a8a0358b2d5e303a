// SPDX-License-Identifier: Apache-2.0
// nightly
// Hessenberg's form, functions of matrices by Schur's, and Bernoulli's numbers, against JAX's and SciPy's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <class X>
constexpr auto parts(X const& x) {
  return std::tuple{ts::real(x), ts::imag(x)};
}

TEST(forms_of_matrices, hessenberg) {
  auto const f = [](auto a) { return ts::hessenberg(a); };
  expect_recorded<not_sloped, float[8][4][4]>("hessenberg", f, 5e-6);
  expect_recorded<not_sloped, float[8][2][2]>("hessenberg of 2", f);
  expect_recorded<not_sloped, float[8][4][4], float[8][4][4]>(
      "hessenberg of complex",
      [](auto x, auto y) {
        auto const made = ts::hessenberg(ts::complex(x, y));
        return std::tuple_cat(parts(std::get<0>(made)), parts(std::get<1>(made)));
      },
      5e-6);
}
// What is put together again has the gradient 1, also where a column is reduced already.
TEST(forms_of_matrices, hessenberg_has_a_gradient) {
  auto const again = [](auto a) {
    auto const made = ts::hessenberg(a);
    auto const& q = std::get<1>(made);
    return ts::sum(ts::square(ts::matmul(q, ts::matmul(std::get<0>(made), ts::matrix_transpose(q))))) / 2.0;
  };
  auto values = wave(16, 3);
  values[8] = values[12] = 0;
  auto const a = ts::device_put(ts::host<4, 4>(values));
  expect_numbers(numbers_of(ts::jit(ts::grad(again))(a)), values, 0, 1e-12, "the gradient of q h q^T");
}
TEST(forms_of_matrices, funm) {
  expect_recorded<not_sloped, whole, float[4][4]>(
      "funm sin", [](auto a) { return parts(ts::funm(a, [](auto x) { return ts::sin(x); })); }, 1e-5);
  expect_recorded<not_sloped, whole, float[4][4]>(
      "funm exp", [](auto a) { return parts(ts::funm(a, [](auto x) { return ts::exp(x); })); }, 1e-5);
}
TEST(forms_of_matrices, bernoulli) {
  expect_made("bernoulli", [] { return ts::bernoulli<40>(); });
  expect_made("bernoulli float64", [] { return ts::bernoulli<60, double>(); });
  auto const b = ts::bernoulli<60, double>().to_host();
  EXPECT_NEAR(b[20], -174611.0 / 330, 1e-12);
  EXPECT_NEAR(b[60] / -2.1399949257225333665810744765191e34, 1, 1e-14);
}

}  // namespace
