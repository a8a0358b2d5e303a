// SPDX-License-Identifier: Apache-2.0
// vjp: its pullback against grad, wherever it is called.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;

constexpr auto of_two = [](auto a, auto b) {
  auto const turned = ts::fori_loop(
      0, 3, [&](auto i, auto v) { return ts::sin(v) * b + v * i; }, a);
  return std::tuple{turned, ts::sum(turned * b)};
};
// The loss whose gradient the pullback of (c, 0.5) is.
constexpr auto loss = [](auto a, auto b, auto c) {
  auto const [turned, sum] = of_two(a, b);
  return ts::sum(turned * c) + 0.5 * sum;
};
struct case_of_two {
  decltype(put<ts::P<dp, mp>, 4, 6>(1.0)) a = put<ts::P<dp, mp>, 4, 6>(1.3), b = put<ts::P<dp, mp>, 4, 6>(0.7),
                                          c = put<ts::P<dp, mp>, 4, 6>(0.2);
};

TEST(vjp, pulls_cotangents_back) {
  case_of_two const x;
  auto const [by_a, by_b] = ts::grad<0, 1>(loss)(x.a, x.b, x.c);
  auto const [value, a, b] = ts::jit([](auto p, auto q, auto r) {
    auto const [y, pullback] = ts::vjp(of_two, p, q);
    auto const [pa, qa] = pullback(std::tuple{r, 0.5});
    return std::tuple{y, pa, qa};
  })(x.a, x.b, x.c);
  near(a, by_a);
  near(b, by_b);
  near(std::get<0>(value), std::get<0>(ts::jit(of_two)(x.a, x.b)));
}

TEST(vjp, pulls_several_back) {
  case_of_two const x;
  auto const [first, second] = ts::jit([](auto p, auto q, auto r) {
    auto const pullback = std::get<1>(ts::vjp(of_two, p, q));
    return std::tuple{std::get<0>(pullback(std::tuple{r, 0.5})), std::get<0>(pullback(std::tuple{r * 2.0, 1.0}))};
  })(x.a, x.b, x.c);
  near(second, first * 2.0);
  near(first, ts::grad(loss)(x.a, x.b, x.c));
}

TEST(vjp, of_arrays) {
  case_of_two const x;
  auto const [y, pullback] = ts::vjp(of_two, x.a, x.b);
  near(std::get<1>(y), std::get<1>(ts::jit(of_two)(x.a, x.b)));
  auto const [a, b] = pullback(std::tuple{x.c, 0.5});
  near(a, ts::grad(loss)(x.a, x.b, x.c));
  near(b, ts::grad<1>(loss)(x.a, x.b, x.c));
}

TEST(vjp, float0_is_zero) {
  case_of_two const x;
  auto const [a, zero] = ts::jit([](auto p, auto q, auto r) {
    auto const pullback = std::get<1>(ts::vjp(of_two, p, q));
    return std::tuple{std::get<0>(pullback(std::tuple{r, ts::float0{}})),
                      std::get<1>(pullback(std::tuple{ts::float0{}, ts::float0{}}))};
  })(x.a, x.b, x.c);
  near(a, ts::grad([](auto p, auto q, auto r) { return ts::sum(std::get<0>(of_two(p, q)) * r); })(x.a, x.b, x.c));
  expect(zero, std::vector<double>(24, 0.0));
}

// The pullback of a loop, called where its values are outside: in another loop, a branch, a mapped function.
TEST(vjp, pulls_back_inside_a_loop) {
  case_of_two const x;
  auto const got = ts::jit([](auto p, auto q, auto r) {
    auto const pullback = std::get<1>(ts::vjp(of_two, p, q));
    return ts::fori_loop(
        0, 3,
        [&](auto i, auto sum) {
          return sum + std::get<0>(pullback(std::tuple{r * (i + 1), 0.5 * (i + 1)}));
        },
        ts::zeros_like(p));
  })(x.a, x.b, x.c);
  near(got, ts::grad(loss)(x.a, x.b, x.c) * 6.0);
}
TEST(vjp, pulls_back_inside_a_branch) {
  case_of_two const x;
  auto const got = ts::jit([](auto p, auto q, auto r) {
    auto const pullback = std::get<1>(ts::vjp(of_two, p, q));
    return ts::cond(
        ts::sum(r) > 1000.0, [](auto c) { return c; },
        [&](auto c) {
          return std::get<0>(pullback(std::tuple{c, 0.5}));
        },
        r);
  })(x.a, x.b, x.c);
  near(got, ts::grad(loss)(x.a, x.b, x.c));
}
TEST(vjp, pulls_back_each_slice) {
  case_of_two const x;
  auto const all = ts::jit([](auto p, auto q, auto r) {
    auto const pullback = std::get<1>(ts::vjp(of_two, p, q));
    return ts::vmap([&](auto scale) {
      return std::get<0>(pullback(std::tuple{r * scale, 0.5 * scale}));
    })(ts::arange<double, 3>() + 1.0);
  })(x.a, x.b, x.c);
  auto const one = ts::grad(loss)(x.a, x.b, x.c);
  near(all.at(0).get(), one);
  near(all.at(2).get(), one * 3.0);
}
// A forward pass does not change what it goes over, either.
TEST(vjp, linear_map_inside_a_mapped_function) {
  case_of_two const x;
  auto const all = ts::jit([](auto p, auto q) {
    auto const g = std::get<1>(ts::linearize(of_two, p, q));
    return ts::vmap([&](auto scale) { return std::get<0>(g(p * scale, q * scale)); })(ts::arange<double, 3>());
  })(x.a, x.b);
  auto const tangent = std::get<1>(ts::jvp(of_two, std::tuple{x.a, x.b}, std::tuple{x.a, x.b}));
  near(all.at(2).get(), std::get<0>(tangent) * 2.0);
}

TEST(vjp, of_partial_sums_and_blocks) {
  auto const x = put<ts::P<dp, mp>, 8, 6>(1.3);
  auto const c = put<ts::P<dp>, 8>(0.2);
  auto const got = ts::jit([](auto p, auto r) {
    return std::get<0>(std::get<1>(ts::vjp(ts::shard_map<ts::in_specs<ts::P<dp, mp>>, ts::out_specs<ts::P<dp>>>(
                                               [](auto block) { return ts::psum<mp>(ts::sum<1>(ts::sin(block))); }),
                                           p))(r));
  })(x, c);
  near(got, ts::jit([](auto p, auto r) {
         return ts::cos(p) * ts::reshard<ts::P<dp, mp>>(ts::broadcast_to<8, 6>(ts::reshape<8, 1>(r)));
       })(x, c));
}

// f returns its aux beside what is differentiated.
constexpr auto with_aux = [](auto a, auto b) { return std::tuple{ts::sin(a) * b, std::tuple{ts::sum(a), 3}}; };
constexpr auto without = [](auto a, auto b) { return std::get<0>(with_aux(a, b)); };

TEST(vjp, has_aux) {
  case_of_two const x;
  auto const [y, pullback, aux] = ts::vjp(with_aux, ts::has_aux, x.a, x.b);
  near(y, ts::jit(without)(x.a, x.b));
  near(std::get<0>(aux), ts::sum(x.a));
  auto const want = std::get<1>(ts::vjp(without, x.a, x.b))(x.c);
  near(std::get<0>(pullback(x.c)), std::get<0>(want));
  auto const [sum, by_b] = ts::jit([](auto p, auto q, auto r) {
    auto const [y, pullback, aux] = ts::vjp(with_aux, ts::has_aux, p, q);
    return std::tuple{std::get<0>(aux), std::get<1>(pullback(r))};
  })(x.a, x.b, x.c);
  near(sum, ts::sum(x.a));
  near(by_b, std::get<1>(want));
}

TEST(linearize, has_aux) {
  case_of_two const x;
  auto const [y, map, aux] = ts::linearize(with_aux, ts::has_aux, x.a, x.b);
  auto const want = std::get<1>(ts::jvp(without, std::tuple{x.a, x.b}, std::tuple{x.b, x.c}));
  near(map(x.b, x.c), want);
  near(std::get<0>(aux), ts::sum(x.a));
  near(ts::jit([](auto p, auto q, auto r) {
         auto const map = std::get<1>(ts::linearize(with_aux, ts::has_aux, p, q));
         return map(q, r);
       })(x.a, x.b, x.c),
       want);
}

}  // namespace
