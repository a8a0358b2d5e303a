// SPDX-License-Identifier: Apache-2.0
// nightly
// Functions of numbers against JAX's values and gradients, at ordinary numbers and at edges.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(numbers, of_one_operand) {
  auto const both = [](std::string const& name, auto f) {
    expect_recorded<float[8][6]>(name.c_str(), f);
    expect_recorded<float[16]>((name + " edges").c_str(), f);
  };
  both("fabs", [](auto x) { return ts::fabs(x); });
  both("sinc", [](auto x) { return ts::sinc(x); });
  expect_recorded<float[8][6]>("modf", [](auto x) { return ts::modf(x); });
  expect_recorded<not_sloped, float[16]>("modf edges", [](auto x) { return ts::modf(x); });
  expect_recorded<not_sloped, float[8][6]>("frexp", [](auto x) { return ts::frexp(x); });
  expect_recorded<not_sloped, float[16]>("frexp edges", [](auto x) { return ts::frexp(x); });
  auto const asked = [](std::string const& name, auto f) {
    expect_recorded<not_sloped, float[8][6]>(name.c_str(), f);
    expect_recorded<not_sloped, float[16]>((name + " edges").c_str(), f);
  };
  asked("isneginf", [](auto x) { return ts::isneginf(x); });
  asked("isposinf", [](auto x) { return ts::isposinf(x); });
  asked("isreal", [](auto x) { return ts::isreal(x); });
  asked("iscomplex", [](auto x) { return ts::iscomplex(x); });
  expect_recorded<float[8][6]>("unwrap", [](auto x) { return ts::unwrap(x); });
  expect_recorded<whole, float[8][6]>("unwrap 0", [](auto x) { return ts::unwrap<0>(x); });
}
TEST(numbers, of_two_operands) {
  auto const both = [](std::string const& name, auto f) {
    expect_recorded<float[8][6], float[8][6]>(name.c_str(), f);
    expect_recorded<float[16], float[16]>((name + " edges").c_str(), f);
  };
  auto const smooth = [](std::string const& name, auto f) {
    expect_recorded<float[8][6], float[8][6]>(name.c_str(), f);
    expect_recorded<not_sloped, float[16], float[16]>((name + " edges").c_str(), f);
  };
  both("fmax", [](auto x, auto y) { return ts::fmax(x, y); });
  both("fmin", [](auto x, auto y) { return ts::fmin(x, y); });
  smooth("logaddexp2", [](auto x, auto y) { return ts::logaddexp2(x, y); });
  smooth("divmod", [](auto x, auto y) { return ts::divmod(x, y); });
  smooth("heaviside", [](auto x, auto y) { return ts::heaviside(x, y); });
  expect_recorded<float[8][6], float[8][6]>("float_power", [](auto x, auto y) { return ts::float_power(x, y); });
  expect_recorded<int[8], int[8]>("float_power of integers", [](auto x, auto y) { return ts::float_power(x, y); });
  expect_recorded<not_sloped, float[8][6], int[8][6]>("ldexp", [](auto x, auto e) { return ts::ldexp(x, e); });
  expect_recorded<not_sloped, float[8][6], float[8][6]>(
      "nextafter", [](auto x, auto y) { return ts::nextafter(x, y); }, 0);
  expect_recorded<whole, not_sloped, float[14], float[14]>(
      "nextafter edges", [](auto x, auto y) { return ts::nextafter(x, y); }, 0);
}
TEST(numbers, of_integers) {
  expect_recorded<int[8][6], int[8][6]>(
      "gcd", [](auto x, auto y) { return ts::gcd(x, y); }, 0);
  expect_recorded<int[8][6], int[8][6]>(
      "lcm", [](auto x, auto y) { return ts::lcm(x, y); }, 0);
  expect_recorded<whole, int[5], int[5]>(
      "gcd large", [](auto x, auto y) { return ts::gcd(x, y); }, 0);
  expect_recorded<int[8][6]>("population_count", [](auto x) { return ts::population_count(x); });
  expect_recorded<int[8][6]>("bitwise_count", [](auto x) { return ts::bitwise_count(x); });
  expect_recorded<int[8][6]>("clz", [](auto x) { return ts::clz(x); });
  auto const of = [](std::string const& name, auto x) {
    using T = decltype(x);
    expect_recorded<T[8]>(("population_count " + name).c_str(), [](auto n) { return ts::population_count(n); });
    expect_recorded<T[8]>(("clz " + name).c_str(), [](auto n) { return ts::clz(n); });
  };
  of("int8", std::int8_t{});
  of("uint8", std::uint8_t{});
  of("int16", std::int16_t{});
  of("int64", std::int64_t{});
  of("uint64", std::uint64_t{});
}

}  // namespace
