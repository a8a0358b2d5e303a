// SPDX-License-Identifier: Apache-2.0
// nightly
// out_sharding of every distribution, with numbers and with arrays as parameters, keys on the mesh and without one, at once and in
// jit: the numbers of the whole array, in the layout asked for. And out_shardings of jit: each device draws its own block.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;
namespace rd = ts::random;
using along = ts::out_sharding_t<ts::P<dp>, grid>;

template <class X>
std::vector<double> values(X const& x) {
  auto const host = ts::asarray(x).to_host();
  return {host.begin(), host.end()};
}

template <class... Out>
struct without_parameters {
  constexpr auto operator()(auto key) const {
    auto const k = rd::split<10>(key);
    return std::tuple{rd::bits<ts::uint32, 8>(k[0], Out{}...),      rd::uniform<float, 8>(k[1], Out{}...),
                      rd::normal<float, 8>(k[2], Out{}...),         rd::exponential<float, 8>(k[3], Out{}...),
                      rd::gumbel<float, 8>(k[4], Out{}...),         rd::laplace<float, 8>(k[5], Out{}...),
                      rd::cauchy<float, 8>(k[6], Out{}...),         rd::logistic<float, 8>(k[7], Out{}...),
                      rd::rademacher<ts::int32, 8>(k[8], Out{}...), rd::maxwell<float, 8>(k[9], Out{}...)};
  }
};
// With a and b for parameters: numbers, or arrays that broadcast to what is drawn.
template <class... Out>
struct with_parameters {
  constexpr auto operator()(auto key, auto a, auto b) const {
    auto const k = rd::split<19>(key);
    return std::tuple{rd::uniform<float, 8>(k[0], a, b, Out{}...),
                      rd::truncated_normal<float, 8>(k[1], a, b, Out{}...),
                      rd::gamma<float, 8>(k[2], a, Out{}...),
                      rd::loggamma<float, 8>(k[3], a, Out{}...),
                      rd::beta<float, 8>(k[4], a, b, Out{}...),
                      rd::chisquare<float, 8>(k[5], a, Out{}...),
                      rd::f<float, 8>(k[6], a, b, Out{}...),
                      rd::t<float, 8>(k[7], a, Out{}...),
                      rd::generalized_normal<float, 8>(k[8], a, Out{}...),
                      rd::rayleigh<float, 8>(k[9], a, Out{}...),
                      rd::weibull_min<float, 8>(k[10], a, b, Out{}...),
                      rd::pareto<float, 8>(k[11], a, Out{}...),
                      rd::triangular<float, 8>(k[12], a, b, b, Out{}...),
                      rd::geometric<ts::int32, 8>(k[13], a, Out{}...),
                      rd::lognormal<float, 8>(k[14], a, Out{}...),
                      rd::double_sided_maxwell<float, 8>(k[15], a, b, Out{}...),
                      rd::wald<float, 8>(k[16], a, Out{}...),
                      rd::bernoulli<8>(k[17], a, Out{}...),
                      rd::randint<ts::int32, 8>(k[18], 1, 64, Out{}...)};
  }
};
// In the shape of a, which is an array.
template <class... Out>
struct shaped_by_parameters {
  constexpr auto operator()(auto key, auto a, auto b) const {
    auto const k = rd::split<15>(key);
    return std::tuple{rd::gamma<float>(k[0], a, Out{}...),
                      rd::loggamma<float>(k[1], a, Out{}...),
                      rd::beta<float>(k[2], a, b, Out{}...),
                      rd::chisquare<float>(k[3], a, Out{}...),
                      rd::f<float>(k[4], a, b, Out{}...),
                      rd::t<float>(k[5], a, Out{}...),
                      rd::generalized_normal<float>(k[6], a, Out{}...),
                      rd::rayleigh<float>(k[7], a, Out{}...),
                      rd::weibull_min<float>(k[8], a, b, Out{}...),
                      rd::pareto<float>(k[9], a, Out{}...),
                      rd::triangular<float>(k[10], a, b, b, Out{}...),
                      rd::geometric<ts::int32>(k[11], a, Out{}...),
                      rd::lognormal<float>(k[12], a, Out{}...),
                      rd::wald<float>(k[13], a, Out{}...),
                      rd::bernoulli<>(k[14], a, Out{}...)};
  }
};
// Of rows, and what is taken out of an array.
template <class... Out>
struct of_arrays {
  constexpr auto operator()(auto key, auto rows, auto p) const {
    auto const k = rd::split<10>(key);
    return std::tuple{
        rd::dirichlet<float, 8, 4>(k[0], rows, Out{}...),
        rd::dirichlet<float>(k[1], rows, Out{}...),
        rd::multivariate_normal<float, 8>(k[2], ts::zeros<float, 4>(), ts::eye<4, 4, 0, float>(), Out{}...),
        rd::permutation(k[3], rows, Out{}...),
        rd::permutation<8>(k[4], Out{}...),
        rd::choice<8>(k[5], p, Out{}...),
        rd::choice<8>(k[6], p, rd::without_replacement, Out{}...),
        rd::choice<8>(k[7], p, p, Out{}...),
        rd::categorical(k[8], rows, Out{}...),
        rd::categorical<8, 8>(k[9], rows, Out{}...)};
  }
};

template <std::size_t I, class X, class Y>
void same_part(X const& all, Y const& split, char const* where) {
  EXPECT_EQ(values(std::get<I>(all)), values(std::get<I>(split))) << I << ' ' << where;
  std::string const type{ts::typeof_(std::get<I>(split)).text()};
  EXPECT_NE(type.find("[8@dp"), std::string::npos) << I << ' ' << where << ' ' << type;
}
template <class X, class Y>
void same(X const& all, Y const& split, char const* where) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (same_part<I>(all, split, where), ...); }
  (std::make_index_sequence<std::tuple_size_v<X>>{});
}
auto on_mesh(auto const& key) {
  return rd::wrap_key_data(ts::device_put<ts::P<>>(key.data, ts::make_mesh<grid>(ts::devices())));
}
template <template <class...> class Draws, class... X>
void in_the_layout_asked_for(X const&... x) {
  ts::use_mesh const current{ts::make_mesh<grid>(ts::devices())};
  auto const key = rd::key(11);
  auto const whole = run<Draws<>>(key, x...);
  same(whole, Draws<along>{}(key, x...), "at once");
  same(whole, Draws<along>{}(on_mesh(key), x...), "at once, key on the mesh");
  same(whole, run<Draws<along>>(key, x...), "in jit");
  same(whole, run<Draws<along>>(on_mesh(key), x...), "in jit, key on the mesh");
}

std::vector<double> const some{0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 0.9};
std::vector<double> const more{1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5};

TEST(out_sharding, without_parameters) { in_the_layout_asked_for<without_parameters>(); }
TEST(out_sharding, of_numbers) { in_the_layout_asked_for<with_parameters>(0.5, 2.5); }
TEST(out_sharding, of_arrays_without_a_mesh) {
  auto const a = ts::device_put(ts::host<8>(some)), b = ts::device_put(ts::host<8>(more));
  in_the_layout_asked_for<with_parameters>(a, b);
  in_the_layout_asked_for<with_parameters>(a, 2.5);
  in_the_layout_asked_for<shaped_by_parameters>(a, b);
}
TEST(out_sharding, of_arrays_on_the_mesh) {
  auto const a = put<ts::P<>, 8>(some), b = put<ts::P<>, 8>(more);
  in_the_layout_asked_for<with_parameters>(a, b);
  in_the_layout_asked_for<with_parameters>(put<ts::P<dp>, 8>(some), 2.5);
  in_the_layout_asked_for<shaped_by_parameters>(a, 2.5);
}
TEST(out_sharding, of_rows_and_what_is_taken) {
  auto const rows = put<ts::P<>, 8, 4>(std::vector<double>(32, 0.5));
  auto const p = put<ts::P<>, 8>(some);
  in_the_layout_asked_for<of_arrays>(rows, p);
}

// Results that are cut afterwards are drawn in blocks, also where what is drawn is reduced, broadcast or reshaped first. What is
// read whole elsewhere is drawn whole.
struct noise {
  constexpr auto operator()(auto key) const {
    auto const [a, b, c] = rd::split<3>(key);
    auto const x = rd::dirichlet<float, 64, 1024>(a, ts::full<1024>(2.f)) * rd::maxwell<float, 64, 1024>(b);
    return ts::reshape<32, 2, 1024>(x + rd::normal<float, 1024>(c));
  }
};
struct read_twice {
  constexpr auto operator()(auto key) const {
    auto const x = rd::normal<float, 64, 1024>(key);
    return std::tuple{ts::reshard<ts::P<dp>>(x), ts::sum<0>(x)};
  }
};
TEST(out_shardings, are_drawn_in_blocks) {
  ts::use_mesh const current{ts::make_mesh<grid>(ts::devices())};
  constexpr auto split = ts::jit<ts::out_shardings<ts::P<dp>>, grid>(noise{});
  auto const key = rd::key(3);
  EXPECT_EQ(values(split(key)), values(run<noise>(key)));
  static_assert(ts::comm_of<std::remove_const_t<decltype(split)>, decltype(key)>.count() == 0);
  constexpr std::int64_t block = 64 * 1024 * 4 / 4;  // of maxwell three at a time
  static_assert(ts::memory_of<std::remove_const_t<decltype(split)>, decltype(key)>.peak < 6 * block);
  auto const on = on_mesh(key);
  auto const [part, sum] = ts::jit<read_twice>(on);
  EXPECT_EQ(values(part), values(rd::normal<float, 64, 1024>(key)));
  EXPECT_EQ(values(sum), values(ts::sum<0>(ts::asarray(rd::normal<float, 64, 1024>(key)))));
}
}  // namespace
