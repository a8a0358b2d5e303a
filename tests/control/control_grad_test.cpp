// SPDX-License-Identifier: Apache-2.0
// Gradients through loops and branches: equal to those of the same function written without them, and to central
// differences.

#include "support/on_grid.hpp"

#include <cmath>
#include <tuple>
#include <vector>

namespace {

using namespace on_grid;

// A recurrent network of four turns: the state, the weights around it and the rows it goes over.
constexpr auto turn = [](auto const& state, auto const& w, auto const& row) {
  return ts::tanh(ts::matmul(state, w) + row);
};
constexpr auto network = [](auto h, auto w, auto x) {
  auto const [last, all] = ts::scan(
      [&](auto state, auto row) {
        auto const next = turn(state, w, row);
        return std::tuple{next, ts::sum<1>(next * row)};
      },
      h, x);
  return ts::sum(last * last) + ts::sum(ts::exp(all));
};
constexpr auto unrolled = [](auto h, auto w, auto x) {
  auto const rows = ts::unstack<0>(x);
  auto const step = [&](auto const& state, auto const& row) {
    auto const next = turn(state, w, row);
    return std::tuple{next, ts::sum(ts::exp(ts::sum<1>(next * row)))};
  };
  auto const [a, sa] = step(h, rows[0]);
  auto const [b, sb] = step(a, rows[1]);
  auto const [c, sc] = step(b, rows[2]);
  auto const [d, sd] = step(c, rows[3]);
  return ts::sum(d * d) + sa + sb + sc + sd;
};

template <class H, class W, class X>
void through_the_network() {
  auto const h = put<H, 8, 4>(0.2);
  auto const w = put<W, 4, 4>(0.4);
  auto const x = put<X, 4, 8, 4>(0.6);
  auto const [gh, gw, gx] = ts::grad<0, 1, 2>(network)(h, w, x);
  auto const [wh, ww, wx] = ts::grad<0, 1, 2>(unrolled)(h, w, x);
  near(gh, wh);
  near(gw, ww);
  near(gx, wx);
}
TEST(control_grad, scan) {
  through_the_network<ts::P<>, ts::P<>, ts::P<>>();
  through_the_network<ts::P<dp>, ts::P<>, ts::P<ts::none, dp>>();
  through_the_network<ts::P<ts::axes<dp, mp>>, ts::P<>, ts::P<ts::none, ts::axes<dp, mp>>>();
}

// The second derivative: the backward loop is a loop, too.
constexpr auto growth = [](auto x) {
  return ts::sum(std::get<0>(ts::scan<3>([&](auto c) { return std::tuple{ts::sin(c * x) + c, std::tuple{}}; }, x)));
};
constexpr auto growth_by_hand = [](auto x) {
  auto const step = [&](auto const& c) { return ts::sin(c * x) + c; };
  return ts::sum(step(step(step(x))));
};
template <class F>
struct slope_sum {
  constexpr auto operator()(auto x) const { return ts::sum(ts::cos(ts::grad(F{})(x))); }
};
TEST(control_grad, of_a_gradient) {
  auto const x = put<ts::P<ts::axes<dp, mp>>, 16>(0.5);
  near(ts::grad(growth)(x), ts::grad(growth_by_hand)(x));
  near(ts::grad(slope_sum<decltype(growth)>{})(x), ts::grad(slope_sum<decltype(growth_by_hand)>{})(x));
}

// A loop in a loop, reading values of both.
constexpr auto nested = [](auto x, auto w) {
  auto const [last, all] = ts::scan(
      [&](auto c, auto row) {
        auto const inner = ts::fori_loop(
            0, 3, [&](auto i, auto v) { return ts::sin(v * w + row) * (i + 1); }, c);
        return std::tuple{inner, inner * row};
      },
      w, x);
  return ts::sum(last * last) + ts::sum(all);
};
constexpr auto nested_by_hand = [](auto x, auto w) {
  auto const rows = ts::unstack<0>(x);
  auto const outer = [&](auto const& carry, auto const& row) {
    auto const a = ts::sin(carry * w + row), b = ts::sin(a * w + row) * 2, d = ts::sin(b * w + row) * 3;
    return std::tuple{d, ts::sum(d * row)};
  };
  auto const [a, sa] = outer(w, rows[0]);
  auto const [b, sb] = outer(a, rows[1]);
  return ts::sum(b * b) + sa + sb;
};
TEST(control_grad, nested_loops) {
  auto const x = put<ts::P<ts::none, dp>, 2, 8>(0.5);
  auto const w = put<ts::P<dp>, 8>(0.8);
  auto const [gx, gw] = ts::grad<0, 1>(nested)(x, w);
  auto const [hx, hw] = ts::grad<0, 1>(nested_by_hand)(x, w);
  near(gx, hx);
  near(gw, hw);
}

constexpr auto chosen = [](auto which, auto x, auto w) {
  return ts::sum(ts::switch_(which,
                             std::tuple{[&](auto v) { return v * w * w; }, [](auto v) { return ts::sin(v) * v; },
                                        [&](auto v) { return ts::exp(v + w); }},
                             x));
};
TEST(control_grad, branches) {
  auto const x = put<ts::P<dp, mp>, 8, 4>(0.5);
  auto const w = put<ts::P<dp, mp>, 8, 4>(0.8);
  auto const slopes = ts::grad<1, 2>(chosen);
  auto const first = [](auto v, auto u) { return ts::sum(v * u * u); };
  auto const second = [](auto v, auto u) { return ts::sum(ts::sin(v) * v + 0 * u); };
  auto const third = [](auto v, auto u) { return ts::sum(ts::exp(v + u)); };
  auto const same = [&](auto const& got, auto const& want) {
    near(std::get<0>(got), std::get<0>(want));
    near(std::get<1>(got), std::get<1>(want));
  };
  same(slopes(0, x, w), ts::grad<0, 1>(first)(x, w));
  same(slopes(1, x, w), ts::grad<0, 1>(second)(x, w));
  same(slopes(2, x, w), ts::grad<0, 1>(third)(x, w));
}

#ifndef TESSERA_BY_DAY
// The backward pass computes the checkpointed part again instead of keeping what it gave.
constexpr auto layers = [](auto const& v, auto const& w) {
  auto const layer = [&](auto const& u) { return ts::tanh(ts::matmul(u, w)); };
  return layer(layer(layer(layer(v))));
};
constexpr auto deep = [](auto x, auto w) {
  auto const block = [&](auto v) { return layers(v, w); };
  return ts::sum(block(block(block(x))));
};
constexpr auto deep_again = [](auto x, auto w) {
  auto const block = ts::checkpoint([&](auto v) { return layers(v, w); });
  return ts::sum(block(block(block(x))));
};
TEST(control_grad, checkpoint) {
  auto const x = put<ts::P<dp>, 64, 16>(0.5);
  auto const w = put<ts::P<>, 16, 16>(0.3);
  auto const [gx, gw] = ts::grad<0, 1>(deep_again)(x, w);
  auto const [hx, hw] = ts::grad<0, 1>(deep)(x, w);
  near(gx, hx);
  near(gw, hw);
  using by_keeping = decltype(ts::grad<0, 1>(deep));
  using again = decltype(ts::grad<0, 1>(deep_again));
  static_assert(ts::comm_of<again, decltype(x), decltype(w)>.peak_bytes() <
                ts::comm_of<by_keeping, decltype(x), decltype(w)>.peak_bytes());
}

// The policies: checkpoint_policies_test.cpp.
TEST(control_grad, checkpoint_name) {
  auto const x = put<ts::P<dp>, 64, 16>(0.5);
  near(ts::grad([](auto x) { return ts::sum(ts::sin(ts::checkpoint_name<"x">(x))); })(x), ts::cos(x));
}

// Inside shard_map: pvary of what is carried, psum in each turn.
constexpr auto on_devices = [](auto x, auto w) {
  auto const y = ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block, auto part) {
    return std::get<0>(ts::scan(
        [&](auto c, auto row) {
          return std::tuple{ts::sin(c + ts::psum<mp>(part * row)), std::tuple{}};
        },
        ts::psum<mp>(block * part), ts::broadcast_to<3, 2, 1>(ts::expand_dims<0>(block))));
  })(x, w);
  return ts::sum(y * y);
};
constexpr auto by_types = [](auto x, auto w) {
  auto const joined = [](auto const& v) { return ts::sum<1>(v, ts::keepdims); };
  auto const c = joined(x * w);
  return ts::sum(ts::sin(ts::sin(ts::sin(c + c) + c) + c) * ts::sin(ts::sin(ts::sin(c + c) + c) + c));
};
TEST(control_grad, inside_shard_map) {
  auto const x = put<ts::P<dp, mp>, 8, 2>(0.5);
  auto const w = put<ts::P<dp, mp>, 8, 2>(0.4);
  auto const [gx, gw] = ts::grad<0, 1>(on_devices)(x, w);
  auto const [hx, hw] = ts::grad<0, 1>(by_types)(x, w);
  near(gx, hx);
  near(gw, hw);
}

// What map, cond and associative_scan become without them.
constexpr auto by_rows = [](auto x) {
  return ts::sum(ts::map([](auto row) { return ts::sum(ts::sin(row) * row); }, x));
};
constexpr auto at_once = [](auto x) { return ts::sum(ts::sin(x) * x); };
constexpr auto either = [](auto x) {
  auto const picked = ts::cond(
      ts::sum(x) > 0.0, [](auto v) { return ts::sin(v) * v; }, [](auto v) { return ts::exp(v); }, x);
  return ts::sum(picked);
};
constexpr auto the_first = [](auto x) { return ts::sum(ts::where(ts::sum(x) > 0.0, ts::sin(x) * x, ts::exp(x))); };
constexpr auto joined = [](auto x) {
  return ts::sum(ts::sin(ts::associative_scan([](auto a, auto b) { return a + b; }, x)));
};
constexpr auto summed = [](auto x) { return ts::sum(ts::sin(ts::cumsum<0>(x))); };
constexpr auto again = [](auto x) { return ts::sum(ts::remat([](auto v) { return ts::sin(v) * v; })(x)); };
TEST(control_grad, of_whole_arrays) {
  auto const x = put<ts::P<ts::none, dp>, 6, 8>(0.5);
  near(ts::grad(by_rows)(x), ts::grad(at_once)(x));
  near(ts::grad(again)(x), ts::grad(at_once)(x));
  near(ts::grad(joined)(x), ts::grad(summed)(x));
  for (double scale : {0.5, -0.5}) {
    auto const y = put<ts::P<ts::none, dp>, 6, 8>(scale);
    near(ts::grad(either)(y), ts::grad(the_first)(y));
  }
}

// As in JAX.
template <class Error>
constexpr bool has_no_gradient = false;
template <class... Facts>
constexpr bool has_no_gradient<ts::error::not_differentiable<Facts...>> = true;
struct through_while_loop {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto v) {
      return ts::sum(ts::while_loop([](auto q) { return ts::max(q) < 9.0; }, [](auto q) { return q * 2.0; }, v));
    })(x);
  }
};
static_assert(has_no_gradient<ts::why<through_while_loop, decltype(put<ts::P<dp>, 8>(0.5))>>);

// A training loop as one program: gradients inside a scan's body.
constexpr auto trained = [](auto w, auto x, auto y) {
  auto const loss = [](auto p, auto a, auto b) {
    auto const d = ts::matmul(a, p) - b;
    return ts::mean(d * d);
  };
  auto const [last, losses] = ts::scan<20>(
      [&](auto p) {
        auto const [value, slope] = ts::value_and_grad(loss)(p, x, y);
        return std::tuple{p - 0.3 * slope, value};
      },
      w);
  return std::tuple{last, losses};
};
TEST(control_grad, in_a_loop) {
  auto const x = put<ts::P<dp>, 16, 3>(0.9);
  auto const w = put<ts::P<>, 3, 1>(0.1);
  auto const y = ts::jit([](auto v) { return ts::sum<1>(v, ts::keepdims); })(x);
  auto const [last, losses] = ts::jit(trained)(w, x, y);
  auto const l = losses.to_host();
  ASSERT_EQ(l.size(), 20u);
  for (std::size_t i = 1; i < 20; ++i) EXPECT_LT(l[i], l[i - 1]);
  auto p = std::vector<double>(w.to_host());
  auto const a = std::vector<double>(x.to_host());
  for (int step = 0; step < 20; ++step) {
    std::vector<double> slope(3);
    for (std::size_t i = 0; i < 16; ++i) {
      double d = 0;
      for (std::size_t k = 0; k < 3; ++k) d += a[i * 3 + k] * (p[k] - 1);
      for (std::size_t k = 0; k < 3; ++k) slope[k] += 2 * d * a[i * 3 + k] / 16;
    }
    for (std::size_t k = 0; k < 3; ++k) p[k] -= 0.3 * slope[k];
  }
  auto const got = last.to_host();
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(got[k], p[k], 1e-12);
}
#endif

}  // namespace
