// SPDX-License-Identifier: Apache-2.0
// nightly
// Random numbers of events beside the exact probabilities, and in split layouts.

#include <tessera/functions.hpp>

#include "support/on_grid.hpp"

#include <cmath>
#include <vector>

namespace {

using namespace on_grid;
namespace random = ts::random;
using ts::none;
using ts::P;

template <class X>
std::vector<double> numbers_of(X const& x) {
  auto const host = x.to_host();
  return {host.begin(), host.end()};
}

// Pearson's statistic of draws beside the probabilities of 0, 1, ..., in standard deviations of its distribution. What is
// expected fewer than ten times counts together.
double deviation(std::vector<double> const& draws, std::vector<double> const& probabilities) {
  std::vector<double> seen(probabilities.size());
  for (double d : draws) {
    if (!(d >= 0) || d != std::floor(d)) return 1e9;
    ++seen[std::min(static_cast<std::size_t>(d), seen.size() - 1)];
  }
  double sum = 0, rest_seen = 0, rest = 0;
  int cells = 0;
  auto const all = static_cast<double>(draws.size());
  for (std::size_t k = 0; k < seen.size(); ++k) {
    rest_seen += seen[k];
    rest += probabilities[k] * all;
    if (rest < 10) continue;
    sum += (rest_seen - rest) * (rest_seen - rest) / rest;
    rest_seen = rest = 0;
    ++cells;
  }
  double const freedom = cells - 1;
  return (sum - freedom) / std::sqrt(2 * freedom);
}
std::vector<double> of_poisson(double mean) {
  std::vector<double> p;
  for (int k = 0; k < 3 * mean + 40; ++k) p.push_back(std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0)));
  return p;
}
std::vector<double> of_binomial(int n, double p) {
  std::vector<double> all;
  for (int k = 0; k <= n; ++k)
    all.push_back(std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) + k * std::log(p) +
                           (n - k) * std::log1p(-p)));
  return all;
}
constexpr std::int64_t many = 1 << 18, few = 1 << 14;

TEST(counts, have_the_probabilities_of_poisson) {
  int seed = 0;
  for (float mean : {0.3f, 4.0f, 9.99f, 10.0f, 14.5f, 60.0f, 1000.0f}) {
    auto const draws = numbers_of(random::poisson<int, many>(random::key(++seed), ts::asarray(mean)));
    EXPECT_LT(std::abs(deviation(draws, of_poisson(static_cast<double>(mean)))), 4) << mean;
  }
}
TEST(counts, have_the_probabilities_of_binomial) {
  int seed = 100;
  for (auto [n, p] :
       {std::pair{1, 0.25f}, {20, 0.4f}, {30, 0.6f}, {26, 0.4f}, {21, 0.5f}, {400, 0.96875f}, {5000, 0.3f}}) {
    auto const key = random::key(++seed);
    auto const draws = numbers_of(random::binomial<float, many>(key, ts::asarray(n), ts::asarray(p)));
    EXPECT_LT(std::abs(deviation(draws, of_binomial(n, static_cast<double>(p)))), 4) << n << ' ' << p;
    auto const exact = numbers_of(random::binomial<double, many>(key, ts::asarray(n), ts::asarray(double(p))));
    EXPECT_LT(std::abs(deviation(exact, of_binomial(n, static_cast<double>(p)))), 4) << n << ' ' << p;
  }
}
TEST(counts, of_all_outcomes_are_the_trials) {
  std::vector<float> p;
  for (int i = 0; i < (1 << 15); ++i) p.insert(p.end(), {0.125f, 0.5f, 0.0f, 0.375f});
  auto const rows = ts::asarray(ts::host<(1 << 15), 4>(p));
  auto const draws = numbers_of(random::multinomial<float>(random::key(7), 40.0f, rows));
  std::vector<double> part[4];
  for (std::size_t i = 0; i < draws.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) part[k].push_back(draws[i + k]);
    ASSERT_EQ(draws[i] + draws[i + 1] + draws[i + 2] + draws[i + 3], 40) << i / 4;
    ASSERT_EQ(draws[i + 2], 0);
  }
  EXPECT_LT(std::abs(deviation(part[0], of_binomial(40, 0.125))), 4);
  EXPECT_LT(std::abs(deviation(part[1], of_binomial(40, 0.5))), 4);
  EXPECT_LT(std::abs(deviation(part[3], of_binomial(40, 0.375))), 4);
}
TEST(ball, is_evenly_full) {
  auto const points = numbers_of(ts::asarray(random::ball<float, 3, few>(random::key(3))));
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); i += 3) {
    double const r = std::hypot(points[i], points[i + 1], points[i + 2]);
    ASSERT_LE(r, 1 + 1e-6);
    sum += r * r * r;  // evenly spread between 0 and 1
  }
  EXPECT_NEAR(sum / double(few), 0.5, 5 / std::sqrt(12.0 * double(few)));
}

// The same numbers on every mesh, and nothing is sent.
struct split_draws {
  constexpr auto operator()(auto key, auto mean, auto p) const {
    auto const keys = random::split<4>(key);
    auto const at = ts::out_sharding<P<dp, mp>, grid>;
    return std::tuple{random::poisson<int, 8, 6>(keys[0], 30.0f, at), random::poisson<int>(keys[1], mean),
                      random::binomial<float>(keys[2], 100.0f, p),
                      random::ball<float, 6, 8>(keys[3], 2.0, ts::out_sharding<P<dp>, grid>)};
  }
};
struct whole_draws {
  constexpr auto operator()(auto key, auto mean, auto p) const {
    auto const keys = random::split<4>(key);
    return std::tuple{random::poisson<int, 8, 6>(keys[0], 30.0f), random::poisson<int>(keys[1], mean),
                      random::binomial<float>(keys[2], 100.0f, p), random::ball<float, 6, 8>(keys[3])};
  }
};
TEST(counts, are_the_same_on_every_mesh) {
  auto const key = random::key(5);
  std::vector<float> means(48), chances(48);
  for (std::size_t i = 0; i < 48; ++i) means[i] = static_cast<float>(i), chances[i] = static_cast<float>(i) / 48;
  auto const mean = ts::asarray(ts::host<8, 6>(means)), p = ts::asarray(ts::host<8, 6>(chances));
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const split_mean = ts::device_put<P<dp, mp>>(ts::host<8, 6>(means), mesh);
  auto const split_p = ts::device_put<P<none, mp>>(ts::host<8, 6>(chances), mesh);
  static_assert(ts::comm_of<split_draws, decltype(key), decltype(split_mean), decltype(split_p)>.count() == 0);
  auto const some = ts::jit<split_draws>(key, split_mean, split_p);
  auto const all = ts::jit<whole_draws>(key, mean, p);
  EXPECT_EQ(numbers_of(std::get<0>(some)), numbers_of(std::get<0>(all)));
  EXPECT_EQ(numbers_of(std::get<1>(some)), numbers_of(std::get<1>(all)));
  EXPECT_EQ(numbers_of(std::get<2>(some)), numbers_of(std::get<2>(all)));
  EXPECT_EQ(numbers_of(std::get<3>(some)), numbers_of(std::get<3>(all)));
}

}  // namespace
