// SPDX-License-Identifier: Apache-2.0
// Gradients of ops of one and of two arrays, with broadcasting, and second derivatives, over layouts.

#include "support/grad_case.hpp"

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
      row{"logistic", [](auto x) { return ts::logistic(x); }, oracle::sigmoid},
      SAME(erf),
      SAME(sin),
      SAME(cos),
      SAME(relu),
      SAME(silu),
      SAME(softplus),
      SAME(gelu),
      row{"gelu exact", [](auto x) { return ts::gelu(x, ts::exact); },
          [](tensor const& x) { return oracle::gelu(x, false); }},
      row{"clipped", [](auto x) { return ts::minimum(ts::maximum(x, 0.7), 1.3); },
          [](tensor const& x) { return oracle::clip(x, 0.7, 1.3); }},
      row{"power", [](auto x) { return ts::power(x, 2.5); }, [](tensor const& x) { return oracle::power(x, 2.5); }},
      row{"power of a number", [](auto x) { return ts::pow(1.7, x); },
          [](tensor const& x) { return oracle::power(1.7, x); }}};
};
struct of_two {
  static constexpr auto rows = std::tuple{
      row{"add", [](auto x, auto y) { return ts::add(x, y); }, [](tensor const& x, tensor const& y) { return x + y; }},
      row{"subtract", [](auto x, auto y) { return ts::subtract(x, y); },
          [](tensor const& x, tensor const& y) { return x - y; }},
      row{"multiply", [](auto x, auto y) { return ts::multiply(x, y); },
          [](tensor const& x, tensor const& y) { return x * y; }},
      row{"divide", [](auto x, auto y) { return ts::divide(x, y); },
          [](tensor const& x, tensor const& y) { return x / y; }},
      row{"power", [](auto x, auto y) { return ts::power(x, y); },
          [](tensor const& x, tensor const& y) { return oracle::power(x, y); }},
      row{"maximum", [](auto x, auto y) { return ts::maximum(x, y); },
          [](tensor const& x, tensor const& y) { return oracle::maximum(x, y); }},
      row{"minimum", [](auto x, auto y) { return ts::minimum(x, y); },
          [](tensor const& x, tensor const& y) { return oracle::minimum(x, y); }},
      row{"where", [](auto x, auto y) { return ts::where(x > y, x * y, y); },
          [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, y), x * y, y); }},
      row{"where of a literal", [](auto x, auto y) { return ts::where(x > y, x, 0.5) * y; },
          [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, y), x, 0.5) * y; }}};
};
struct stopped {
  static constexpr auto rows = std::tuple{row{"stop_gradient", [](auto x, auto y) { return x * ts::stop_gradient(y); },
                                              [](tensor const& x, tensor const&) { return x; }}};
};

// The gradient of a row's loss, as an op of its own.
template <class F>
struct derivative_of {
  static constexpr auto rows = std::tuple{
      row{F::name, [](auto x) { return ts::grad([](auto z) { return ts::sum(ts::sin(F::op(z) * 1.3 + 0.4)); })(x); },
          [](tensor const& x) {
            return oracle::numerical_gradient([](tensor const& z) { return oracle_loss(F::want(z)); }, x, 1e-4);
          }}};
};
struct smooth {
  static constexpr char const* name = "elementwise";
  static constexpr auto op(auto x) { return ts::tanh(x) * ts::exp(x) / (x + 3.0); }
  static tensor want(tensor const& x) { return oracle::tanh(x) * oracle::exp(x) / (x + 3); }
};
struct product {
  static constexpr char const* name = "product";
  static constexpr auto op(auto x) { return ts::einsum<"ij,ik->jk">(x, ts::square(x), ts::out_sharding<P<>>); }
  static tensor want(tensor const& x) { return oracle::einsum("ij,ik->jk", x, x * x); }
};
struct normalized {
  static constexpr char const* name = "softmax";
  static constexpr auto op(auto x) { return ts::softmax(x) * ts::sum<0>(ts::transpose(ts::transpose(x)) * x); }
  static tensor want(tensor const& x) { return oracle::softmax(x) * oracle::sum(x * x, {0}); }
};

TEST(elementwise_grad, of_one) {
  dense<double, 8, 4> const x(0.3, 1.8);
  check_gradients<functions, on<grid, P<dp, mp>>>(x);
}

TEST(elementwise_grad, of_two) {
  dense<double, 8, 4> const x(0.3, 1.8), y(0.3, 1.8, 4);
  check_gradients<of_two, on<cube, P<none, axes<c, a>>>>(x, y);
}

#ifndef TESSERA_BY_DAY
TEST(elementwise_grad, broadcast) {
  dense<double, 8, 4> const x(0.3, 1.8);
  check_gradients<of_two, on<grid, P<dp, mp>, P<mp>>>(x, dense<double, 4>(0.3, 1.8, 4));
  check_gradients<of_two, on<grid, P<axes<dp, mp>>, P<>>>(x, dense<double, 1, 4>(0.3, 1.8, 4));
}

// Second derivatives: both sides differentiate twice; the oracle by differences of differences.
template <class F, class Where>
void check_second(dense<double, 4, 4> const& x) {
  auto const y = place_all(Where{}, x);
  auto const got = tensor_of(
      std::get<0>(std::get<0>(std::get<0>(interpreted::run<gradients_of_rows<derivative_of<F>>>(std::get<0>(y))))));
  auto const want = oracle::numerical_gradient(
      [](tensor const& z) { return oracle_loss(std::get<0>(derivative_of<F>::rows).want(z)); }, x.values, 1e-4);
  EXPECT_LE(oracle::difference(got, want), 1e-5) << F::name << "\n  got  " << got << "\n  want " << want;
}

TEST(elementwise_grad, second_derivatives) {
  dense<double, 4, 4> const x(0.3, 1.2);
  check_second<smooth, on<grid, P<dp, mp>>>(x);
  check_second<product, on<grid, P<dp, mp>>>(x);
  check_second<normalized, on<grid, P<mp, dp>>>(x);
}

TEST(elementwise_grad, stop_gradient) {
  dense<double, 8, 4> const x(0.3, 1.8), y(0.3, 1.8, 4);
  auto const gradients = std::apply([](auto const&... a) { return interpreted::run<gradients_of_rows<stopped>>(a...); },
                                    place_all(on<grid, P<dp, mp>>{}, x, y));
  EXPECT_EQ(tensor_of(std::get<1>(std::get<0>(std::get<0>(gradients)))), oracle::zeros({8, 4}));
  EXPECT_NE(tensor_of(std::get<0>(std::get<0>(std::get<0>(gradients)))), oracle::zeros({8, 4}));
}
#endif

}  // namespace
