// SPDX-License-Identifier: Apache-2.0
// nightly
// Functions of complex numbers and their slopes against what JAX gives, complex_functions.txt (record_complex.py), as
// operations and compiled; reductions, cumulative ones and questions against loops.

#include "support/on_grid.hpp"

#include <complex>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace {

using namespace on_grid;
using ts::complex64, ts::complex128;
using wide = std::complex<double>;

struct recorded_line {
  wide point, value, slope;
  bool has_slope;
};
std::map<std::string, std::vector<recorded_line>> const& recorded() {
  static auto const lines = [] {
    std::map<std::string, std::vector<recorded_line>> read;
    std::ifstream file(TESSERA_SOURCE_DIR "/tests/op/elementwise/complex_functions.txt");
    std::string line;
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::string name, slope_re, slope_im;
      double part[4];
      words >> name >> part[0] >> part[1] >> part[2] >> part[3] >> slope_re >> slope_im;
      bool const has = slope_re != "-";
      read[name].push_back(
          {{part[0], part[1]}, {part[2], part[3]}, has ? wide(std::stod(slope_re), std::stod(slope_im)) : wide(), has});
    }
    return read;
  }();
  return lines;
}
template <class T>
wide wide_of(ts::complex_number<T> z) {
  return {z.re, z.im};
}
double distance(wide got, wide want) { return std::abs(got - want) / (1 + std::abs(want)); }

// Where JAX's value or slope is another one, for a reason: docs/traced-code.md.
bool other_branch(std::string const& name, wide z) { return name == "arccosh" && z.real() <= 0; }

template <class F>
struct slopes_of {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return ts::grad([](auto v) { return ts::sum(ts::real(F{}(v))); })(x);
  }
};
template <class T, class F>
void check(std::string const& name, F, double bound) {
  auto const found = recorded().find(name);
  ASSERT_NE(found, recorded().end()) << name;
  auto const& lines = found->second;
  constexpr std::int64_t count = 12;
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(count));
  std::vector<T> points;
  for (auto const& l : lines)
    points.push_back(
        T(static_cast<typename T::value_type>(l.point.real()), static_cast<typename T::value_type>(l.point.imag())));
  auto const x = ts::device_put<ts::P<dp>>(ts::host<count>(points), ts::make_mesh<grid>(ts::devices()));
  auto const now = F{}(x).to_host();
  auto const compiled = ts::jit<F>(x).to_host();
  auto const slopes = run<slopes_of<F>>(x).to_host();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_LE(distance(wide_of(now[i]), lines[i].value), bound) << name << ' ' << lines[i].point;
    EXPECT_LE(distance(wide_of(compiled[i]), lines[i].value), bound) << name << ' ' << lines[i].point << " compiled";
    if (lines[i].has_slope && !other_branch(name, lines[i].point)) {
      // The gradient of the real part of a function with slope s is s, in JAX's convention.
      EXPECT_LE(distance(wide_of(slopes[i]), lines[i].slope), 4 * bound) << name << "' " << lines[i].point;
    }
  }
}
template <class F>
void check_both(std::string const& name, F f) {
  check<complex128>(name, f, 2e-14);
  check<complex64>(name, f, 4e-6);
}
#define SAME(name) check_both(#name, [](auto z) { return ts::name(z); })
TEST(complex_functions, exponential) {
  SAME(exp);
  SAME(exp2);
  SAME(expm1);
  SAME(log);
  SAME(log2);
  SAME(log10);
  SAME(log1p);
  SAME(logistic);
  SAME(silu);
}
TEST(complex_functions, powers) {
  SAME(sqrt);
  SAME(rsqrt);
  SAME(reciprocal);
  SAME(square);
  check_both("power_3", [](auto z) { return ts::power(z, 3); });
  check_both("power_half", [](auto z) { return ts::power(z, 0.5); });
  check_both("power_z", [](auto z) { return ts::power(z, z); });
  check_both("integer_pow_less_2", [](auto z) { return ts::integer_pow<-2>(z); });
}
TEST(complex_functions, trigonometric) {
  SAME(sin);
  SAME(cos);
  SAME(tan);
  SAME(arcsin);
  SAME(arccos);
  SAME(arctan);
}
TEST(complex_functions, hyperbolic) {
  SAME(sinh);
  SAME(cosh);
  SAME(tanh);
  SAME(arcsinh);
  SAME(arccosh);
  SAME(arctanh);
}
TEST(complex_functions, of_parts) {
  SAME(sign);
  SAME(round);
}
#undef SAME

// arccosh's slope is 1 / (sqrt(z - 1) sqrt(z + 1)) in the whole plane: by differences.
TEST(complex_functions, slope_of_arccosh) {
  for (wide z : {wide(-2.5, -0.75), wide(-4, 0.125), wide(-0.75, 0.5), wide(1.5, -2.25)}) {
    auto const f = [](auto v) { return ts::grad([](auto u) { return ts::real(ts::arccosh(u)); })(v); };
    wide const slope = wide_of(ts::jit<decltype(f)>(ts::asarray(complex128(z))).item());
    wide const by_differences = (std::acosh(z + 1e-6) - std::acosh(z - 1e-6)) / 2e-6;
    EXPECT_LE(std::abs(slope - by_differences), 1e-8) << z;
  }
}

// At 0: 0^0 is 1, 0^y is 0, and no slope of z^2 or z^3 is NaN.
TEST(complex_functions, powers_of_zero) {
  auto const zero = ts::asarray(complex128(0));
  EXPECT_EQ(ts::power(zero, 0).item(), complex128(1));
  EXPECT_EQ(ts::power(zero, 2.5).item(), complex128(0));
  EXPECT_EQ(ts::power(zero, complex128(1, 3)).item(), complex128(0));
  for (complex128 y : {complex128(-1), complex128(-2.5, 1), complex128(0, 1)}) {
    auto const undefined = ts::power(zero, y).item();
    EXPECT_TRUE(std::isnan(undefined.re) && std::isnan(undefined.im));
  }
  auto const slope = [](auto v) { return ts::grad([](auto u) { return ts::real(ts::power(u, 2)); })(v); };
  EXPECT_EQ(ts::jit<decltype(slope)>(zero).item(), complex128(0));
}

template <class S>
void check_reductions() {
  std::vector<complex128> values;
  for (int i = 0; i < 24; ++i) values.push_back({std::sin(0.7 * i) + 0.9, std::cos(1.1 * i)});
  auto const x = ts::device_put<S>(ts::host<4, 6>(values), ts::make_mesh<grid>(ts::devices()));
  auto const columns = ts::jit([](auto v) { return ts::prod<0>(v); })(x).to_host();
  auto const rows = ts::jit([](auto v) { return ts::prod<1>(v); })(x).to_host();
  auto const sums = ts::jit([](auto v) { return ts::cumsum<1>(ts::reshard<ts::P<>>(v)); })(x).to_host();
  auto const products =
      ts::jit([](auto v) { return ts::cumprod<0>(ts::reshard<ts::P<>>(v), ts::reverse); })(x).to_host();
  auto const at = [&](std::size_t i, std::size_t j) { return wide_of(values[i * 6 + j]); };
  for (std::size_t j = 0; j < 6; ++j) {
    wide product = 1;
    for (std::size_t i = 4; i-- > 0;) {
      product *= at(i, j);
      EXPECT_LE(distance(wide_of(products[i * 6 + j]), product), 1e-14);
    }
    EXPECT_LE(distance(wide_of(columns[j]), product), 1e-14);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    wide product = 1, sum = 0;
    for (std::size_t j = 0; j < 6; ++j) {
      product *= at(i, j);
      sum += at(i, j);
      EXPECT_LE(distance(wide_of(sums[i * 6 + j]), sum), 1e-14);
    }
    EXPECT_LE(distance(wide_of(rows[i]), product), 1e-14);
  }
  // d prod / d z_i is the product of the others.
  auto const slopes =
      ts::jit([](auto v) { return ts::grad([](auto u) { return ts::sum(ts::real(ts::prod<0>(u))); })(v); })(x)
          .to_host();
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      wide others = 1;
      for (std::size_t k = 0; k < 4; ++k)
        if (k != i) others *= at(k, j);
      EXPECT_LE(distance(wide_of(slopes[i * 6 + j]), others), 1e-13);
    }
}
TEST(complex_functions, products_and_cumulative_sums) {
  check_reductions<ts::P<>>();
  check_reductions<ts::P<dp>>();
  check_reductions<ts::P<ts::none, mp>>();
}

template <class X>
std::vector<bool> answers_of(X const& x) {
  auto const host = x.to_host();
  return std::vector<bool>(host.begin(), host.end());
}
TEST(complex_functions, questions) {
  double const inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  auto const x = ts::asarray({complex128(1, 2), complex128(inf, 1), complex128(1, -inf), complex128(nan, 1),
                              complex128(0, nan), complex128(inf, nan)});
  using answers = std::vector<bool>;
  EXPECT_EQ(answers_of(ts::isnan(x)), (answers{false, false, false, true, true, true}));
  EXPECT_EQ(answers_of(ts::isinf(x)), (answers{false, true, true, false, false, true}));
  EXPECT_EQ(answers_of(ts::isfinite(x)), (answers{true, false, false, false, false, false}));
}

}  // namespace
