// SPDX-License-Identifier: Apache-2.0
// nightly
// Elementwise ops in every layout.

#include "support/every_layout.hpp"
#include "support/inverse_of_erf.hpp"

namespace {

using namespace layouts;

template <class Op>
void map(double (*f)(double), double low, double high, bool gradient = true) {
  of_one<Op>([f](tensor const& x) { return oracle::map(x, f); }, low, high, dtype::float64, {}, gradient);
}
// Its gradient is that of another function.
template <class Op>
void with_slope(double (*f)(double), double (*slope)(double)) {
  every_layout<Op>([=](std::int64_t n) {
    return test{.inputs = {f64({n, 2 * n}, -2, 2)},
                .dense = dense([f](tensor const& x) { return oracle::map(x, f); }),
                .slope = dense([slope](tensor const& x) { return oracle::map(x, slope); })};
  });
}
template <class Op>
void both(double (*f)(double, double), double low, double high, bool gradient = true) {
  of_two<Op>([f](tensor const& x, tensor const& y) { return oracle::map(x, y, f); }, low, high, dtype::float64,
             gradient);
}
template <class Op>
void whole(double (*f)(double, double), double low, double high) {
  of_two<Op>([f](tensor const& x, tensor const& y) { return oracle::map(x, y, f); }, low, high, dtype::int32);
}
template <class Op>
void masks(double (*f)(double, double)) {
  of_two<Op>([f](tensor const& x, tensor const& y) { return oracle::map(x, y, f); }, 0, 1, dtype::boolean);
}
ts::attributes to(dtype element) { return ts::cast_params{element}; }
double logistic(double v) { return 1 / (1 + std::exp(-v)); }

TEST(elementwise_layouts, arithmetic) {
  map<ops::negative>([](double v) { return -v; }, -2, 2);
  map<ops::absolute>([](double v) { return std::fabs(v); }, -2, 2);
  map<ops::sign>([](double v) { return double(v > 0) - double(v < 0); }, -2, 2);
  map<ops::square>([](double v) { return v * v; }, -2, 2);
  map<ops::reciprocal>([](double v) { return 1 / v; }, 0.3, 2);
  both<ops::add>([](double v, double w) { return v + w; }, -2, 2);
  both<ops::subtract>([](double v, double w) { return v - w; }, -2, 2);
  both<ops::multiply>([](double v, double w) { return v * w; }, -2, 2);
  both<ops::divide>([](double v, double w) { return v / w; }, 0.3, 2);
  both<ops::power>([](double v, double w) { return std::pow(v, w); }, 0.3, 2);
  both<ops::maximum>([](double v, double w) { return std::fmax(v, w); }, -2, 2);
  both<ops::minimum>([](double v, double w) { return std::fmin(v, w); }, -2, 2);
}
TEST(elementwise_layouts, exponential) {
  map<ops::exp>([](double v) { return std::exp(v); }, -2, 2);
  map<ops::expm1>([](double v) { return std::expm1(v); }, -2, 2);
  map<ops::log>([](double v) { return std::log(v); }, 0.3, 2);
  map<ops::log1p>([](double v) { return std::log1p(v); }, 0.3, 2);
  map<ops::sqrt>([](double v) { return std::sqrt(v); }, 0.3, 2);
  map<ops::rsqrt>([](double v) { return 1 / std::sqrt(v); }, 0.3, 2);
  map<ops::tanh>([](double v) { return std::tanh(v); }, -2, 2);
  map<ops::logistic>(logistic, -2, 2);
  map<ops::erf>([](double v) { return std::erf(v); }, -2, 2);
  map<ops::exp2>([](double v) { return std::exp2(v); }, -2, 2);
  map<ops::log2>([](double v) { return std::log2(v); }, 0.3, 2);
  map<ops::log10>([](double v) { return std::log10(v); }, 0.3, 2);
  map<ops::cbrt>([](double v) { return std::cbrt(v); }, 0.3, 2);
  map<ops::erf_inv>(oracle::inverse_of_erf, -0.9, 0.9);
  map<ops::erfc>([](double v) { return std::erfc(v); }, -2, 2);
  both<ops::logaddexp>([](double v, double w) { return std::log(std::exp(v) + std::exp(w)); }, -2, 2);
  map<ops::integer_pow<3>>([](double v) { return v * v * v; }, -2, 2);
  map<ops::integer_pow<-2>>([](double v) { return 1 / (v * v); }, 0.3, 2);
  map<ops::deg2rad>([](double v) { return v * M_PI / 180; }, -90, 90);
  map<ops::rad2deg>([](double v) { return v * 180 / M_PI; }, -0.02, 0.02);
}

TEST(elementwise_layouts, trigonometric) {
  map<ops::sin>([](double v) { return std::sin(v); }, -2, 2);
  map<ops::cos>([](double v) { return std::cos(v); }, -2, 2);
  map<ops::tan>([](double v) { return std::tan(v); }, -1, 1);
  map<ops::arcsin>([](double v) { return std::asin(v); }, -0.9, 0.9);
  map<ops::arccos>([](double v) { return std::acos(v); }, -0.9, 0.9);
  map<ops::arctan>([](double v) { return std::atan(v); }, -2, 2);
  map<ops::sinh>([](double v) { return std::sinh(v); }, -2, 2);
  map<ops::cosh>([](double v) { return std::cosh(v); }, -2, 2);
  map<ops::arcsinh>([](double v) { return std::asinh(v); }, -2, 2);
  map<ops::arccosh>([](double v) { return std::acosh(v); }, 1.2, 3);
  map<ops::arctanh>([](double v) { return std::atanh(v); }, -0.9, 0.9);
  both<ops::arctan2>([](double v, double w) { return std::atan2(v, w); }, 0.3, 2);
  both<ops::hypot>([](double v, double w) { return std::hypot(v, w); }, 0.3, 2);
}

TEST(elementwise_layouts, activations) {
  map<ops::relu>([](double v) { return std::fmax(v, 0); }, -2, 2);
  map<ops::gelu>([](double v) { return v / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v))); }, -2,
                 2);
  of_one<ops::gelu>(
      [](tensor const& x) { return oracle::map(x, [](double v) { return v / 2 * (1 + std::erf(v / std::sqrt(2))); }); },
      -2, 2, dtype::float64, ops::gelu_params{true});
  map<ops::silu>([](double v) { return v * logistic(v); }, -2, 2);
  map<ops::softplus>([](double v) { return std::log1p(std::exp(v)); }, -2, 2);
  map<ops::stop_gradient>([](double v) { return v; }, -2, 2, false);
  with_slope<ops::stop_gradient>([](double v) { return v; }, [](double) { return 0.0; });
  map<ops::copy>([](double v) { return v; }, -2, 2);
  map<ops::identity>([](double v) { return v; }, -2, 2);
  map<ops::to_memory>([](double v) { return v; }, -2, 2);
  of_one<ops::to_memory>([](tensor const& x) { return x; }, -2, 2, dtype::float64, ts::memory_params{true},
                         false);  // its gradient: control/offload_test.cpp
  of_one<ops::cast>([](tensor const& x) { return x; }, -2, 2, dtype::float64, to(dtype::float64));
  of_one<ops::cast>([](tensor const& x) { return oracle::map(x, [](double v) { return std::trunc(v); }); }, -9, 9,
                    dtype::float64, to(dtype::int32), false);
  of_one<ops::cast>([](tensor const& x) { return x; }, 0, 1, dtype::boolean, to(dtype::float64));
}

TEST(elementwise_layouts, rounding) {
  map<ops::floor>([](double v) { return std::floor(v); }, -9, 9);
  map<ops::ceil>([](double v) { return std::ceil(v); }, -9, 9);
  map<ops::trunc>([](double v) { return std::trunc(v); }, -9, 9);
  map<ops::round>([](double v) { return std::nearbyint(v); }, -9, 9);
  map<ops::rint>([](double v) { return std::nearbyint(v); }, -9, 9);
  map<ops::nan_to_num>([](double v) { return v; }, -9, 9);
  map<ops::reduce_precision<8, 23>>([](double v) { return double(static_cast<float>(v)); }, -9, 9, false);
  with_slope<ops::reduce_precision<8, 23>>([](double v) { return double(static_cast<float>(v)); },
                                           [](double v) { return v; });
}

TEST(elementwise_layouts, questions) {
  map<ops::isnan>([](double) { return 0.0; }, -2, 2);
  map<ops::isinf>([](double) { return 0.0; }, -2, 2);
  map<ops::isfinite>([](double) { return 1.0; }, -2, 2);
  map<ops::signbit>([](double v) { return double(v < 0); }, -2, 2);
  both<ops::equal>([](double v, double w) { return double(v == w); }, -2, 2);
  whole<ops::equal>([](double v, double w) { return double(v == w); }, 0, 3);
  whole<ops::not_equal>([](double v, double w) { return double(v != w); }, 0, 3);
  both<ops::less>([](double v, double w) { return double(v < w); }, -2, 2);
  whole<ops::less_equal>([](double v, double w) { return double(v <= w); }, 0, 3);
  both<ops::greater>([](double v, double w) { return double(v > w); }, -2, 2);
  whole<ops::greater_equal>([](double v, double w) { return double(v >= w); }, 0, 3);
  masks<ops::logical_and>([](double v, double w) { return v * w; });
  masks<ops::logical_or>([](double v, double w) { return std::fmax(v, w); });
  masks<ops::logical_xor>([](double v, double w) { return double(v != w); });
  of_one<ops::logical_not>([](tensor const& x) { return oracle::map(x, [](double v) { return 1 - v; }); }, 0, 1,
                           dtype::boolean);
}

TEST(elementwise_layouts, whole_numbers) {
  whole<ops::bitwise_and>([](double v, double w) { return double(int(v) & int(w)); }, -9, 9);
  whole<ops::bitwise_or>([](double v, double w) { return double(int(v) | int(w)); }, -9, 9);
  whole<ops::bitwise_xor>([](double v, double w) { return double(int(v) ^ int(w)); }, -9, 9);
  of_one<ops::bitwise_not>([](tensor const& x) { return oracle::map(x, [](double v) { return -v - 1; }); }, -9, 9,
                           dtype::int32);
  whole<ops::left_shift>([](double v, double w) { return v * std::exp2(w); }, 0, 9);
  whole<ops::right_shift>([](double v, double w) { return std::floor(v / std::exp2(w)); }, 0, 9);
  whole<ops::shift_right_logical>([](double v, double w) { return std::floor(v / std::exp2(w)); }, 0, 9);
  whole<ops::floor_divide>([](double v, double w) { return std::floor(v / w); }, 1, 9);
  both<ops::floor_divide>([](double v, double w) { return std::floor(v / w); }, 0.3, 2);
  whole<ops::fmod>([](double v, double w) { return std::fmod(v, w); }, 1, 9);
  both<ops::fmod>([](double v, double w) { return std::fmod(v, w); }, 0.3, 2);
  whole<ops::remainder>([](double v, double w) { return v - w * std::floor(v / w); }, 1, 9);
  both<ops::remainder>([](double v, double w) { return v - w * std::floor(v / w); }, 0.3, 2);
  both<ops::copysign>([](double v, double w) { return std::copysign(v, w); }, -2, 2);
  of_one<ops::bitcast>(
      [](tensor const& x) {
        return oracle::map(x, [](double v) { return double(std::bit_cast<float>(static_cast<std::int32_t>(v))); });
      },
      1e9, 2e9, dtype::int32, to(dtype::float32));
}

TEST(elementwise_layouts, of_three) {
  auto const three = [](auto op, auto f, input (*first)(extents), bool broadcasts, double least_of_last = -1) {
    using Op = decltype(op);
    for (int rank = 0; rank < 4; ++rank)
      every_layout<Op>([&](std::int64_t n) {
        extents e{n, n, 2 * n};
        e.resize(static_cast<std::size_t>(rank));
        input y = f64(e, -1, 1), z = f64(e, least_of_last, 1);
        return test{.inputs = {first(e), y, z}, .dense = dense(f)};
      });
    if (broadcasts)
      every_layout<Op>([&](std::int64_t n) {
        return test{.inputs = {first({n, n}), f64({n, n}, -1, 1), f64({n, 1}, -1, 1)}, .dense = dense(f)};
      });
  };
  auto const choose = [](tensor const& c, tensor const& x, tensor const& y) { return oracle::where(c, x, y); };
  input (*const mask)(extents) = [](extents e) { return flags(std::move(e)); };
  three(ops::where{}, choose, mask, true);
  three(ops::select{}, choose, mask, false);
  three(
      ops::select_n{}, [](tensor const& c, tensor const& x, tensor const& y) { return oracle::where(c, y, x); }, mask,
      false);
  input (*const low)(extents) = [](extents e) { return f64(std::move(e), -0.9, -0.1); };
  three(
      ops::clamp{},  // the upper bound is not below the lower one: JAX's gradient is none of the function's there
      [](tensor const& l, tensor const& x, tensor const& h) { return oracle::minimum(oracle::maximum(x, l), h); }, low,
      false, 0);
  three(
      ops::clip{},
      [](tensor const& x, tensor const& l, tensor const& h) { return oracle::minimum(oracle::maximum(x, l), h); }, low,
      true);
}

}  // namespace
