// SPDX-License-Identifier: Apache-2.0
// nightly
// A constant (iota, zeros, what is computed of them) is as good an argument as an array: each function of functions gives the
// same for arrays, for constants in traced code, and for each mixture of both.

#include <tessera/tessera.hpp>

#include "support/numbers_of.hpp"

#include <gtest/gtest.h>

namespace {

namespace ts = tessera;
using support::numbers_of;

constexpr auto counted = [] { return ts::iota<float, 0, 4>() * 0.5f - 0.25f; };
constexpr auto scalar = [] { return ts::sum(ts::iota<float, 0, 4>()) * 0.125f; };
constexpr auto grid = [] { return ts::reshape<4, 3>(ts::iota<float, 0, 12>()) * 0.0625f; };

// f of a, b: both arrays; then one or both constants, in jit and outside of it.
template <class F, class A, class B>
void expect_same_of_two(F const&, A, B) {
  auto const a = ts::asarray(A{}());
  auto const b = ts::asarray(B{}());
  auto const wanted = numbers_of(ts::jit([](auto x, auto y) { return F{}(x, y); })(a, b));
  EXPECT_FALSE(wanted.empty());
  EXPECT_EQ(numbers_of(ts::jit([](auto x) { return F{}(x, B{}()); })(a)), wanted) << "the second a constant";
  EXPECT_EQ(numbers_of(ts::jit([](auto y) { return F{}(A{}(), y); })(b)), wanted) << "the first a constant";
  EXPECT_EQ(numbers_of(ts::jit([] { return F{}(A{}(), B{}()); })()), wanted) << "both constants";
  EXPECT_EQ(numbers_of(F{}(a, B{}())), wanted) << "the second a constant, not in jit";
  EXPECT_EQ(numbers_of(F{}(A{}(), b)), wanted) << "the first a constant, not in jit";
  EXPECT_EQ(numbers_of(F{}(a, b)), wanted) << "arrays, not in jit";
}

TEST(constants_as_arguments, of_vmap) {
  expect_same_of_two([](auto x, auto y) { return ts::vmap([](auto a, auto b) { return a * 2 + b; })(x, y); }, counted,
                     counted);
  expect_same_of_two([](auto x, auto y) { return ts::vmap([](auto a, auto b) { return a * ts::sum(b); })(x, y); },
                     counted, grid);
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::vmap<ts::in_axes<ts::unmapped, 1>>([](auto a, auto b) { return ts::dot(a, b); })(x, y);
      },
      counted, grid);
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::vmap([](auto both) { return std::get<0>(both) - std::get<1>(both); })(std::tuple{x, y});
      },
      counted, counted);
}

TEST(constants_as_arguments, of_gradients) {
  constexpr auto loss = [](auto a, auto b) { return ts::sum(a * a * b); };
  using loss_type = decltype(loss);
  expect_same_of_two([](auto x, auto y) { return ts::grad(loss_type{})(x, y); }, counted, counted);
  expect_same_of_two([](auto x, auto y) { return ts::grad<1>(loss_type{})(x, y); }, counted, counted);
  expect_same_of_two([](auto x, auto y) { return ts::value_and_grad<0, 1>(loss_type{})(x, y); }, counted, counted);
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::grad([](auto both) { return loss_type{}(std::get<0>(both), std::get<1>(both)); })(std::tuple{x, y});
      },
      counted, counted);
}

TEST(constants_as_arguments, of_gradients_by_a_number) {
  auto const x = ts::asarray(2.0f);
  auto const by_number = ts::jit([](auto y) { return ts::grad([](auto a, auto b) { return a * a * b; })(3.0f, y); })(x);
  EXPECT_EQ(by_number.to_host(), std::vector<float>{12});
}

TEST(constants_as_arguments, of_tangents) {
  constexpr auto product = [](auto a, auto b) { return a * ts::sin(b); };
  using product_type = decltype(product);
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::jvp(product_type{}, std::tuple{x, y}, std::tuple{y, x});
      },
      counted, counted);
  expect_same_of_two([](auto x, auto y) { return ts::jvp([](auto a) { return a * a; }, std::tuple{x}, std::tuple{y}); },
                     counted, counted);
}

TEST(constants_as_arguments, of_loops) {
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::scan([](auto c, auto v) { return std::tuple{c * 0.5f + v, c - v}; }, x, y);
      },
      scalar, counted);
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::scan(
            [](auto c, auto v) {
              return std::tuple{c + std::get<0>(v) * std::get<1>(v), std::get<0>(v)};
            },
            scalar(), std::tuple{x, y});
      },
      counted, counted);
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::fori_loop(
            0, 3,
            [](auto i, auto c) {
              return std::tuple{std::get<0>(c) * 0.5f + std::get<1>(c) * i, std::get<1>(c)};
            },
            std::tuple{x, y});
      },
      counted, counted);
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::while_loop([](auto c) { return std::get<0>(c) < 5; },
                              [](auto c) {
                                return std::tuple{std::get<0>(c) + 1, std::get<1>(c) * 0.5f};
                              },
                              std::tuple{x, y});
      },
      scalar, counted);
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::associative_scan(
            [](auto a, auto b) {
              return std::tuple{std::get<0>(a) * std::get<0>(b), std::get<1>(a) * std::get<0>(b) + std::get<1>(b)};
            },
            std::tuple{x, y});
      },
      counted, counted);
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::map([](auto both) { return std::get<0>(both) - std::get<1>(both); }, std::tuple{x, y});
      },
      counted, counted);
}

TEST(constants_as_arguments, of_branches) {
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::cond(
            ts::sum(x) > 0, [](auto a, auto b) { return a - b; }, [](auto a, auto b) { return a * b; }, x, y * 2);
      },
      counted, counted);
  expect_same_of_two(
      [](auto x, auto y) {
        return ts::switch_(ts::astype<int>(x), std::tuple{[](auto a) { return a - 1; }, [](auto a) { return a * 3; }},
                           y);
      },
      scalar, counted);
  expect_same_of_two([](auto x, auto y) { return ts::checkpoint([](auto a, auto b) { return a * ts::exp(b); })(x, y); },
                     counted, counted);
}

TEST(constants_as_arguments, of_maps_that_are_called_later) {
  constexpr auto f = [](auto x, auto y) { return x * ts::sin(y) + y; };
  using f_type = decltype(f);
  expect_same_of_two(
      [](auto x, auto y) {
        auto const [value, pullback] = ts::vjp(f_type{}, x, y);
        return std::tuple{value, pullback(ts::cos(y)), pullback(counted())};
      },
      counted, counted);
  expect_same_of_two(
      [](auto x, auto y) {
        auto const [value, push] = ts::linearize(f_type{}, x, y);
        return std::tuple{value, push(y, x), push(counted(), x)};
      },
      counted, counted);
  expect_same_of_two([](auto x, auto y) { return ts::linear_transpose([](auto p) { return p * 2.0f; }, x)(y); },
                     counted, counted);
  expect_same_of_two(
      [](auto x, auto y) {
        auto const [value, pullback, aux] = ts::vjp(
            [](auto p, auto q) {
              return std::tuple{p * q, p + q};
            },
            ts::has_aux, x, y);
        return std::tuple{value, aux, pullback(x)};
      },
      counted, counted);
}
TEST(constants_as_arguments, of_jacobians) {
  constexpr auto f = [](auto x, auto y) { return x * ts::sin(y) + y; };
  using f_type = decltype(f);
  expect_same_of_two([](auto x, auto y) { return ts::jacfwd<0, 1>(f_type{})(x, y); }, counted, counted);
  expect_same_of_two([](auto x, auto y) { return ts::jacrev<0, 1>(f_type{})(x, y); }, counted, counted);
  expect_same_of_two(
      [](auto x, auto y) { return ts::hessian<1>([](auto p, auto q) { return ts::sum(f_type{}(p, q)); })(x, y); },
      counted, counted);
}
// A map of constants meets what it is given later, and what the function reads.
TEST(constants_as_arguments, of_maps_of_constants_in_a_program) {
  auto const a = ts::asarray(counted());
  auto const [value, pullback] = ts::vjp([](auto p) { return p * p; }, counted());
  EXPECT_EQ(ts::asarray(value).to_host(), (a * a).to_host());
  EXPECT_EQ(std::get<0>(pullback(a)).to_host(), (a * a * 2).to_host());
  EXPECT_EQ(ts::asarray(std::get<0>(pullback(counted()))).to_host(), (a * a * 2).to_host());
  auto const in_jit = ts::jit([](auto w) {
    auto const [y, pull] = ts::vjp([&](auto p) { return p * w; }, counted());
    return std::tuple{y, std::get<0>(pull(w))};
  })(a);
  // The function is recorded once: it may use a key.
  auto const [drawn, slope_of_drawn] = ts::jit([](auto key) {
    auto const [y, pull] =
        ts::vjp([&](auto p) { return p * ts::random::uniform<float, 4>(key); }, ts::ones<float, 4>());
    return std::tuple{y, std::get<0>(pull(ts::ones<float, 4>()))};
  })(ts::random::key(1));
  EXPECT_EQ(drawn.to_host(), slope_of_drawn.to_host());
  EXPECT_EQ(std::get<0>(in_jit).to_host(), (a * a).to_host());
  EXPECT_EQ(std::get<1>(in_jit).to_host(), (a * a).to_host());
  auto const slope = std::get<1>(ts::vjp([](auto p) { return p * p; }, 3.0f))(1.0f);
  EXPECT_EQ(ts::asarray(std::get<0>(slope)).to_host(), std::vector<float>{6});
}

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;
using automatic = ts::mesh<ts::auto_axis<dp, 4>>;

TEST(constants_as_arguments, of_regions) {
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const a = ts::device_put<ts::P<dp>>(counted(), mesh);
  auto const b = ts::device_put<ts::P<>>(counted(), mesh);
  constexpr auto f = [](auto x, auto y) {
    return ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<>>, ts::out_specs<ts::P<dp>>>(
        [](auto block, auto whole) { return block * ts::sum(whole) + ts::psum<dp>(ts::sum(block)); })(x, y);
  };
  using f_type = decltype(f);
  auto const wanted = numbers_of(ts::jit(f)(a, b));
  EXPECT_EQ(numbers_of(ts::jit([](auto x) { return f_type{}(x, counted()); })(a)), wanted);
  EXPECT_EQ(numbers_of(ts::jit([](auto y) { return f_type{}(counted(), y); })(b)), wanted);
  EXPECT_EQ(numbers_of(f(a, counted())), wanted);
  EXPECT_EQ(numbers_of(f(counted(), b)), wanted);
}

TEST(constants_as_arguments, of_other_axis_kinds) {
  auto const mesh = ts::make_mesh<automatic>(ts::devices());
  auto const a = ts::device_put<ts::P<dp>>(counted(), mesh);
  constexpr auto f = [](auto x, auto y) {
    return ts::explicit_axes<ts::in_shardings<ts::P<dp>, ts::P<dp>>>([](auto p, auto q) { return p * 2 + q; })(x, y);
  };
  using f_type = decltype(f);
  auto const wanted = numbers_of(ts::jit(f)(a, a));
  EXPECT_EQ(numbers_of(ts::jit([](auto x) { return f_type{}(x, counted()); })(a)), wanted);
  EXPECT_EQ(numbers_of(ts::jit([](auto x) { return f_type{}(counted(), x); })(a)), wanted);
}

TEST(constants_as_arguments, of_custom_rules) {
  expect_same_of_two(
      [](auto x, auto y) {
        auto const ruled = ts::custom_vjp([](auto a, auto b) { return ts::sum(a * b); },
                                          [](auto a, auto b) {
                                            return std::tuple{ts::sum(a * b), std::tuple{a, b}};
                                          },
                                          [](auto kept, auto g) {
                                            return std::tuple{g * std::get<1>(kept) * 3, g * std::get<0>(kept)};
                                          });
        return ts::grad<0, 1>(ruled)(x, y);
      },
      counted, counted);
}

}  // namespace
