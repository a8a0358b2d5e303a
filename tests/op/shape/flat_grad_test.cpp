// SPDX-License-Identifier: Apache-2.0
// No gradient passes through what is not of real numbers or does not depend on its operand: of sum(x * f(x)) it is f(x),
// and that f is traced, differentiated and left out.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;

template <class F>
struct weighed {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto z) { return ts::sum(z * ts::astype<double>(F::op(z))); })(x);
  }
};
template <class F>
struct weights {
  constexpr auto operator()(auto x) const { return ts::astype<double>(F::op(x)) * ts::ones_like(x); }
};

#define FLAT(name, ...)                                                       \
  struct name##_f {                                                           \
    static constexpr auto op([[maybe_unused]] auto x) { return __VA_ARGS__; } \
  };                                                                          \
  TEST(flat_grad, name) {                                                     \
    auto const x = put<ts::P<dp>, 4, 6>(1);                                   \
    near(run<weighed<name##_f>>(x), run<weights<name##_f>>(x), 0);            \
  }

FLAT(equal, ts::equal(x, 0.0))
FLAT(not_equal, ts::not_equal(x, 0.0))
FLAT(less, ts::less(x, 0.2))
FLAT(less_equal, ts::less_equal(x, 0.2))
FLAT(greater, ts::greater(x, 0.2))
FLAT(greater_equal, ts::greater_equal(x, 0.2))
FLAT(logical_and, ts::logical_and(x > 0.2, x < 0.6))
FLAT(logical_or, ts::logical_or(x<0.2, x> 0.6))
FLAT(logical_xor, ts::logical_xor(x<0.2, x> - 0.6))
FLAT(logical_not, ts::logical_not(x < 0.2))
FLAT(isnan, ts::isnan(x))
FLAT(isinf, ts::isinf(x))
FLAT(isfinite, ts::isfinite(x))
FLAT(signbit, ts::signbit(x))
FLAT(any, ts::any(x > 0.2))
FLAT(all, ts::all<1>(x > -0.9, ts::keepdims))
FLAT(argmax, ts::argmax<1>(x, ts::keepdims))
FLAT(argmin, ts::argmin<1>(x, ts::keepdims))
FLAT(argsort, ts::argsort<1>(x))
FLAT(one_hot, ts::one_hot<6>(ts::argmax<1>(x)))
FLAT(zeros, ts::zeros<double, 6>())
FLAT(ones, ts::ones<double, 6>())
FLAT(zeros_like, ts::zeros_like(x))
FLAT(ones_like, ts::ones_like(x))
FLAT(iota, ts::iota<ts::int32, 0, 6>())
FLAT(arange, ts::arange<double, 6>())
FLAT(eye, ts::sum<0>(ts::eye<4, 6>()))
FLAT(constant, ts::constant({1.5, -2.0, 0.5, 3.0, 1.0, -1.0}))
FLAT(bitwise_and, ts::bitwise_and(ts::astype<ts::int32>(x * 9), 3))
FLAT(bitwise_or, ts::bitwise_or(ts::astype<ts::int32>(x * 9), 3))
FLAT(bitwise_xor, ts::bitwise_xor(ts::astype<ts::int32>(x * 9), 3))
FLAT(bitwise_not, ts::bitwise_not(ts::astype<ts::int32>(x * 9)))
FLAT(left_shift, ts::left_shift(ts::astype<ts::int32>(x * 9), 2))
FLAT(right_shift, ts::right_shift(ts::astype<ts::int32>(x * 9), 1))
FLAT(shift_right_logical, ts::shift_right_logical(ts::astype<ts::int32>(x * 9), 1))
FLAT(bitcast, ts::bitcast<ts::int64>(x))
FLAT(bitcast_convert_type, ts::bitcast_convert_type<ts::int64>(x))
FLAT(fftfreq, ts::fftfreq<6>())
FLAT(rfftfreq, ts::rfftfreq<10>())
FLAT(count_nonzero, ts::count_nonzero(x > 0.2))
FLAT(bincount, ts::bincount<6>(ts::reshape<24>(ts::reshard<ts::P<>>(ts::astype<ts::int32>(ts::abs(x) * 5)))))
FLAT(searchsorted, ts::searchsorted(ts::arange<double, 5>(), x))
FLAT(isclose, ts::isclose(x, x + 1e-9))
FLAT(allclose, ts::allclose(x, x + 1.0))
FLAT(array_equal, ts::array_equal(x, x))

}  // namespace
