// SPDX-License-Identifier: Apache-2.0
// nightly
// expi, exp1 and expn against JAX's, and against mpmath's within a relative error over a wide range.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

template <class... Settings, class F>
void expect_all(std::string const& name, F f) {
  expect_recorded<Settings..., float[8][3]>(name.c_str(), f, 2e-6);
  expect_recorded<not_sloped, float[8][1]>((name + " edges").c_str(), f, 2e-6);
}
template <class F>
void expect_wide(std::string const& name, F f) {
  expect_recorded<double[8][3]>((name + " wide float64").c_str(), f, -1e-13);
}

TEST(exponential_integrals, expi) {
  auto const f = [](auto x) { return ts::expi(x); };
  expect_all("expi", f);
  expect_recorded<float[8][3]>("expi wide float32", f, -5e-6);
  expect_wide("expi", f);
}
TEST(exponential_integrals, of_a_static_order) {
  expect_all<not_sloped>("expn 0", [](auto x) { return ts::expn<0>(x); });
  expect_all("expn 1", [](auto x) { return ts::exp1(x); });
  expect_all("expn 5", [](auto x) { return ts::expn<5>(x); });
}
TEST(exponential_integrals, wide) {
  expect_recorded<float[8][3]>(
      "expn 2 wide float32", [](auto x) { return ts::expn<2>(x); }, -5e-6);
  expect_wide("expn 1", [](auto x) { return ts::expn<1>(x); });
  expect_wide("expn 2", [](auto x) { return ts::expn<2>(x); });
  expect_wide("expn 40", [](auto x) { return ts::expn<40>(x); });
}

}  // namespace
