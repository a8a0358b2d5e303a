// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of rounding, inverse and hyperbolic functions, logarithms and bounds against central differences.

#include "support/grad_case.hpp"
#include "support/inverse_of_erf.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

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

struct functions {
  static constexpr auto rows =
      std::tuple{MAP(floor, std::floor(v)),
                 MAP(ceil, std::ceil(v)),
                 MAP(trunc, std::trunc(v)),
                 MAP(round, std::nearbyint(v)),
                 MAP(rint, std::nearbyint(v)),
                 MAP(copy, v),
                 MAP(nan_to_num, v),
                 MAP(tan, std::tan(v)),
                 MAP(arcsin, std::asin(v)),
                 MAP(arccos, std::acos(v)),
                 MAP(arctan, std::atan(v)),
                 MAP(asin, std::asin(v)),
                 MAP(acos, std::acos(v)),
                 MAP(atan, std::atan(v)),
                 MAP(sinh, std::sinh(v)),
                 MAP(cosh, std::cosh(v)),
                 MAP(arcsinh, std::asinh(v)),
                 MAP(asinh, std::asinh(v)),
                 MAP(arctanh, std::atanh(v)),
                 MAP(atanh, std::atanh(v)),
                 MAP(erf_inv, oracle::inverse_of_erf(v)),
                 MAP(exp2, std::exp2(v)),
                 MAP(log2, std::log2(v)),
                 MAP(log10, std::log10(v)),
                 MAP(cbrt, std::cbrt(v)),
                 MAP(erfc, std::erfc(v)),
                 MAP(deg2rad, v* M_PI / 180),
                 MAP(rad2deg, v * 180 / M_PI),
                 row{"arccosh", [](auto x) { return ts::arccosh(x + 1.0); },
                     [](tensor const& x) { return oracle::map(x, [](double v) { return std::acosh(v + 1); }); }},
                 row{"acosh", [](auto x) { return ts::acosh(x * 9.0); },
                     [](tensor const& x) { return oracle::map(x, [](double v) { return std::acosh(v * 9); }); }},
                 row{"reduce_precision", [](auto x) { return ts::reduce_precision<11, 52>(x); },
                     [](tensor const& x) { return x; }},
                 row{"integer_pow", [](auto x) { return ts::integer_pow<5>(x); },
                     [](tensor const& x) { return oracle::map(x, [](double v) { return std::pow(v, 5); }); }},
                 row{"integer_pow<-3>", [](auto x) { return ts::integer_pow<-3>(x + 1.0); },
                     [](tensor const& x) { return oracle::map(x, [](double v) { return std::pow(v + 1, -3); }); }}};
};
struct of_two {
  static constexpr auto rows =
      std::tuple{BOTH(arctan2, std::atan2(v, w)),
                 BOTH(atan2, std::atan2(v, w)),
                 BOTH(hypot, std::hypot(v, w)),
                 BOTH(logaddexp, std::log(std::exp(v) + std::exp(w))),
                 BOTH(copysign, std::copysign(v, w)),
                 BOTH(fmod, std::fmod(v, w)),
                 BOTH(remainder, v - w * std::floor(v / w)),
                 BOTH(floor_divide, std::floor(v / w)),
                 row{"clip", [](auto x, auto y) { return ts::clip(x, 0.5, y); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::map(x, y, [](double v, double w) { return std::fmin(std::fmax(v, 0.5), w); });
                     }},
                 row{"clamp", [](auto x, auto y) { return ts::clamp(x, y, 0.8); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::map(x, y, [](double v, double w) { return std::fmin(std::fmax(w, v), 0.8); });
                     }},
                 row{"clamp above", [](auto x, auto y) { return ts::clamp(0.4, y, x); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::map(x, y, [](double v, double w) { return std::fmin(std::fmax(w, 0.4), v); });
                     }},
                 row{"select", [](auto x, auto y) { return ts::select(x > y, x * 2.0, y); },
                     [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, y), x * 2, y); }},
                 row{"select_n", [](auto x, auto y) { return ts::select_n(x > y, x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, y), y, x); }}};
};

struct clamped {
  static constexpr auto rows = std::tuple{std::get<9>(of_two::rows), std::get<10>(of_two::rows)};
};

TEST(functions_grad, of_one) {
  dense<double, 8, 4> const x(0.15, 0.9);
  check_gradients<functions, on<grid, P<dp, mp>>>(x);
  check_gradients<functions, on<cube, P<none, axes<c, a>>>>(x);
  check_gradients<functions, on<grid, P<axes<mp, dp>>>>(x);
}

TEST(functions_grad, of_two) {
  dense<double, 8, 4> const x(0.15, 1.2), y(0.15, 1.2, 7);
  check_gradients<of_two, on<grid, P<dp, mp>>>(x, y);
  check_gradients<of_two, on<cube, P<none, axes<c, a>>>>(x, y);
  check_gradients<of_two, nowhere>(x, y);
}

TEST(functions_grad, clamp_of_other_layouts) {
  dense<double, 8, 4> const x(0.15, 1.2), y(0.15, 1.2, 7);
  check_gradients<clamped, on<grid, P<dp, mp>, P<mp, dp>>>(x, y);
}

}  // namespace
