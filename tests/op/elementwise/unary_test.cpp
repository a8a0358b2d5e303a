// SPDX-License-Identifier: Apache-2.0
// Ops of one float32 array, over layouts and with special values. Other dtypes: dtypes_test.cpp.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

#define SAME(op)                                                                         \
  row {                                                                                  \
#op, [](auto x) { return ts::op(x); }, [](tensor const& x) { return oracle::op(x); } \
  }

struct functions {
  static constexpr auto rows = std::tuple{
      SAME(negative),
      SAME(abs),
      SAME(sign),
      SAME(square),
      SAME(reciprocal),
      SAME(sqrt),
      SAME(rsqrt),
      SAME(exp),
      SAME(expm1),
      SAME(log),
      SAME(log1p),
      SAME(tanh),
      SAME(sigmoid),
      SAME(erf),
      SAME(sin),
      SAME(cos),
      SAME(relu),
      SAME(silu),
      SAME(softplus),
      SAME(gelu),
      SAME(isnan),
      SAME(isfinite),
      row{"gelu exact", [](auto x) { return ts::gelu(x, ts::exact); },
          [](tensor const& x) { return oracle::gelu(x, false); }},
      row{"logistic", [](auto x) { return ts::logistic(x); }, [](tensor const& x) { return oracle::sigmoid(x); }},
      row{"-x", [](auto x) { return -x; }, [](tensor const& x) { return oracle::negative(x); }},
      row{"stop_gradient", [](auto x) { return ts::stop_gradient(x); }, [](tensor const& x) { return x; }}};
};

TEST(unary, jitted) {
  dense<float, 8, 4> const x(0.1, 3);
  check<functions, nowhere, interpreted>(x);
  check<functions, on<grid, P<dp, mp>>, jitted>(x);
}

TEST(unary, over_layouts) {
  dense<float, 8, 4> const x(0.1, 3);
  check<functions, on<grid, P<>>, interpreted>(x);
  check<functions, on<grid, P<none, mp>>, interpreted>(x);
  check<functions, on<cube, P<axes<c, a>, b>>, interpreted>(x);
}

#ifndef TESSERA_BY_DAY
TEST(unary, of_special_values) {
  double const inf = INFINITY, nan = NAN;
  dense<float, 8, 1> const x(tensor({8, 1}, {nan, inf, -inf, 0, -0.0, 1e-45, 3e38, -1}));
  check<functions, on<grid, P<mp>>, interpreted>(x);
}

TEST(unary, keeps_the_sign_of_zero) {
  dense<float, 2> const x(tensor({2}, {0, -0.0}));
  auto const signs = [](auto const& y) {
    auto const v = y.to_host();
    return std::pair{std::signbit(v[0]), std::signbit(v[1])};
  };
  auto const y = place(nowhere{}, x);
  using both = std::pair<bool, bool>;
  EXPECT_EQ(signs(ts::negative(y)), (both{true, false}));
  EXPECT_EQ(signs(ts::abs(y)), (both{false, false}));
  EXPECT_EQ(signs(ts::sign(y)), (both{false, true}));
  EXPECT_EQ(signs(ts::sqrt(y)), (both{false, true}));
  EXPECT_EQ(signs(ts::tanh(y)), (both{false, true}));
  EXPECT_EQ(signs(ts::expm1(y)), (both{false, true}));
  EXPECT_EQ(signs(ts::reciprocal(y)), (both{false, true}));
}
#endif

}  // namespace
