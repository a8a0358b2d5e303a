// SPDX-License-Identifier: Apache-2.0
// custom_jvp: tangents are the user's, and gradients their transpose, wherever the function is called. Most rules here are
// not the true derivative, which shows that they are used.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;

// sin, whose tangent is 3 x dx.
constexpr auto tripled = ts::custom_jvp([](auto x) { return ts::sin(x); },
                                        [](auto primals, auto tangents) {
                                          auto const [x] = primals;
                                          auto const [dx] = tangents;
                                          return std::tuple{ts::sin(x), x * 3.0 * dx};
                                        });
// The largest root of y^2 = x, and of y: the rule calls the function itself.
struct root_value {
  constexpr auto operator()(auto x) const {
    return ts::fori_loop(
        0, 30, [&](auto, auto y) { return 0.5 * (y + x / y); }, x);
  }
};
struct root_rule {
  constexpr auto operator()(auto primals, auto tangents) const {
    auto const [x] = primals;
    auto const [dx] = tangents;
    auto const y = ts::custom_jvp(root_value{}, root_rule{})(x);
    return std::tuple{y, dx / (2.0 * y)};
  }
};
constexpr auto rooted = ts::custom_jvp(root_value{}, root_rule{});
// The tangent is a loop, of values that depend on the tangent and others.
constexpr auto powered = ts::custom_jvp([](auto x, auto w) { return x * x * w; },
                                        [](auto primals, auto tangents) {
                                          auto const [x, w] = primals;
                                          auto const [dx, dw] = tangents;
                                          auto const [at, moved] = ts::fori_loop(
                                              0, 2,
                                              [x = x, dx = dx](auto, auto carry) {
                                                auto const [v, dv] = carry;
                                                return std::tuple{v * x, v * dx + dv * x};
                                              },
                                              std::tuple{w, dw});
                                          return std::tuple{at, moved};
                                        });

struct inputs {
  decltype(put<ts::P<dp, mp>, 4, 6>(1.0)) x = put<ts::P<dp, mp>, 4, 6>(1.3), w = put<ts::P<dp, mp>, 4, 6>(0.7);
};

TEST(custom_jvp, value_is_that_of_the_function) {
  inputs const in;
  near(ts::jit(tripled)(in.x), ts::sin(in.x));
  near(tripled(in.x), ts::sin(in.x));
}

TEST(custom_jvp, forward_and_backward) {
  inputs const in;
  auto const f = [](auto x) { return tripled(x * x) * 2.0; };
  auto const slope = ts::jit([](auto x) { return x * x * 3.0 * 2.0 * 2.0 * x; })(in.x);
  auto const [y, dy] = ts::jvp(f, in.x, in.w);
  near(y, ts::sin(in.x * in.x) * 2.0);
  near(dy, slope * in.w);
  near(ts::grad([](auto x) { return ts::sum(tripled(x * x) * 2.0); })(in.x), slope);
  auto const [value, map] = ts::linearize(f, in.x);
  near(map(in.w), slope * in.w);
}

TEST(custom_jvp, rule_calls_the_function) {
  auto const x = put<ts::P<dp, mp>, 4, 6>(counted(24, 0.5));
  auto const y = ts::jit([](auto x) { return x + 1.0; })(x);
  near(ts::grad([](auto x) { return ts::sum(rooted(x)); })(y), ts::jit([](auto x) { return 0.5 / ts::sqrt(x); })(y));
  near(ts::grad([](auto x) { return ts::sum(ts::grad([](auto v) { return ts::sum(rooted(v)); })(x)); })(y),
       ts::jit([](auto x) { return -0.25 / (x * ts::sqrt(x)); })(y));
  near(std::get<1>(ts::jvp(ts::grad([](auto x) { return ts::sum(rooted(x)); }), y, x)),
       ts::jit([](auto x, auto v) { return -0.25 / (x * ts::sqrt(x)) * v; })(y, x));
}

TEST(custom_jvp, loops_in_the_rule) {
  inputs const in;
  auto const [dx, dw] = ts::grad<0, 1>([](auto x, auto w) { return ts::sum(powered(x, w) * w); })(in.x, in.w);
  auto const [wx, ww] = ts::grad<0, 1>([](auto x, auto w) { return ts::sum(x * x * w * w); })(in.x, in.w);
  near(dx, wx);
  near(dw, ww);
  near(std::get<1>(ts::jvp(powered, std::tuple{in.x, in.w}, std::tuple{in.w, in.x})),
       std::get<1>(ts::jvp([](auto x, auto w) { return x * x * w; }, std::tuple{in.x, in.w}, std::tuple{in.w, in.x})));
}

TEST(custom_jvp, in_loops_and_branches) {
  inputs const in;
  auto const loss = [](auto x, auto w) {
    return ts::sum(ts::fori_loop(
        0, 3, [&](auto i, auto v) { return tripled(v) * w + i; }, x));
  };
  auto const by_rule = [](auto x, auto w) {
    auto const step = [](auto v) { return ts::stop_gradient(ts::sin(v) - 1.5 * v * v) + 1.5 * v * v; };
    return ts::sum(ts::fori_loop(
        0, 3, [&](auto i, auto v) { return step(v) * w + i; }, x));
  };
  near(ts::grad(loss)(in.x, in.w), ts::grad(by_rule)(in.x, in.w));
  near(std::get<1>(ts::jvp(loss, std::tuple{in.x, in.w}, std::tuple{in.w, in.w})),
       std::get<1>(ts::jvp(by_rule, std::tuple{in.x, in.w}, std::tuple{in.w, in.w})));
  auto const grown = [](auto x) {
    return ts::while_loop([](auto v) { return ts::sum(v) < 100.0; }, [](auto v) { return rooted(v * v) * 1.5; }, x);
  };
  auto const y = ts::jit([](auto x) { return x * x + 1.0; })(in.x);
  near(std::get<1>(ts::jvp(grown, y, in.w)), std::get<1>(ts::jvp(
                                                 [](auto x) {
                                                   return ts::while_loop([](auto v) { return ts::sum(v) < 100.0; },
                                                                         [](auto v) { return v * 1.5; }, x);
                                                 },
                                                 y, in.w)));
  auto const chosen = [](auto x) {
    return ts::sum(ts::cond(
        ts::sum(x) > 0.0, [](auto v) { return tripled(v); }, [](auto v) { return v; }, x));
  };
  near(ts::grad(chosen)(in.x), in.x * 3.0);
  near(ts::grad([](auto x) { return ts::sum(ts::checkpoint([](auto v) { return tripled(v) * v; })(x)); })(in.x),
       in.x * 3.0 * in.x + ts::sin(in.x));
}

#ifndef TESSERA_BY_DAY
TEST(custom_jvp, in_vmap) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3);
  auto const w = put<ts::P<>, 6>(0.7);
  auto const f = [](auto x, auto w) {
    return ts::sum(
        ts::vmap<ts::in_axes<0, ts::unmapped>>([](auto row, auto w) { return powered(row, w) + tripled(w); })(x, w) *
        x);
  };
  auto const by_rule = [](auto x, auto w) {
    auto const step = [](auto v) { return ts::stop_gradient(ts::sin(v) - 1.5 * v * v) + 1.5 * v * v; };
    return ts::sum(
        ts::vmap<ts::in_axes<0, ts::unmapped>>([=](auto row, auto w) { return row * row * w + step(w); })(x, w) * x);
  };
  auto const [gx, gw] = ts::grad<0, 1>(f)(x, w);
  auto const [wx, ww] = ts::grad<0, 1>(by_rule)(x, w);
  near(gx, wx);
  near(gw, ww);
  near(std::get<1>(ts::jvp(f, std::tuple{x, w}, std::tuple{x, w})),
       std::get<1>(ts::jvp(by_rule, std::tuple{x, w}, std::tuple{x, w})));
  near(ts::vmap([](auto row) { return std::get<1>(ts::jvp(tripled, row, row)); })(x), x * 3.0 * x);
}

struct slices : ts::axis {};

TEST(custom_jvp, in_vmap_with_a_name) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3);
  auto const mapped = [](auto x) {
    return ts::sum(ts::vmap<ts::axis_names<slices>>([](auto row) { return tripled(row * ts::psum<slices>(row)); })(x));
  };
  auto const by_hand = [](auto x) {
    auto const product = x * ts::sum<0>(x);
    return ts::sum(1.5 * product * product);
  };
  near(ts::grad(mapped)(x), ts::grad(by_hand)(x));
  near(std::get<1>(ts::jvp(mapped, x, x)), std::get<1>(ts::jvp(by_hand, x, x)));
}

TEST(custom_jvp, of_sizes_known_when_it_runs) {
  auto const values = wave(24, 1.3);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<ts::dynamic, 6>(values), ts::make_mesh<grid>(ts::devices()));
  auto const got = ts::grad([](auto x) { return ts::sum(tripled(x)); })(x).to_host();
  auto const moved = std::get<1>(ts::jvp(tripled, x, x)).to_host();
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_NEAR(got[i], values[i] * 3.0, 1e-12);
    EXPECT_NEAR(moved[i], values[i] * values[i] * 3.0, 1e-12);
  }
}

TEST(custom_jvp, in_shard_map) {
  inputs const in;
  auto const loss = [](auto x, auto w) {
    return ts::sum(ts::shard_map<ts::out_specs<ts::P<dp, mp>>>([](auto x, auto w) { return tripled(x) * w; })(x, w));
  };
  near(ts::grad(loss)(in.x, in.w), in.w * in.x * 3.0);
  near(std::get<1>(ts::jvp(loss, std::tuple{in.x, in.w}, std::tuple{in.x, ts::float0{}})),
       ts::sum(in.w * in.x * 3.0 * in.x));
}

TEST(custom_jvp, zero_tangents) {
  inputs const in;
  static constexpr auto first = ts::custom_jvp(
      [](auto x, auto w) {
        return std::tuple{x * w, ts::sum(x)};
      },
      [](auto primals, auto tangents) {
        auto const [x, w] = primals;
        return std::tuple{std::tuple{x * w, ts::sum(x)}, std::tuple{std::get<0>(tangents) * w, ts::float0{}}};
      });
  auto const [dx, dw] = ts::grad<0, 1>([](auto x, auto w) {
    auto const [product, sum] = first(x, w);
    return ts::sum(product) * sum;
  })(in.x, in.w);
  near(dx, ts::jit([](auto x, auto w) { return w * ts::sum(x); })(in.x, in.w));
  expect(dw, std::vector<double>(24, 0.0));
}
#endif

// A rule costs nothing: what it shares with the result is computed once, and what is not read is dropped.
struct plain {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto v) { return ts::sum(ts::exp(v) * v); })(x);
  }
};
constexpr auto ruled_exp = ts::custom_jvp([](auto u) { return ts::exp(u); },
                                          [](auto p, auto t) {
                                            auto const y = ts::exp(std::get<0>(p));
                                            return std::tuple{y, y * std::get<0>(t)};
                                          });
struct ruled {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto v) { return ts::sum(ruled_exp(v) * v); })(x);
  }
};
using x_type = ts::array_type<double, ts::shape<4, 6>, ts::P<dp, mp>, grid>;
static_assert(ts::comm_of<ruled, x_type>.bytes() == 0 && ts::comm_of<plain, x_type>.bytes() == 0);
static_assert(ts::work_of<ruled, x_type>.flops() == ts::work_of<plain, x_type>.flops());

}  // namespace
