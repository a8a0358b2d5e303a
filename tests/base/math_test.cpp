// SPDX-License-Identifier: Apache-2.0
// The vectorizable functions of float against the C++ library in double: their bounds over the whole range, specials.
// Every 1009th float; all of them at night.
// optimized

#include <tessera/base/math.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace {

namespace math = tessera::math;

// Units in the last place of the result between `got` and the real value `exact`.
double units(float got, double exact) {
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : 1e9;
  auto const rounded = static_cast<float>(exact);
  if (std::isinf(rounded) || std::isinf(got)) return rounded == got ? 0 : 1e9;
  if (exact == 0) return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : 1e9;
  int exponent = 0;
  std::frexp(exact, &exponent);
  double const unit = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::fabs(static_cast<double>(got) - exact) / unit;
}

template <class Own, class Exact>
void within(double bound, Own own, Exact exact) {
  std::uint64_t const step = std::getenv("TESSERA_NIGHTLY") ? 1 : 1009;
  double worst = 0;
  float where = 0;
  for (std::uint64_t bits = 0; bits <= 0xffffffffu; bits += step) {
    auto const x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    double const error = units(own(x), exact(static_cast<double>(x)));
    if (error > worst) worst = error, where = x;
  }
  EXPECT_LE(worst, bound) << "at " << where << ": " << own(where) << " for " << exact(static_cast<double>(where));
  std::printf("worst %.3f units at %g\n", worst, static_cast<double>(where));
}

double logistic(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
// A subnormal result is 0, or there is a subnormal one.
double logistic_or_0(double x) {
  double const y = logistic(x);
  return y < std::numeric_limits<float>::min() && tessera::math::logistic(static_cast<float>(x)) == 0.0f ? 0 : y;
}

TEST(math, exp) {
  within(
      1.1, [](float x) { return math::exp(x); }, [](double x) { return std::exp(x); });
}
TEST(math, expm1) {
  within(
      1.7, [](float x) { return math::expm1(x); }, [](double x) { return std::expm1(x); });
}
TEST(math, log) {
  within(
      1, [](float x) { return math::log(x); }, [](double x) { return std::log(x); });
}
TEST(math, log1p) {
  within(
      1.5, [](float x) { return math::log1p(x); }, [](double x) { return std::log1p(x); });
}
TEST(math, tanh) {
  within(
      2.5, [](float x) { return math::tanh(x); }, [](double x) { return std::tanh(x); });
}
TEST(math, logistic) {
  within(
      2.5, [](float x) { return math::logistic(x); }, logistic_or_0);
}
TEST(math, erf) {
  within(
      2.5, [](float x) { return math::erf(x); }, [](double x) { return std::erf(x); });
}

TEST(math, other_types_are_the_library) {
  for (double x : {-3.0, -0.5, 0.0, 0.25, 2.0}) {
    EXPECT_EQ(math::exp(x), std::exp(x));
    EXPECT_EQ(math::expm1(x), std::expm1(x));
    EXPECT_EQ(math::tanh(x), std::tanh(x));
    EXPECT_EQ(math::erf(x), std::erf(x));
    EXPECT_EQ(math::log(x + 4), std::log(x + 4));
    EXPECT_EQ(math::log1p(x + 4), std::log1p(x + 4));
    EXPECT_NEAR(math::logistic(x), logistic(x), 1e-15);
  }
}

}  // namespace
