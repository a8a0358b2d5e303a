// SPDX-License-Identifier: Apache-2.0
// The two floats of 8 bits: each of their numbers, and the nearest of them for every float16 and for numbers about each
// place where rounding changes.

#include <tessera/aval/float_format.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

namespace ts = tessera;

constexpr double inf = std::numeric_limits<double>::infinity();

// The number of these bits, by the definition of the format. `special`: the least size that is no number.
double defined(int bits, int mantissa, int bias, int special) {
  int const size = bits & 127, power = size >> mantissa, rest = size & ((1 << mantissa) - 1);
  double const sign = (bits & 128) != 0 ? -1 : 1;
  if (size == special && special != 127) return sign * inf;
  if (size >= special) return std::nan("");
  return sign * (power == 0 ? std::ldexp(rest, 1 - bias - mantissa)
                            : std::ldexp((1 << mantissa) + rest, power - bias - mantissa));
}
// The bits of the nearest number, of two the even one; found by looking at all. What rounds beyond the largest is `special`.
int nearest(double x, int mantissa, int bias, int special) {
  int const sign = std::signbit(x) ? 128 : 0;
  double const size = std::abs(x);
  if (std::isnan(x)) return sign | 127;
  // The largest number's next neighbor, if there was one.
  double const most = defined(special - 1, mantissa, bias, special);
  double const beyond = most + (most - defined(special - 2, mantissa, bias, special));
  if (size >= beyond) return sign | special;
  int best = special;
  double distance = std::abs(size - beyond);
  for (int b = special - 1; b >= 0; --b) {
    double const d = std::abs(size - defined(b, mantissa, bias, special));
    if (d < distance || (d == distance && b % 2 == 0)) best = b, distance = d;
  }
  return sign | best;
}

template <class T>
struct kind;
template <>
struct kind<ts::float8_e4m3fn> {
  static constexpr int mantissa = 3, bias = 7, special = 127;
};
template <>
struct kind<ts::float8_e5m2> {
  static constexpr int mantissa = 2, bias = 15, special = 124;
};

template <class T>
T of_bits(int bits) {
  T x{};
  x.bits = static_cast<std::uint8_t>(bits);
  return x;
}
template <class T>
double value_of(int bits) {
  using k = kind<T>;
  return defined(bits, k::mantissa, k::bias, k::special);
}
template <class T>
void expect_nearest(double x) {
  using k = kind<T>;
  int const want = nearest(x, k::mantissa, k::bias, k::special);
  T const single(static_cast<float>(x)), once(x);
  double const got = once;
  if (std::isnan(value_of<T>(want))) {
    EXPECT_TRUE(std::isnan(got)) << x;
  } else {
    EXPECT_EQ(once.bits, want) << x;
    if (static_cast<double>(static_cast<float>(x)) == x) {
      EXPECT_EQ(single.bits, want) << x;
    }
  }
}

template <class T>
class float8 : public testing::Test {};
using kinds = testing::Types<ts::float8_e4m3fn, ts::float8_e5m2>;
TYPED_TEST_SUITE(float8, kinds);

TYPED_TEST(float8, each_number_and_back) {
  for (int b = 0; b < 256; ++b) {
    double const want = value_of<TypeParam>(b), got = of_bits<TypeParam>(b);
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(got)) << b;
      EXPECT_TRUE(std::isnan(static_cast<double>(TypeParam(static_cast<float>(got))))) << b;
    } else {
      EXPECT_EQ(got, want) << b;
      EXPECT_EQ(std::signbit(got), (b & 128) != 0) << b;
      EXPECT_EQ(TypeParam(static_cast<float>(got)).bits, b);
    }
  }
}

TYPED_TEST(float8, rounds_to_the_nearest) {
  for (int b = 0; b < 65536; ++b) {
    ts::float16 half{};
    half.bits = static_cast<std::uint16_t>(b);
    expect_nearest<TypeParam>(static_cast<float>(half));
  }
  // Each number, the place halfway to the next, and their neighbors as float and as double.
  for (int b = 0; b < kind<TypeParam>::special; ++b) {
    double const own = value_of<TypeParam>(b), next = value_of<TypeParam>(b + 1);
    double const step = std::isfinite(next) ? next - own : own - value_of<TypeParam>(b - 1);
    for (double const x : {own, own + step / 2, own + step}) {
      float const single = static_cast<float>(x);
      for (double const y : {x, std::nextafter(x, -inf), std::nextafter(x, inf),
                             double(std::nextafter(single, -HUGE_VALF)), double(std::nextafter(single, HUGE_VALF))}) {
        expect_nearest<TypeParam>(y);
        expect_nearest<TypeParam>(-y);
      }
    }
  }
  for (double const x : {1e9, 1e300, inf, 1e-30, 1e-300, 5e-324, std::nan("")}) {
    expect_nearest<TypeParam>(x);
    expect_nearest<TypeParam>(-x);
  }
}

// numeric_limits, by looking at all numbers.
TYPED_TEST(float8, limits) {
  using limits = std::numeric_limits<TypeParam>;
  double largest = 0, least = inf, least_normal = inf, above_one = inf;
  for (int b = 1; b < kind<TypeParam>::special; ++b) {
    double const x = value_of<TypeParam>(b);
    largest = std::max(largest, x);
    least = std::min(least, x);
    if (b >> kind<TypeParam>::mantissa) least_normal = std::min(least_normal, x);
    if (x > 1) above_one = std::min(above_one, x);
  }
  EXPECT_EQ(double(limits::max()), largest);
  EXPECT_EQ(double(limits::lowest()), -largest);
  EXPECT_EQ(double(limits::denorm_min()), least);
  EXPECT_EQ(double(limits::min()), least_normal);
  EXPECT_EQ(double(limits::epsilon()), above_one - 1);
  EXPECT_TRUE(std::isnan(double(limits::quiet_NaN())));
  EXPECT_EQ(limits::has_infinity, kind<TypeParam>::special != 127);
  if (limits::has_infinity) {
    EXPECT_EQ(double(limits::infinity()), inf);
  }
  EXPECT_EQ(std::ldexp(0.5, limits::min_exponent), least_normal);
  EXPECT_LT(largest, std::ldexp(1.0, limits::max_exponent));
  EXPECT_GE(largest, std::ldexp(0.5, limits::max_exponent));
  EXPECT_EQ(limits::digits, kind<TypeParam>::mantissa + 1);
}

// What is known of a type by its dtype.
template <class T>
void expect_format() {
  using limits = std::numeric_limits<T>;
  ts::float_format const has = ts::float_format_of(ts::dtype_of<T>());
  EXPECT_EQ(has.digits, limits::digits);
  EXPECT_EQ(has.min_exponent, limits::min_exponent);
  EXPECT_EQ(has.largest, static_cast<double>(limits::max()));
  EXPECT_EQ(has.has_infinity, limits::has_infinity);
}
TEST(float_format, of_each_type) {
  expect_format<ts::float8_e4m3fn>();
  expect_format<ts::float8_e5m2>();
  expect_format<ts::float16>();
  expect_format<ts::bfloat16>();
  expect_format<float>();
  expect_format<double>();
}

}  // namespace
