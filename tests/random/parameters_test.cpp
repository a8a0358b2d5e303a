// SPDX-License-Identifier: Apache-2.0
// Distributions with parameters where programs draw from them: shapes and layouts that parameters give, gradients by them and
// what these send, mapped, in 16 bits; recorded_test.cpp compares the numbers with JAX's.

#include "support/on_grid.hpp"

#include <tessera/base/gamma_slope.hpp>

#include <set>

namespace {

using namespace on_grid;
namespace rd = ts::random;

auto key_on_grid(int seed) {
  return rd::wrap_key_data(ts::device_put<ts::P<>>(rd::key(seed).data, ts::make_mesh<grid>(ts::devices())));
}
std::vector<double> shapes(std::size_t n) {
  std::vector<double> a;
  for (std::size_t i = 0; i < n; ++i) a.push_back(0.05 * std::pow(1.35, static_cast<double>(i)));
  return a;
}
template <class X>
std::vector<double> values(X const& x) {
  auto const host = x.to_host();
  return {host.begin(), host.end()};
}

constexpr auto number = [](double value) { return put<ts::P<>, 1>(std::vector{value}).at(0).get(); };

// The sum of draws, and its slopes by what they are drawn with.
struct gamma_and_slope {
  constexpr auto operator()(auto key, auto a) const {
    auto const draws = [&](auto shape) { return rd::gamma<double>(rd::clone(key), shape); };
    return std::tuple{draws(a), ts::grad([&](auto shape) { return ts::sum(draws(shape)); })(a)};
  }
};
TEST(gamma, slopes_of_each_lie_as_they_do) {
  auto const key = key_on_grid(3);
  auto const a = put<ts::P<dp, mp>, 8, 4>(shapes(32));
  static_assert(ts::comm_of<gamma_and_slope, decltype(key), decltype(a)>.count() == 0);
  auto const [drawn, slope] = ts::jit<gamma_and_slope>(key, a);
  static_assert(ts::type_text<decltype(slope)> == "float64[8@dp,4@mp]");
  auto const x = values(drawn), shape = shapes(32);
  std::vector<double> want;
  for (std::size_t i = 0; i < 32; ++i) want.push_back(x[i] * ts::math::gamma_slope(std::log(x[i]), shape[i]));
  expect(slope, want, 1e-9);
  auto const whole = run<gamma_and_slope>(key, put<ts::P<>, 8, 4>(shapes(32)));
  EXPECT_EQ(values(std::get<0>(whole)), x);
  EXPECT_EQ(values(std::get<1>(whole)), values(slope));
}

// By a number: a sum over all devices, of one number.
struct slope_by_a_number {
  constexpr auto operator()(auto key, auto a) const {
    auto const sum = [&](auto shape) {
      return ts::sum(rd::loggamma<double, 8, 4>(key, shape, ts::out_sharding<ts::P<dp, mp>, grid>));
    };
    return ts::grad(sum)(a);
  }
};
TEST(gamma, slope_by_a_number_is_one_sum) {
  auto const key = key_on_grid(4);
  auto const a = number(0.7);
  constexpr auto const& cost = ts::comm_of<slope_by_a_number, decltype(key), decltype(a)>;
  static_assert(cost.count() == cost.count(ts::collective::all_reduce) && cost.bytes_over<dp>() <= 16);
  double const slope = ts::jit<slope_by_a_number>(key, a).item();
  auto const draws = [&](double shape) {
    double sum = 0;
    for (double x : rd::loggamma<double, 8, 4>(rd::clone(key), shape).to_host()) sum += ts::math::gamma_slope(x, 0.7);
    return sum;
  };
  EXPECT_NEAR(slope, draws(0.7), 1e-9);
}

// Its draws are of a's shape, whatever b is, and the gradient is that of differences where no draw is another try.
struct beta_of_both {
  constexpr auto operator()(auto key, auto a, auto b) const { return rd::beta<double>(key, a, b); }
};
struct beta_slopes {
  constexpr auto operator()(auto key, auto a, auto b) const {
    return ts::grad<0, 1>([&](auto x, auto y) { return ts::sum(rd::beta<double>(key, x, y)); })(a, b);
  }
};
TEST(beta, of_an_array_and_a_number) {
  auto const key = key_on_grid(5);
  auto const a = put<ts::P<dp>, 8>(std::vector<double>(8, 2.0));
  auto const drawn = run<beta_of_both>(key, a, number(3.0));
  static_assert(ts::type_text<decltype(drawn)> == "float64[8@dp]");
  auto const x = values(drawn);
  EXPECT_EQ(std::set<double>(x.begin(), x.end()).size(), 8u);
  auto const [by_a, by_b] = run<beta_slopes>(key, a, number(3.0));
  static_assert(ts::type_text<decltype(by_a)> == "float64[8@dp]" && ts::type_text<decltype(by_b)> == "float64[]");
  // d/da at fixed rank in each of two independent gamma draws: more of a is a greater share, more of b a lesser one.
  for (double slope : values(by_a)) EXPECT_GT(slope, 0);
  EXPECT_LT(by_b.item(), 0);
}

struct mapped {
  constexpr auto operator()(auto key, auto a) const {
    return ts::vmap([](auto k, auto shape) { return rd::gamma<double>(k, shape); })(rd::split_batch<6>(key), a);
  }
};
TEST(gamma, of_a_batch_of_keys_and_shapes) {
  auto const key = key_on_grid(6);
  auto const a = put<ts::P<>, 6, 3>(shapes(18));
  auto const slope = ts::jit(
      [](auto k, auto x) { return ts::grad([&](auto shape) { return ts::sum(mapped{}(k, shape)); })(x); })(key, a);
  auto const x = values(run<mapped>(key, a)), shape = shapes(18);
  std::vector<double> want;
  for (std::size_t i = 0; i < 18; ++i) want.push_back(x[i] * ts::math::gamma_slope(std::log(x[i]), shape[i]));
  expect(slope, want, 1e-9);
}

TEST(gamma, of_16_bits) {
  auto const key = key_on_grid(1);
  auto const narrow = values(rd::gamma<ts::bfloat16, 16>(key, 2.0)), wide = values(rd::gamma<float, 16>(key, 2.0));
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(narrow[i], wide[i], wide[i] / 256);
}

// All of them, in a layout of their own and in their parameters'.
template <class... Out>
struct every {
  constexpr auto operator()(auto key, auto a, auto rows) const {
    auto const k = rd::split<18>(key);
    return std::tuple{
        rd::gamma<float, 8>(k[0], a, Out{}...),
        rd::loggamma<float, 8>(k[1], 0.5, Out{}...),
        rd::beta<float, 8>(k[2], a, 2.0, Out{}...),
        rd::chisquare<float, 8>(k[3], a, Out{}...),
        rd::f<float, 8>(k[4], a, 5.0, Out{}...),
        rd::t<float, 8>(k[5], a, Out{}...),
        rd::generalized_normal<float, 8>(k[6], a, Out{}...),
        rd::dirichlet<float, 8, 4>(k[7], rows, Out{}...),
        rd::cauchy<float, 8>(k[8], Out{}...),
        rd::logistic<float, 8>(k[9], Out{}...),
        rd::rayleigh<float, 8>(k[10], a, Out{}...),
        rd::weibull_min<float, 8>(k[11], a, 1.5, Out{}...),
        rd::pareto<float, 8>(k[12], a, Out{}...),
        rd::triangular<float, 8>(k[13], -1.0, 0.5, a + 2.0, Out{}...),
        rd::geometric<ts::int32, 8>(k[14], 0.3, Out{}...),
        rd::wald<float, 8>(k[15], a, Out{}...),
        rd::double_sided_maxwell<float, 8>(k[16], a, 2.0, Out{}...),
        rd::multivariate_normal<float, 8>(k[17], ts::zeros<float, 4>(), ts::eye<4, 4, 0, float>(), Out{}...)};
  }
};
template <class... Out>
struct those_without_parameters {
  constexpr auto operator()(auto key) const {
    auto const k = rd::split<3>(key);
    return std::tuple{rd::rademacher<ts::int32, 8>(k[0], Out{}...), rd::maxwell<float, 8>(k[1], Out{}...),
                      rd::lognormal<float, 8>(k[2], 0.5, Out{}...)};
  }
};
template <std::size_t I, class X, class Y>
void same_part(X const& all, Y const& split) {
  EXPECT_EQ(values(std::get<I>(all)), values(std::get<I>(split))) << I;
  std::string_view const type = ts::type_text<std::tuple_element_t<I, Y>>;
  EXPECT_NE(type.find("[8@dp"), std::string_view::npos) << I << type;
}
template <class X, class Y>
void same(X const& all, Y const& split) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (same_part<I>(all, split), ...); }
  (std::make_index_sequence<std::tuple_size_v<X>>{});
}
TEST(distributions, the_same_in_every_layout) {
  using along = ts::out_sharding_t<ts::P<dp>, grid>;
  auto const key = key_on_grid(7);
  auto const whole = run<every<>>(key, put<ts::P<>, 8>(shapes(8)), put<ts::P<>, 8, 4>(shapes(32)));
  same(whole, run<every<along>>(key, put<ts::P<dp>, 8>(shapes(8)), put<ts::P<dp>, 8, 4>(shapes(32))));
  same(run<those_without_parameters<>>(key), run<those_without_parameters<along>>(key));
}

struct rows_of_shares {
  constexpr auto operator()(auto key, auto a) const { return rd::dirichlet<double>(key, a); }
};
TEST(dirichlet, rows_add_up_to_1) {
  auto const drawn = run<rows_of_shares>(key_on_grid(8), put<ts::P<dp>, 8, 4>(shapes(32)));
  static_assert(ts::type_text<decltype(drawn)> == "float64[8@dp,4]");
  auto const x = values(drawn);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(x[4 * i] + x[4 * i + 1] + x[4 * i + 2] + x[4 * i + 3], 1, 1e-14);
}

struct correlated {
  constexpr auto operator()(auto key, auto mean, auto covariance) const {
    return rd::multivariate_normal<double, 4096>(key, mean, covariance, ts::out_sharding<ts::P<dp>, grid>);
  }
};
TEST(multivariate_normal, has_its_mean_and_covariance) {
  std::vector<double> const mean{1, -2}, covariance{2, 0.6, 0.6, 0.5};
  auto const drawn = run<correlated>(key_on_grid(9), put<ts::P<>, 2>(mean), put<ts::P<>, 2, 2>(covariance));
  static_assert(ts::type_text<decltype(drawn)> == "float64[4096@dp,2]");
  auto const x = values(drawn);
  double sum[2]{}, product[4]{};
  for (std::size_t i = 0; i < 4096; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      sum[j] += x[2 * i + j] / 4096;
      for (std::size_t k = 0; k < 2; ++k)
        product[2 * j + k] += (x[2 * i + j] - mean[j]) * (x[2 * i + k] - mean[k]) / 4096;
    }
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(sum[j], mean[j], 0.08);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(product[j], covariance[j], 0.15);
}

}  // namespace
