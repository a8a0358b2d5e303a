// SPDX-License-Identifier: Apache-2.0
// nightly
// Rounding, inverse and hyperbolic functions, logarithms, bounds, against the C++ library's in double.

#include "support/inverse_of_erf.hpp"
#include "support/op_case.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace {

using namespace op_case;
using oracle::tensor;

#define SAME(op)                                                                         \
  row {                                                                                  \
#op, [](auto x) { return ts::op(x); }, [](tensor const& x) { return oracle::op(x); } \
  }
#define MAP(op, of)                                                                                                    \
  row {                                                                                                                \
#op, [](auto x) { return ts::op(x); }, [](tensor const& x) { return oracle::map(x, [](double v) { return of; }); } \
  }
#define BOTH(op, of)                                                                                                    \
  row {                                                                                                                 \
#op,                                                                                                                \
        [](auto x,                                                                                                      \
           auto                                                                                                         \
               y) { return ts::op(x, y); },                                                                             \
                                         [](tensor const& x,                                                            \
                                            tensor const&                                                               \
                                                y) { return oracle::map(x, y, [](double v, double w) { return of; }); } \
  }

double narrowed(double v, int mantissa, double largest, double smallest) {
  if (v == 0 || !std::isfinite(v)) return v;
  int exponent = 0;
  std::frexp(v, &exponent);
  double const unit = std::ldexp(1, exponent - 1 - mantissa), kept = std::nearbyint(v / unit) * unit;
  return std::fabs(kept) > largest    ? std::copysign(INFINITY, v)
         : std::fabs(kept) < smallest ? std::copysign(0, v)
                                      : kept;
}

struct roundings {
  static constexpr auto rows = std::tuple{
      SAME(floor),
      SAME(ceil),
      SAME(trunc),
      SAME(round),
      MAP(rint, std::nearbyint(v)),
      MAP(copy, v),
      row{"reduce_precision<5, 10>", [](auto x) { return ts::reduce_precision<5, 10>(x); },
          [](tensor const& x) { return oracle::map(x, [](double v) { return narrowed(v, 10, 65504, 0x1p-14); }); }},
      row{"reduce_precision<8, 7>", [](auto x) { return ts::reduce_precision<8, 7>(x); },
          [](tensor const& x) { return oracle::map(x, [](double v) { return narrowed(v, 7, 3.4e38, 0x1p-126); }); }}};
};
struct inverses {
  static constexpr auto rows = std::tuple{SAME(tan),
                                          SAME(arcsin),
                                          SAME(arccos),
                                          SAME(arctan),
                                          MAP(asin, std::asin(v)),
                                          MAP(acos, std::acos(v)),
                                          MAP(atan, std::atan(v)),
                                          SAME(sinh),
                                          SAME(cosh),
                                          MAP(arcsinh, std::asinh(v)),
                                          MAP(asinh, std::asinh(v)),
                                          MAP(arctanh, std::atanh(v)),
                                          MAP(atanh, std::atanh(v)),
                                          MAP(erf_inv, oracle::inverse_of_erf(v))};
};
struct above_one {
  static constexpr auto rows =
      std::tuple{SAME(exp2),
                 SAME(log2),
                 SAME(log10),
                 SAME(cbrt),
                 MAP(erfc, std::erfc(v)),
                 MAP(arccosh, std::acosh(v)),
                 MAP(acosh, std::acosh(v)),
                 MAP(deg2rad, v* M_PI / 180),
                 MAP(rad2deg, v * 180 / M_PI),
                 row{"integer_pow<3>", [](auto x) { return ts::integer_pow<3>(x); },
                     [](tensor const& x) { return oracle::map(x, [](double v) { return v * v * v; }); }},
                 row{"integer_pow<-2>", [](auto x) { return ts::integer_pow<-2>(x); },
                     [](tensor const& x) { return oracle::map(x, [](double v) { return 1 / (v * v); }); }},
                 row{"integer_pow<0>", [](auto x) { return ts::integer_pow<0>(x); },
                     [](tensor const& x) { return oracle::ones(x.extents); }},
                 row{"integer_pow<13>", [](auto x) { return ts::integer_pow<13>(x); },
                     [](tensor const& x) { return oracle::map(x, [](double v) { return std::pow(v, 13); }); }, 2e-5}};
};
struct special {
  static constexpr auto rows = std::tuple{SAME(floor),
                                          SAME(ceil),
                                          SAME(trunc),
                                          SAME(round),
                                          SAME(arctan),
                                          SAME(isinf),
                                          SAME(cbrt),
                                          SAME(cosh),
                                          MAP(signbit, std::signbit(v)),
                                          MAP(arcsinh, std::asinh(v)),
                                          MAP(nan_to_num, std::isnan(v)   ? 0
                                                          : std::isinf(v) ? std::copysign(3.4028234663852886e38, v)
                                                                          : v)};
};
struct of_two {
  static constexpr auto rows =
      std::tuple{BOTH(arctan2, std::atan2(v, w)),
                 BOTH(atan2, std::atan2(v, w)),
                 BOTH(hypot, std::hypot(v, w)),
                 BOTH(logaddexp, std::log(std::exp(v) + std::exp(w))),
                 BOTH(copysign, std::copysign(v, w)),
                 BOTH(fmod, std::fmod(v, w)),
                 BOTH(floor_divide, std::floor(v / w)),
                 row{"clip", [](auto x, auto y) { return ts::clip(x, -0.5, y); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::map(x, y, [](double v, double w) { return std::fmin(std::fmax(v, -0.5), w); });
                     }}};
};
struct whole_numbers {
  static constexpr auto rows = std::tuple{
      BOTH(bitwise_and, double(std::int64_t(v) & std::int64_t(w))),
      BOTH(bitwise_or, double(std::int64_t(v) | std::int64_t(w))),
      BOTH(bitwise_xor, double(std::int64_t(v) ^ std::int64_t(w))),
      BOTH(floor_divide, w == 0 ? (v == 0 ? -1 : -2) : std::floor(v / w)),
      BOTH(fmod, w == 0 ? 0 : std::fmod(v, w)),
      BOTH(power, v == 0 && w < 0 ? 0 : std::trunc(std::pow(v, w)) + 0.0),
      row{"bitwise_not", [](auto x, auto) { return ts::bitwise_not(x); },
          [](tensor const& x, tensor const&) { return oracle::map(x, [](double v) { return -v - 1; }); }},
      row{"left_shift", [](auto x, auto) { return ts::left_shift(x, 3); },
          [](tensor const& x, tensor const&) { return oracle::map(x, [](double v) { return v * 8; }); }},
      row{"right_shift", [](auto x, auto) { return ts::right_shift(x, 2); },
          [](tensor const& x, tensor const&) { return oracle::map(x, [](double v) { return std::floor(v / 4); }); }},
      row{"right_shift too far", [](auto x, auto) { return ts::right_shift(x, 99); },
          [](tensor const& x, tensor const&) { return oracle::map(x, [](double v) { return v < 0 ? -1 : 0; }); }},
      row{"shift_right_logical", [](auto x, auto) { return ts::shift_right_logical(ts::abs(x), 1); },
          [](tensor const& x, tensor const&) {
            return oracle::map(x, [](double v) { return std::floor(std::fabs(v) / 2); });
          }},
      row{"floor of integers", [](auto x, auto) { return ts::floor(x); },
          [](tensor const& x, tensor const&) { return x; }},
      row{"logical_xor", [](auto x, auto y) { return ts::logical_xor(x, y); },
          [](tensor const& x, tensor const& y) {
            return oracle::map(x, y, [](double v, double w) { return double((v != 0) != (w != 0)); });
          }},
      row{"select_n", [](auto x, auto y) { return ts::select_n(ts::astype<std::int32_t>(x > y), x, y); },
          [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, y), y, x); }},
      row{"select_n of three",
          [](auto x, auto y) {
            return ts::select_n(ts::astype<std::int32_t>(ts::remainder(x, 3)), x, y, ts::add(x, y));
          },
          [](tensor const& x, tensor const& y) {
            return oracle::map(x, y, [](double v, double w) {
              double const r = v - 3 * std::floor(v / 3);
              return r == 0 ? v : r == 1 ? w : v + w;
            });
          }},
      row{"select_n of bool", [](auto x, auto y) { return ts::select_n(x > y, x, y); },
          [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, y), y, x); }},
      row{"select", [](auto x, auto y) { return ts::select(x > y, x, y); },
          [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, y), x, y); }}};
};
struct masks {
  static constexpr auto rows =
      std::tuple{BOTH(bitwise_and, v* w),
                 BOTH(bitwise_or, std::fmax(v, w)),
                 BOTH(bitwise_xor, v != w),
                 BOTH(logical_xor, v != w),
                 BOTH(left_shift, v* std::exp2(w)),
                 row{"bitwise_not", [](auto x, auto) { return ts::bitwise_not(x); },
                     [](tensor const& x, tensor const&) { return oracle::map(x, [](double v) { return 1 - v; }); }}};
};
struct bounds {
  static constexpr auto rows = std::tuple{
      row{"clamp", [](auto l, auto x, auto h) { return ts::clamp(l, x, h); },
          [](tensor const& l, tensor const& x, tensor const& h) { return oracle::minimum(oracle::maximum(x, l), h); }},
      row{"clamp between numbers", [](auto, auto x, auto) { return ts::clamp(-0.25, x, 1); },
          [](tensor const&, tensor const& x, tensor const&) { return oracle::clip(x, -0.25, 1); }}};
};
struct bits {
  static constexpr auto rows = std::tuple{
      row{"bitcast", [](auto x) { return ts::bitcast<float>(ts::bitcast<std::int32_t>(x)); },
          [](tensor const& x) { return x; }},
      row{"bits", [](auto x) { return ts::bitcast<std::int32_t>(x); },
          [](tensor const& x) {
            return oracle::map(x, [](double v) { return double(std::bit_cast<std::int32_t>(static_cast<float>(v))); });
          }}};
};

// As JAX 0.10.2 answers jnp.round(x, decimals), but for a unit of the last place, as XLA divides by 100 as times 0.01f.
TEST(functions, round_to_decimals) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  auto const x = ts::asarray({1.2345f, -2.675f, 0.125f, 12345.678f, inf});
  auto const numbers = [](auto const& y) { return ts::device_get(ts::astype<float>(ts::asarray(y))); };
  EXPECT_EQ(numbers(ts::round(x, 2)), (std::vector<float>{1.23f, -2.68f, 0.12f, 12345.68f, inf}));
  EXPECT_EQ(numbers(ts::round(x, -2)), (std::vector<float>{0, -0.0f, 0, 12300, inf}));
  EXPECT_EQ(numbers(ts::round(x, 0)), numbers(ts::round(x)));
  auto const halves = ts::jit([](auto x) { return ts::round(ts::astype<ts::bfloat16>(x), 1); })(x);
  static_assert(ts::type_text<decltype(halves)> == "bfloat16[5]");
  EXPECT_EQ(numbers(halves), (std::vector<float>{1.203125f, -2.703125f, 0.10009765625f, 12352, inf}));
  EXPECT_EQ(ts::device_get(ts::round(ts::asarray({1.26, -0.35}), 1)), (std::vector<double>{1.3, -0.4}));
  EXPECT_EQ(ts::device_get(ts::round(ts::complex(ts::asarray({1.26f}), ts::asarray({0.34f})), 1))[0],
            (ts::complex64{1.3f, 0.3f}));
  EXPECT_EQ(ts::device_get(ts::round(ts::asarray({7, 25}), 1)), (std::vector<int>{7, 25}));
  EXPECT_THROW((void)ts::round(ts::asarray({7, 25}), -1), std::invalid_argument);
  for (float slope :
       ts::device_get(ts::grad([](auto x) { return ts::sum(ts::round(x, 2)); })(ts::slice_in_dim<0, 0, 4>(x))))
    EXPECT_EQ(slope, 0);
}

TEST(functions, roundings) {
  dense<float, 8, 4> const x(
      oracle::map(oracle::scattered({8, 4}, -9, 9), [](double v) { return std::round(v * 2) / 2; }));
  check<roundings, on<grid, P<dp, mp>>, jitted>(x);
  check<roundings, on<grid, P<none, dp>>, interpreted>(dense<float, 8, 4>(-1e6, 1e6));
  check<roundings, nowhere, interpreted>(dense<double, 8, 4>(-9, 9));
  check<roundings, on<cube, P<axes<c, a>, b>>, interpreted>(dense<float, 8, 4>(-1e-5, 1e-5));
}

TEST(functions, inverses) {
  dense<float, 8, 4> const x(-0.95, 0.95);
  check<inverses, on<grid, P<dp, mp>>, jitted>(x);
  check<inverses, on<grid, P<none, dp>>, interpreted>(x);
  check<inverses, on<cube, P<axes<c, a>, b>>, interpreted>(dense<double, 8, 4>(-0.95, 0.95));
  check<above_one, on<grid, P<axes<mp, dp>>>, jitted>(dense<float, 8, 4>(1.1, 3));
  check<above_one, nowhere, interpreted>(dense<double, 8, 4>(1.1, 3));
}

TEST(functions, special_values) {
  dense<float, 8, 1> const x(tensor({8, 1}, {NAN, INFINITY, -INFINITY, 0, -0.0, -0.5, 3e38, -1}));
  check<special, on<grid, P<mp>>, interpreted>(x);
  dense<float, 4> const l(tensor({4}, {INFINITY, -INFINITY, -INFINITY, 90})),
      r(tensor({4}, {INFINITY, -INFINITY, 2, 90}));
  auto const sum = tensor_of(ts::logaddexp(place(nowhere{}, l), place(nowhere{}, r)));
  EXPECT_LE(oracle::difference(sum, tensor({4}, {INFINITY, -INFINITY, 2, 90 + M_LN2})), 1e-6) << sum;
}

TEST(functions, of_two) {
  dense<float, 8, 4> const x(-2, 2), y(-2, 2, 3);
  check<of_two, on<grid, P<dp, mp>>, jitted>(x, y);
  check<of_two, on<grid, P<dp, mp>, P<mp>>, interpreted>(x, dense<float, 4>(-2, 2, 5));
  check<of_two, on<cube, P<axes<c, a>>, P<none, b>>, interpreted>(dense<double, 8, 4>(-2, 2),
                                                                  dense<double, 8, 4>(-2, 2, 3));
}

TEST(functions, of_whole_numbers) {
  check<whole_numbers, on<grid, P<dp, mp>>, jitted>(dense<std::int32_t, 8, 4>(-9, 9),
                                                    dense<std::int32_t, 8, 4>(-5, 5, 3));
  check<whole_numbers, on<cube, P<axes<c, a>, b>>, interpreted>(dense<std::int64_t, 8, 4>(-9, 9),
                                                                dense<std::int64_t, 8, 4>(-5, 5, 3));
  auto const half = oracle::greater(oracle::scattered({8, 4}), 0),
             other = oracle::greater(oracle::scattered({8, 4}, -1, 1, 5), 0);
  check<masks, on<grid, P<dp, mp>>, interpreted>(dense<bool, 8, 4>(half), dense<bool, 8, 4>(other));
}

TEST(functions, clamp) {
  dense<float, 8, 4> const l(-1, 0, 2), x(-2, 2), h(0.1, 1, 4);
  check<bounds, on<grid, P<dp, mp>, P<dp>, P<none, mp>>, jitted>(l, x, h);
  check<bounds, on<grid, P<>, P<dp, mp>, P<mp, dp>>, interpreted>(l, x, h);
  check<bounds, on<grid, P<>, P<dp, mp>, P<>>, interpreted>(dense<float>(tensor(-0.5)), x, dense<float>(tensor(0.5)));
}

TEST(functions, bits) { check<bits, on<grid, P<dp, mp>>, jitted>(dense<float, 8, 4>(-2, 2)); }

}  // namespace
