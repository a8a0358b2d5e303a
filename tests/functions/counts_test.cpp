// SPDX-License-Identifier: Apache-2.0
// nightly
// Random numbers of events, and points in a ball, against JAX's.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;
namespace random = ts::random;
using std::uint32_t;

template <std::int64_t... E>
constexpr auto poisson =
    [](auto data, auto mean) { return random::poisson<int, E...>(random::wrap_key_data(data), mean); };
constexpr auto binomial = [](auto data, auto n, auto p) {
  return random::binomial<float>(random::wrap_key_data(data), n, p);
};

TEST(poisson, is_jax_s_below_ten) {
  expect_recorded<whole, not_sloped, uint32_t[2], float[12]>("poisson of means", poisson<>);
  expect_recorded<whole, not_sloped, uint32_t[2], float[4]>("poisson of rows", poisson<40, 4>);
}
// One draw for each of 200 keys: where JAX's loop ends with the draw.
template <class Draw>
void expect_drawn(char const* name, Draw) {
  expect_recorded<not_sloped, uint32_t[200][2]>(
      name, [](auto keys) { return ts::vmap([](auto data) { return Draw{}(random::wrap_key_data(data)); })(keys); });
}
TEST(poisson, is_jax_s_one_by_one) {
  expect_drawn("poisson 10", [](auto key) { return random::poisson<int>(key, 10.0f); });
  expect_drawn("poisson 12.5", [](auto key) { return random::poisson<int>(key, 12.5f); });
  expect_drawn("poisson 100", [](auto key) { return random::poisson<int>(key, 100.0f); });
  expect_drawn("poisson 3000", [](auto key) { return random::poisson<int>(key, 3000.0f); });
}
TEST(binomial, is_jax_s_below_ten) {
  expect_recorded<whole, not_sloped, uint32_t[2], float[12], float[12]>("binomial of trials", binomial);
  expect_recorded<whole, not_sloped, uint32_t[2], float[6], float[6]>("binomial ends", binomial);
  expect_recorded<whole, not_sloped, uint32_t[2], double[1], double[1]>(
      "binomial float64",
      [](auto data, auto n, auto p) { return random::binomial<double, 60>(random::wrap_key_data(data), n, p); });
}
TEST(binomial, is_jax_s_one_by_one) {
  expect_drawn("binomial 30 0.4", [](auto key) { return random::binomial<float>(key, 30.0f, 0.4f); });
  expect_drawn("binomial 25 0.7", [](auto key) { return random::binomial<float>(key, 25, 0.7f); });
  expect_drawn("binomial 1000 0.1", [](auto key) { return random::binomial<float>(key, 1000.0f, 0.1f); });
  expect_drawn("binomial 100000 0.5", [](auto key) { return random::binomial<float>(key, 100000.0f, 0.5f); });
}
TEST(multinomial, is_jax_s) {
  auto const draw = [](auto data, auto n, auto p) {
    return random::multinomial<float>(random::wrap_key_data(data), n, p);
  };
  expect_recorded<whole, not_sloped, uint32_t[2], float[1], float[4]>("multinomial", [](auto data, auto n, auto p) {
    return random::multinomial<float>(random::wrap_key_data(data), ts::squeeze<0>(n), p);
  });
  expect_recorded<whole, not_sloped, uint32_t[2], float[4], float[4][3]>("multinomial rows", draw);
}
template <std::int64_t... E>
struct ball {
  constexpr auto operator()(auto data, auto p) const {
    return random::ball<float, E...>(random::wrap_key_data(data), ts::squeeze<0>(p));
  }
};
// The gradient is a program of its own, since a key gives numbers once.
template <class F>
void expect_ball(char const* name, F f) {
  expect_recorded<whole, not_sloped, uint32_t[2], float[1]>(name, f, 1e-5);
  auto const& want = records().at(name);
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const data = array_of<uint32_t[2], none>::put(want.given[0].numbers, mesh);
  auto const p = array_of<float[1], none>::put(want.given[1].numbers, mesh);
  auto const slope = ts::jit([](auto d, auto q) { return ts::grad<1>(total<F>{})(d, q); })(data, p);
  expect_numbers(numbers_of(slope), want.slopes.at(0).numbers, 0, 1e-4, name);
}
TEST(ball, is_jax_s) {
  expect_ball("ball", ball<3, 8>{});
  expect_ball("ball 1", ball<4>{});
}

}  // namespace
