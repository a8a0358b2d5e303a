// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gradients in 16 bits that are summed over eight devices, as they are and in 32 bits, beside those in double.

#include "support/on_grid.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace summed_gradients {

using namespace on_grid;
using ts::P;

template <class F, class... X>
constexpr auto const& cost = ts::comm_of<F, std::remove_cvref_t<X>...>;

using both = ts::axes<dp, mp>;

// Sums whose cotangents c are exact, so that only adding them up rounds.
struct weights {
  constexpr auto operator()(auto w, auto x, auto c) const { return ts::sum(ts::matmul(x, w) * c); }
};
struct weights_twice {
  constexpr auto operator()(auto w, auto x, auto c) const {
    return ts::sum(ts::matmul(x, w) * c) + ts::sum(ts::matmul(-x, w) * (c * c));
  }
};
struct bias {
  constexpr auto operator()(auto b, auto x, auto c) const { return ts::sum((x + b) * c); }
};
struct bias_of_blocks {
  constexpr auto operator()(auto b, auto x, auto c) const {
    auto const sums = [](auto own, auto rows, auto cs) { return ts::psum<dp, mp>(ts::sum((rows + own) * cs)); };
    return ts::shard_map<ts::in_specs<P<>, P<both>, P<both>>, ts::out_specs<P<>>>(sums)(b, x, c);
  }
};
struct turns {
  constexpr auto operator()(auto w, auto x, auto c, auto times) const {
    auto const turn = [&](auto sum, auto by) { return std::make_tuple(sum + ts::sum(ts::matmul(x, w) * c * by), by); };
    return std::get<0>(ts::scan(turn, ts::sum(w) * 0, times));
  }
};
struct table {
  constexpr auto operator()(auto rows, auto c, auto tokens) const {
    return ts::sum(rows.at(tokens).get(ts::out_sharding<P<both>>) * c);
  }
};

template <class F>
using plain = decltype(ts::grad(F{}));
template <class F>
using wide = decltype(ts::grad(F{}, ts::reduce_dtype<float>));
template <class T>
auto in(auto const& x) {
  return ts::jit([](auto v) { return ts::astype<T>(v); })(x);
}
template <class X>
double distance(X const& got, std::vector<double> const& want) {
  auto const all = in<double>(got).to_host();
  double sum = 0;
  for (std::size_t i = 0; i < want.size(); ++i) sum += std::abs(all[i] - want[i]);
  return sum;
}

// Each gradient with and without the option, beside double.
template <class F, class... More>
void falls(double to, std::int64_t elements, auto const& w, More const&... more) {
  auto const numbers = [](auto const& x) {
    if constexpr (std::remove_cvref_t<decltype(x)>::type::value.element == ts::dtype::int32)
      return x;
    else
      return in<double>(x);
  };
  auto const exact = ts::jit<plain<F>>(numbers(w), numbers(more)...).to_host();
  std::vector<double> const want(exact.begin(), exact.end());
  auto const own = ts::jit<plain<F>>(w, more...);
  auto const summed = ts::jit<wide<F>>(w, more...);
  static_assert(std::is_same_v<decltype(own), decltype(summed)>);
  EXPECT_LE(distance(summed, want), to * distance(own, want));
  static_assert(cost<wide<F>, decltype(w), More...>.bytes() == 2 * cost<plain<F>, decltype(w), More...>.bytes());
  EXPECT_EQ((cost<plain<F>, decltype(w), More...>.bytes()), elements * 2 * 2 * 7 / 8);
  EXPECT_NE(
      (ts::explain<wide<F>, std::remove_cvref_t<decltype(w)>, More...>().find(std::to_string(elements * 7) + " bytes")),
      std::string::npos);
}

// The errors of gradients in T are at most such a part of those without the option.
template <class T>
void fall(double to) {
  auto const w = in<T>(put<P<>, 8, 16>(0.7));
  auto const x = in<T>(put<P<both>, 64, 8>(1.3));
  auto const c = in<T>(put<P<both>, 64, 16>(2.1));
  auto const row = in<T>(put<P<>, 16>(0.4));
  auto const rows = in<T>(put<P<both>, 64, 16>(0.9));
  std::vector<int> tokens(64);
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int>(i * i + 3) % 8;
  falls<weights>(to, 128, w, x, c);
  falls<weights_twice>(1, 128, w, x, c);
  falls<bias>(to, 16, row, rows, c);
  falls<bias_of_blocks>(to, 16, row, rows, c);
  falls<table>(to, 128, w, c, ts::device_put<P<both>>(ts::host<64>(tokens), ts::make_mesh<grid>(ts::devices())));
  falls<turns>(1, 128, w, x, c, in<T>(put<P<>, 3>(1.1)));
}

}  // namespace summed_gradients
