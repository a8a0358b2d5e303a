// SPDX-License-Identifier: Apache-2.0
// softmax, log_softmax, logsumexp, layer_norm and one_hot along whole and sharded dimensions, with large and infinite values.
// optimized at night

#include "support/op_case.hpp"

#include <complex>

namespace {

using namespace op_case;
using oracle::tensor;

struct along_a_dim {
  static constexpr auto rows = std::tuple{
      row{"softmax", [](auto x) { return ts::softmax(x); }, [](tensor const& x) { return oracle::softmax(x); }},
      row{"softmax<0>", [](auto x) { return ts::softmax<0>(x); },
          [](tensor const& x) { return oracle::softmax(x, 0); }},
      row{"softmax<1>", [](auto x) { return ts::softmax<1>(x); },
          [](tensor const& x) { return oracle::softmax(x, 1); }},
      row{"log_softmax", [](auto x) { return ts::log_softmax(x); },
          [](tensor const& x) { return oracle::log_softmax(x); }},
      row{"log_softmax<1>", [](auto x) { return ts::log_softmax<1>(x); },
          [](tensor const& x) { return oracle::log_softmax(x, 1); }},
      row{"logsumexp<-1>", [](auto x) { return ts::logsumexp<-1>(x); },
          [](tensor const& x) { return oracle::logsumexp(x, {-1}); }},
      row{"logsumexp<0>", [](auto x) { return ts::logsumexp<0>(x); },
          [](tensor const& x) { return oracle::logsumexp(x, {0}); }},
      row{"logsumexp", [](auto x) { return ts::logsumexp(x); }, [](tensor const& x) { return oracle::logsumexp(x); }},
      row{"logsumexp keepdims", [](auto x) { return x - ts::logsumexp<0>(x, ts::keepdims); },
          [](tensor const& x) { return x - oracle::logsumexp(x, {0}, true); }},
      row{"softmax<0, 1>", [](auto x) { return ts::softmax<0, 1>(x); },
          [](tensor const& x) {
            return oracle::exp(x - oracle::logsumexp(x, {0, 1}, true));
          }},
      row{"layer_norm", [](auto x) { return ts::layer_norm(x); }, [](tensor const& x) { return oracle::layer_norm(x); },
          1e-5}};
};
struct masked {
  static constexpr auto rows = std::tuple{
      row{"softmax", [](auto x) { return ts::softmax(x); }, [](tensor const& x) { return oracle::softmax(x); }},
      row{"log_softmax", [](auto x) { return ts::log_softmax(x); },
          [](tensor const& x) { return oracle::log_softmax(x); }},
      row{"logsumexp<-1>", [](auto x) { return ts::logsumexp<-1>(x); },
          [](tensor const& x) { return oracle::logsumexp(x, {-1}); }}};
};
struct labels {
  static constexpr auto rows = std::tuple{
      row{"one_hot", [](auto x) { return ts::one_hot<6>(x); }, [](tensor const& x) { return oracle::one_hot(x, 6); }},
      row{"one_hot int32", [](auto x) { return ts::one_hot<4, std::int32_t>(x); },
          [](tensor const& x) { return oracle::one_hot(x, 4); }},
      row{"one_hot first", [](auto x) { return ts::one_hot<6, float, 0>(x); },
          [](tensor const& x) {
            return oracle::transpose(oracle::one_hot(x, 6), {2, 0, 1});
          }},
      row{"chosen", [](auto x) { return ts::sum<-1>(ts::one_hot<6>(x) * ts::arange<float, 6>()); },
          [](tensor const& x) {
            return oracle::where(oracle::logical_and(oracle::greater_equal(x, 0), oracle::less(x, 6)), x, 0);
          }}};
};

// JAX 0.10.2: jax.nn.standardize(x, epsilon=0.5).
TEST(softmax, norms_with_epsilon) {
  auto const x = ts::asarray(ts::host<2, 3>(std::vector<float>{1, 2, 4, -1, 0, 3}));
  std::vector<double> const centered{-4.0 / 3, -1.0 / 3, 5.0 / 3, -5.0 / 3, -2.0 / 3, 7.0 / 3};
  auto const layer = ts::layer_norm(x, 0.5).to_host(), rms = ts::rms_norm(x, 0.5).to_host();
  double const variance[]{14.0 / 9, 26.0 / 9}, power[]{7, 10.0 / 3};
  std::vector<double> const given{1, 2, 4, -1, 0, 3};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(layer[i], centered[i] / std::sqrt(variance[i / 3] + 0.5), 1e-6);
    EXPECT_NEAR(rms[i], given[i] / std::sqrt(power[i / 3] + 0.5), 1e-6);
  }
}

TEST(softmax, over_layouts) {
  dense<float, 4, 8, 2> const x(-3, 3);
  check<along_a_dim, on<grid, P<dp, none, mp>>, jitted>(x);
  check<along_a_dim, nowhere, interpreted>(x);
  check<along_a_dim, on<grid, P<>>, interpreted>(x);
  check<along_a_dim, on<grid, P<none, axes<dp, mp>>>, interpreted>(x);
  check<along_a_dim, on<cube, P<axes<b, a>, c>>, interpreted>(x);
}

TEST(softmax, of_large_and_infinite_values) {
  dense<float, 8, 4> const large(-1e4, 1e4);
  check<masked, on<grid, P<dp, mp>>, jitted>(large);
  double const inf = INFINITY;
  dense<float, 2, 4> const some(tensor({2, 4}, {0, -inf, 1, -inf, -inf, -inf, 3, 2}));
  check<masked, on<grid, P<mp, dp>>, interpreted>(some);
  check<masked, nowhere, interpreted>(some);
}

#ifndef TESSERA_BY_DAY
TEST(softmax, of_half_floats_and_integers) {
  check<masked, on<grid, P<dp, mp>>, interpreted>(dense<std::int32_t, 8, 4>(-3, 3));
  auto const x = place<P<dp, mp>>(ts::make_mesh<grid>(ts::devices()), dense<ts::bfloat16, 8, 4>(-3, 3));
  auto const want = oracle::softmax(dense<ts::bfloat16, 8, 4>(-3, 3).values);
  EXPECT_LE(oracle::difference(tensor_of(ts::softmax(x)), want), 0.02);
}

// logsumexp of complex numbers, beside a plain loop and, for infinities, JAX 0.10.2.
TEST(softmax, logsumexp_of_complex_numbers) {
  using number = std::complex<double>;
  std::vector<ts::complex128> given;
  std::vector<number> want(8);
  for (int i = 0; i < 32; ++i) {
    given.emplace_back(2 * std::sin(i * i), 0.3 * std::cos(3.0 * i));
    want[static_cast<std::size_t>(i / 4)] += std::exp(number(given.back().re, given.back().im));
  }
  auto const x = ts::device_put<P<dp, mp>>(ts::host<8, 4>(given), ts::make_mesh<grid>(ts::devices()));
  auto const sums = ts::logsumexp<1>(x).to_host(),
             jitted = ts::jit([](auto y) { return ts::logsumexp<1>(y); })(x).to_host();
  for (std::size_t i = 0; i < 8; ++i) {
    number const expected = std::log(want[i]);
    EXPECT_NEAR(sums[i].re, expected.real(), 1e-14);
    EXPECT_NEAR(sums[i].im, expected.imag(), 1e-14);
    EXPECT_EQ(jitted[i], sums[i]);
  }
  double const inf = INFINITY;
  auto const of_two = [](ts::complex128 one, ts::complex128 two) {
    return ts::logsumexp(ts::asarray(ts::host<2>(std::vector{one, two}))).item();
  };
  EXPECT_EQ(of_two({-inf, 1}, {1, 2}), ts::complex128(1, 2));
  EXPECT_EQ(of_two({-inf, 3}, {-inf, 3}), ts::complex128(-inf, 0));
  EXPECT_EQ(of_two({inf, 0}, {1, 0}), ts::complex128(inf, 0));
  EXPECT_TRUE(std::isnan(of_two({0, inf}, {1, 0}).re));
  EXPECT_NEAR(of_two({1000, 3}, {1000, 3}).re, 1000 + std::log(2), 1e-12);
  EXPECT_NEAR(of_two({1000, 3}, {1000, 3}).im, 3, 1e-12);
}

TEST(softmax, one_hot) {
  dense<std::int32_t, 8, 2> const x(-2, 9);  // some are no class
  check<labels, on<grid, P<dp, mp>>, jitted>(x);
  check<labels, nowhere, interpreted>(x);
  check<labels, on<cube, P<axes<a, c>, b>>, interpreted>(x);
}
#endif

}  // namespace
