// SPDX-License-Identifier: Apache-2.0
// Functions of elements, called on arrays: as traced. What other tables run eagerly is not repeated.

#include "support/eager_case.hpp"

namespace {

using namespace eager_case;

struct of_one {
  static constexpr auto rows = std::tuple{[](auto x, auto, auto) { return ts::acos(x); },
                                          [](auto x, auto, auto) { return ts::acosh(x); },
                                          [](auto x, auto, auto) { return ts::arccos(x); },
                                          [](auto x, auto, auto) { return ts::arccosh(x); },
                                          [](auto x, auto, auto) { return ts::arcsin(x); },
                                          [](auto x, auto, auto) { return ts::arcsinh(x); },
                                          [](auto x, auto, auto) { return ts::arctan(x); },
                                          [](auto x, auto, auto) { return ts::arctanh(x); },
                                          [](auto x, auto, auto) { return ts::asin(x); },
                                          [](auto x, auto, auto) { return ts::asinh(x); },
                                          [](auto x, auto, auto) { return ts::atan(x); },
                                          [](auto x, auto, auto) { return ts::atanh(x); },
                                          [](auto x, auto, auto) { return ts::cbrt(x); },
                                          [](auto x, auto, auto) { return ts::ceil(x); },
                                          [](auto x, auto, auto) { return ts::cos(x); },
                                          [](auto x, auto, auto) { return ts::cosh(x); },
                                          [](auto x, auto, auto) { return ts::deg2rad(x); },
                                          [](auto x, auto, auto) { return ts::erf(x); },
                                          [](auto x, auto, auto) { return ts::erf_inv(ts::tanh(x)); },
                                          [](auto x, auto, auto) { return ts::erfc(x); },
                                          [](auto x, auto, auto) { return ts::exp2(x); },
                                          [](auto x, auto, auto) { return ts::expm1(x); },
                                          [](auto x, auto, auto) { return ts::floor(x); },
                                          [](auto x, auto, auto) { return ts::gelu(x); },
                                          [](auto x, auto, auto) { return ts::isfinite(x); },
                                          [](auto x, auto, auto) { return ts::isinf(x); },
                                          [](auto x, auto, auto) { return ts::isnan(x); },
                                          [](auto x, auto, auto) { return ts::log(x); },
                                          [](auto x, auto, auto) { return ts::log10(x); },
                                          [](auto x, auto, auto) { return ts::log1p(x); },
                                          [](auto x, auto, auto) { return ts::log2(x); },
                                          [](auto x, auto, auto) { return ts::logistic(x); },
                                          [](auto x, auto, auto) { return ts::nan_to_num(x); },
                                          [](auto x, auto, auto) { return ts::negative(x); },
                                          [](auto x, auto, auto) { return ts::rad2deg(x); },
                                          [](auto x, auto, auto) { return ts::rint(x); },
                                          [](auto x, auto, auto) { return ts::round(x); },
                                          [](auto x, auto, auto) { return ts::rsqrt(x); },
                                          [](auto x, auto, auto) { return ts::sigmoid(x); },
                                          [](auto x, auto, auto) { return ts::sign(x); },
                                          [](auto x, auto, auto) { return ts::signbit(x); },
                                          [](auto x, auto, auto) { return ts::silu(x); },
                                          [](auto x, auto, auto) { return ts::sin(x); },
                                          [](auto x, auto, auto) { return ts::sinh(x); },
                                          [](auto x, auto, auto) { return ts::softplus(x); },
                                          [](auto x, auto, auto) { return ts::sqrt(x); },
                                          [](auto x, auto, auto) { return ts::tan(x); },
                                          [](auto x, auto, auto) { return ts::tanh(x); },
                                          [](auto x, auto, auto) { return ts::trunc(x); },
                                          [](auto x, auto, auto) { return ts::copy(x); },
                                          [](auto x, auto, auto) { return ts::stop_gradient(x); },
                                          [](auto x, auto, auto) { return ts::integer_pow<3>(x); },
                                          [](auto x, auto, auto) { return ts::reduce_precision<5, 10>(x); }};
};
struct of_several {
  static constexpr auto rows =
      std::tuple{[](auto x, auto, auto) { return ts::add(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::subtract(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::arctan2(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::atan2(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::copysign(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::floor_divide(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::fmod(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::hypot(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::logaddexp(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::maximum(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::minimum(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::power(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::pow(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::remainder(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::less(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::less_equal(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::greater(x, x * 0.5f); },
                 [](auto x, auto, auto) { return ts::greater_equal(x, x * 0.5f); },
                 [](auto, auto i, auto) { return ts::bitwise_and(i, i + 1); },
                 [](auto, auto i, auto) { return ts::bitwise_or(i, i + 1); },
                 [](auto, auto i, auto) { return ts::bitwise_xor(i, i + 1); },
                 [](auto, auto i, auto) { return ts::left_shift(i, i + 1); },
                 [](auto, auto i, auto) { return ts::right_shift(i, i + 1); },
                 [](auto, auto i, auto) { return ts::shift_right_logical(i, i + 1); },
                 [](auto, auto i, auto) { return ts::bitwise_not(i); },
                 [](auto x, auto, auto m) { return ts::logical_or(m, x > 0); },
                 [](auto x, auto, auto m) { return ts::logical_xor(m, x > 0); },
                 [](auto x, auto, auto) { return ts::clip(x, -0.5, 0.5); },
                 [](auto x, auto, auto) { return ts::clamp(-0.5, x, 0.5); },
                 [](auto x, auto, auto m) { return ts::select(m, x, x * 2.0f); },
                 [](auto x, auto i, auto) { return ts::select_n(ts::remainder(i, 2), x, x * 2.0f); },
                 [](auto x, auto, auto) { return ts::bitcast<std::int32_t>(x); },
                 [](auto x, auto, auto) { return ts::bitcast_convert_type<std::int32_t>(x); }};
};

TEST(eager_calls, of_one) { check_eager<of_one>(); }
TEST(eager_calls, of_several) { check_eager<of_several>(); }

}  // namespace
