// SPDX-License-Identifier: Apache-2.0
// Zeros of both signs, infinities, NaN, subnormals and the ends of the range through every elementwise function, against
// the C++ library in double: the same class and sign, and near. Compiled for float, interpreted for float and double.

#include "support/on_grid.hpp"

#include <functional>
#include <limits>
#include <string>
#include <tuple>

namespace {

using namespace on_grid;

template <class T>
std::vector<T> specials() {
  using range = std::numeric_limits<T>;
  std::vector<T> all;
  for (T x : {T(0),
              range::denorm_min(),
              range::min() / 2,
              range::min(),
              T(1e-20),
              range::epsilon(),
              T(0.1),
              T(0.5),
              T(1),
              std::nextafter(T(1), T(2)),
              T(1.5),
              T(2),
              T(2.5),
              T(3),
              T(20),
              T(88.5),
              T(90),
              T(104),
              T(1e10),
              T(8388607.5),
              T(16777216),
              T(1e30),
              range::max(),
              range::infinity(),
              range::quiet_NaN()}) {
    all.push_back(x);
    all.push_back(-x);
  }
  return all;
}

using unary_reference = std::function<double(double)>;
using binary_reference = std::function<double(double, double)>;
struct expected {
  char const* name;
  binary_reference of;
  double units = 0;       // in the last place
  bool any_zero = false;  // either zero will do
  expected(char const* n, unary_reference f, double u = 0)
      : name(n), of([f](double x, double) { return f(x); }), units(u) {}
  expected(char const* n, binary_reference f, double u = 0, bool zeros = false)
      : name(n), of(std::move(f)), units(u), any_zero(zeros) {}
};

template <class T>
bool near(double got, double exact, expected const& e) {
  auto const want = static_cast<double>(static_cast<T>(exact));
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  if (got == want) return got != 0 || e.any_zero || std::signbit(got) == std::signbit(want);
  int exponent = 0;
  std::frexp(exact, &exponent);
  int const digits = std::numeric_limits<T>::digits, lowest = std::numeric_limits<T>::min_exponent - digits;
  double const unit = std::ldexp(1.0, std::max(exponent - digits, lowest));
  double const most = static_cast<double>(std::numeric_limits<T>::max());
  double const bounded = std::isinf(got) ? std::copysign(most, got) : got,
               aim = std::isinf(want) ? std::copysign(most, want) : exact;
  // base/math.hpp: subnormal results of float's logistic are 0
  if (e.name == std::string("sigmoid") && got == 0 && exact < std::numeric_limits<float>::min()) return true;
  return std::fabs(bounded - aim) <= e.units * unit;
}

template <class T, class Results>
void compare(Results const& results, std::vector<expected> const& table, std::vector<T> const& x,
             std::vector<T> const& y, char const* how) {
  std::size_t at = 0;
  auto const one = [&](auto const& array) {
    auto const got = array.to_host();
    expected const& e = table.at(at++);
    int shown = 0;
    for (std::size_t i = 0; i < got.size() && shown < 6; ++i) {
      double const exact = e.of(static_cast<double>(x[i]), static_cast<double>(y[i]));
      if (near<T>(static_cast<double>(got[i]), exact, e)) continue;
      ++shown;
      ADD_FAILURE() << how << ' ' << e.name << '(' << +x[i] << ", " << +y[i] << ") is " << +got[i] << ", not " << exact;
    }
  };
  std::apply([&](auto const&... a) { (one(a), ...); }, results);
  EXPECT_EQ(at, table.size());
}

template <class F, class T>
void check_unary(std::vector<expected> const& table) {
  std::vector<T> x = specials<T>();
  while (x.size() < 64) x.push_back(1);  // whole registers, and the rest
  auto const given = ts::asarray(x);
  compare<T>(run<F>(given), table, x, x, "interpreted");
  auto const fixed = ts::device_put<ts::P<>>(ts::host<64>(x), ts::make_mesh<grid>(ts::devices()));
  if constexpr (std::is_same_v<T, float>) compare<T>(ts::jit<F>(fixed), table, x, x, "compiled");
}
template <class F, class T>
void check_binary(std::vector<expected> const& table) {
  std::vector<T> x, y;
  for (T a : specials<T>())
    for (T b : specials<T>()) {
      x.push_back(a);
      y.push_back(b);
    }
  ASSERT_EQ(x.size(), 2500u);
  compare<T>(run<F>(ts::asarray(x), ts::asarray(y)), table, x, y, "interpreted");
  auto const put_all = [](std::vector<T> const& v) {
    return ts::device_put<ts::P<>>(ts::host<2500>(v), ts::make_mesh<grid>(ts::devices()));
  };
  if constexpr (std::is_same_v<T, float>) compare<T>(ts::jit<F>(put_all(x), put_all(y)), table, x, y, "compiled");
}

struct exponentials {
  constexpr auto operator()(auto x) const {
    return std::tuple{ts::exp(x),   ts::exp2(x), ts::expm1(x), ts::log(x),  ts::log2(x),   ts::log10(x),
                      ts::log1p(x), ts::sqrt(x), ts::rsqrt(x), ts::cbrt(x), ts::sigmoid(x)};
  }
};
std::vector<expected> const of_exponentials{{"exp", [](double x) { return std::exp(x); }, 4},
                                            {"exp2", [](double x) { return std::exp2(x); }, 4},
                                            {"expm1", [](double x) { return std::expm1(x); }, 4},
                                            {"log", [](double x) { return std::log(x); }, 4},
                                            {"log2", [](double x) { return std::log2(x); }, 4},
                                            {"log10", [](double x) { return std::log10(x); }, 4},
                                            {"log1p", [](double x) { return std::log1p(x); }, 4},
                                            {"sqrt", [](double x) { return std::sqrt(x); }, 1},
                                            {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 4},
                                            {"cbrt", [](double x) { return std::cbrt(x); }, 4},
                                            {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, 8}};

struct angles {
  constexpr auto operator()(auto x) const {
    return std::tuple{ts::tan(x),  ts::arcsin(x), ts::arccos(x),  ts::arctan(x),  ts::sinh(x),
                      ts::cosh(x), ts::tanh(x),   ts::arcsinh(x), ts::arccosh(x), ts::arctanh(x),
                      ts::sin(x),  ts::cos(x),    ts::erf(x),     ts::erfc(x)};
  }
};
std::vector<expected> const of_angles{
    {"tan", [](double x) { return std::tan(x); }, 8},       {"arcsin", [](double x) { return std::asin(x); }, 8},
    {"arccos", [](double x) { return std::acos(x); }, 8},   {"arctan", [](double x) { return std::atan(x); }, 8},
    {"sinh", [](double x) { return std::sinh(x); }, 16},    {"cosh", [](double x) { return std::cosh(x); }, 16},
    {"tanh", [](double x) { return std::tanh(x); }, 8},     {"arcsinh", [](double x) { return std::asinh(x); }, 8},
    {"arccosh", [](double x) { return std::acosh(x); }, 8}, {"arctanh", [](double x) { return std::atanh(x); }, 8},
    {"sin", [](double x) { return std::sin(x); }, 8},       {"cos", [](double x) { return std::cos(x); }, 8},
    {"erf", [](double x) { return std::erf(x); }, 8},       {"erfc", [](double x) { return std::erfc(x); }, 16}};

struct parts {
  constexpr auto operator()(auto x) const {
    return std::tuple{-x,
                      ts::abs(x),
                      ts::sign(x),
                      ts::square(x),
                      ts::reciprocal(x),
                      ts::floor(x),
                      ts::ceil(x),
                      ts::trunc(x),
                      ts::round(x),
                      ts::rint(x),
                      ts::isnan(x),
                      ts::isinf(x),
                      ts::isfinite(x),
                      ts::signbit(x),
                      ts::relu(x),
                      ts::real(x),
                      ts::conj(x),
                      ts::stop_gradient(x),
                      ts::where(x == x, x, x),
                      ts::astype<double>(x)};
  }
};
std::vector<expected> const of_parts{{"negative", [](double x) { return -x; }},
                                     {"abs", [](double x) { return std::fabs(x); }},
                                     {"sign", [](double x) { return x > 0   ? 1
                                                                    : x < 0 ? -1
                                                                            : x; }},
                                     {"square", [](double x) { return x * x; }, 1},
                                     {"reciprocal", [](double x) { return 1 / x; }, 1},
                                     {"floor", [](double x) { return std::floor(x); }},
                                     {"ceil", [](double x) { return std::ceil(x); }},
                                     {"trunc", [](double x) { return std::trunc(x); }},
                                     {"round", [](double x) { return std::nearbyint(x); }},
                                     {"rint", [](double x) { return std::nearbyint(x); }},
                                     {"isnan", [](double x) { return std::isnan(x) ? 1. : 0.; }},
                                     {"isinf", [](double x) { return std::isinf(x) ? 1. : 0.; }},
                                     {"isfinite", [](double x) { return std::isfinite(x) ? 1. : 0.; }},
                                     {"signbit", [](double x) { return std::signbit(x) ? 1. : 0.; }},
                                     {"relu", [](double x) { return x > 0    ? x
                                                                    : x != x ? x
                                                                             : 0.; }},
                                     {"real", [](double x) { return x; }},
                                     {"conj", [](double x) { return x; }},
                                     {"stop_gradient", [](double x) { return x; }},
                                     {"where", [](double x) { return x; }},
                                     {"astype", [](double x) { return x; }}};

struct sums {
  constexpr auto operator()(auto x, auto y) const {
    return std::tuple{x + y,
                      x - y,
                      x * y,
                      x / y,
                      ts::maximum(x, y),
                      ts::minimum(x, y),
                      ts::power(x, y),
                      ts::fmod(x, y),
                      ts::remainder(x, y),
                      ts::floor_divide(x, y)};
  }
};
double remainder_of(double x, double y) {
  double const rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}
std::vector<expected> const of_sums{
    {"add", [](double x, double y) { return x + y; }, 1},
    {"subtract", [](double x, double y) { return x - y; }, 1},
    {"multiply", [](double x, double y) { return x * y; }, 1},
    {"divide", [](double x, double y) { return x / y; }, 1},
    {"maximum", [](double x, double y) { return x != x   ? x
                                                : y != y ? y
                                                         : std::fmax(x, y); }, 0, true},
    {"minimum", [](double x, double y) { return x != x   ? x
                                                : y != y ? y
                                                         : std::fmin(x, y); }, 0, true},
    {"power", [](double x, double y) { return std::pow(x, y); }, 16},
    {"fmod", [](double x, double y) { return std::fmod(x, y); }},
    {"remainder", remainder_of, 1},
    {"floor_divide",
     [](double x, double y) {
       double const rest = std::fmod(x, y);
       return y == 0 ? x / y : std::rint((x - rest) / y - (rest != 0 && (rest < 0) != (y < 0) ? 1 : 0));
     },
     2, true}};

struct comparisons {
  constexpr auto operator()(auto x, auto y) const {
    return std::tuple{x == y,
                      x != y,
                      x<y, x <= y, x> y,
                      x >= y,
                      ts::arctan2(x, y),
                      ts::hypot(x, y),
                      ts::copysign(x, y),
                      ts::logaddexp(x, y)};
  }
};
std::vector<expected> const of_comparisons{{"equal", [](double x, double y) { return x == y ? 1. : 0.; }},
                                           {"not_equal", [](double x, double y) { return x != y ? 1. : 0.; }},
                                           {"less", [](double x, double y) { return x < y ? 1. : 0.; }},
                                           {"less_equal", [](double x, double y) { return x <= y ? 1. : 0.; }},
                                           {"greater", [](double x, double y) { return x > y ? 1. : 0.; }},
                                           {"greater_equal", [](double x, double y) { return x >= y ? 1. : 0.; }},
                                           {"arctan2", [](double x, double y) { return std::atan2(x, y); }, 8},
                                           {"hypot", [](double x, double y) { return std::hypot(x, y); }, 4},
                                           {"copysign", [](double x, double y) { return std::copysign(x, y); }},
                                           {"logaddexp",
                                            [](double x, double y) {
                                              if (x == y) return x + std::log(2.0);
                                              double const high = std::max(x, y), low = std::min(x, y);
                                              return x != x || y != y ? x + y : high + std::log1p(std::exp(low - high));
                                            },
                                            16}};

TEST(special_values, exponentials) {
  check_unary<exponentials, float>(of_exponentials);
  check_unary<exponentials, double>(of_exponentials);
}
TEST(special_values, angles) {
  check_unary<angles, float>(of_angles);
  check_unary<angles, double>(of_angles);
}

#ifndef TESSERA_BY_DAY
TEST(special_values, parts) {
  check_unary<parts, float>(of_parts);
  check_unary<parts, double>(of_parts);
}
TEST(special_values, sums) {
  check_binary<sums, float>(of_sums);
  check_binary<sums, double>(of_sums);
}
TEST(special_values, comparisons) {
  check_binary<comparisons, float>(of_comparisons);
  check_binary<comparisons, double>(of_comparisons);
}
#endif

}  // namespace
