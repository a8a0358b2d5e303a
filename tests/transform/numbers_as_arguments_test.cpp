// SPDX-License-Identifier: Apache-2.0
// nightly
// A number (2.5f, 3) is as good an argument as an array of no dimensions: each function of functions gives the same for
// arrays, for numbers, and for each mixture of both, in jit and outside of it.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace {

namespace ts = tessera;

// The elements of all leaves, numbers too.
template <class Tree>
std::vector<double> elements(Tree const& tree) {
  std::vector<double> all;
  ts::tree_each(
      [&](auto const& leaf) {
        for (auto const e : ts::asarray(leaf).to_host()) all.push_back(static_cast<double>(e));
      },
      tree);
  return all;
}

constexpr auto curve = [](auto x, auto y) { return x * x * ts::sin(y) + y; };
using curve_type = decltype(curve);

template <class F, class X, class Y>
void expect_same(F const& f, X x, Y y) {
  auto const a = ts::asarray(x);
  auto const b = ts::asarray(y);
  auto const wanted = elements(ts::jit(f)(a, b));
  EXPECT_FALSE(wanted.empty());
  EXPECT_EQ(elements(f(a, b)), wanted) << "arrays, not in jit";
  EXPECT_EQ(elements(f(x, b)), wanted) << "the first a number";
  EXPECT_EQ(elements(f(a, y)), wanted) << "the second a number";
  EXPECT_EQ(elements(f(x, y)), wanted) << "both numbers";
  EXPECT_EQ(elements(ts::jit(f)(x, b)), wanted) << "the first a number, to jit";
  EXPECT_EQ(elements(ts::jit(f)(x, y)), wanted) << "both numbers, to jit";
}

// The same, with numbers that stand in the traced function: X and Y return them.
template <class F, class X, class Y>
void expect_same_in_jit(F const&, X, Y) {
  auto const a = ts::asarray(X{}());
  auto const b = ts::asarray(Y{}());
  auto const wanted = elements(ts::jit([](auto x, auto y) { return F{}(x, y); })(a, b));
  EXPECT_EQ(elements(ts::jit([](auto y) { return F{}(X{}(), y); })(b)), wanted) << "the first a number, in jit";
  EXPECT_EQ(elements(ts::jit([](auto x) { return F{}(x, Y{}()); })(a)), wanted) << "the second a number, in jit";
  EXPECT_EQ(elements(ts::jit([] { return F{}(X{}(), Y{}()); })()), wanted) << "both numbers, in jit";
}

constexpr auto first = [] { return 1.5f; };
constexpr auto second = [] { return 0.75f; };

template <class F>
void expect_same_everywhere(F const& f) {
  expect_same(f, first(), second());
  expect_same_in_jit(f, first, second);
}

TEST(numbers_as_arguments, of_gradients) {
  expect_same_everywhere([](auto x, auto y) { return ts::grad(curve_type{})(x, y); });
  expect_same_everywhere([](auto x, auto y) { return ts::value_and_grad<0, 1>(curve_type{})(x, y); });
  expect_same_everywhere([](auto x, auto y) {
    return ts::grad([](auto both) { return curve_type{}(std::get<0>(both), std::get<1>(both)); })(std::tuple{x, y});
  });
}

TEST(numbers_as_arguments, of_tangents) {
  expect_same_everywhere([](auto x, auto y) { return ts::jvp(curve_type{}, std::tuple{x, y}, std::tuple{y, x}); });
  expect_same_everywhere([](auto x, auto y) {
    auto const [value, push] = ts::linearize(curve_type{}, x, y);
    return std::tuple{value, push(y, x), push(1.0f, 2.0f)};
  });
}

TEST(numbers_as_arguments, of_pullbacks) {
  expect_same_everywhere([](auto x, auto y) {
    auto const [value, pullback] = ts::vjp(curve_type{}, x, y);
    return std::tuple{value, pullback(y), pullback(2.0f)};
  });
  expect_same_everywhere([](auto x, auto y) { return ts::linear_transpose([](auto p) { return p * 2.0f; }, x)(y); });
}

TEST(numbers_as_arguments, of_second_derivatives) {
  expect_same_everywhere([](auto x, auto y) { return ts::jacfwd<0, 1>(curve_type{})(x, y); });
  expect_same_everywhere([](auto x, auto y) { return ts::jacrev<0, 1>(curve_type{})(x, y); });
  expect_same_everywhere([](auto x, auto y) { return ts::hessian<0, 1>(curve_type{})(x, y); });
}

TEST(numbers_as_arguments, of_vmap) {
  expect_same_everywhere([](auto x, auto y) {
    return ts::vmap<ts::in_axes<ts::unmapped, 0, ts::unmapped>>([](auto p, auto q, auto r) { return p * q + r; })(
        x, ts::iota<float, 0, 3>(), y);
  });
}

TEST(numbers_as_arguments, of_loops) {
  expect_same_everywhere([](auto x, auto y) {
    return ts::scan(
        [](auto c, auto v) {
          return std::tuple{std::tuple{std::get<0>(c) * std::get<1>(c) + v, std::get<1>(c)}, std::get<0>(c) - v};
        },
        std::tuple{x, y}, ts::iota<float, 0, 3>());
  });
  expect_same_everywhere([](auto x, auto y) {
    return ts::fori_loop(
        0, 3,
        [](auto i, auto c) {
          return std::tuple{std::get<0>(c) * std::get<1>(c) + i, std::get<1>(c)};
        },
        std::tuple{x, y});
  });
  expect_same_everywhere([](auto x, auto y) {
    return ts::while_loop([](auto c) { return std::get<0>(c) < 5; },
                          [](auto c) {
                            return std::tuple{std::get<0>(c) + std::get<1>(c), std::get<1>(c)};
                          },
                          std::tuple{x, y});
  });
}

TEST(numbers_as_arguments, of_branches) {
  expect_same_everywhere([](auto x, auto y) {
    return ts::cond(
        ts::full<float>(x) > y, [](auto a, auto b) { return a - b; }, [](auto a, auto b) { return a * b; }, x, y);
  });
  expect_same_everywhere([](auto x, auto y) {
    return ts::switch_(ts::iota<int, 0, 3>().at(1).get(),
                       std::tuple{[](auto a, auto) { return a - 1; }, [](auto a, auto b) { return a * b; }}, x, y);
  });
  expect_same_everywhere([](auto x, auto y) { return ts::checkpoint(curve_type{})(x, y); });
}

TEST(numbers_as_arguments, of_rules_of_ones_own) {
  expect_same_everywhere([](auto x, auto y) {
    auto const ruled = ts::custom_jvp(curve_type{}, [](auto given, auto moved) {
      auto const [p, q] = given;
      auto const [dp, dq] = moved;
      return std::tuple{curve_type{}(p, q), dp * 3.0f + dq * p};
    });
    return std::tuple{ruled(x, y), ts::value_and_grad<0, 1>(ruled)(x, y)};
  });
  expect_same_everywhere([](auto x, auto y) {
    auto const ruled = ts::custom_vjp(
        curve_type{},
        [](auto p, auto q) {
          return std::tuple{curve_type{}(p, q), std::tuple{p, q}};
        },
        [](auto kept, auto cotangent) {
          auto const [p, q] = kept;
          return std::tuple{cotangent * p * 3.0f, cotangent * q};
        });
    return std::tuple{ruled(x, y), ts::value_and_grad<0, 1>(ruled)(x, y)};
  });
}

TEST(numbers_as_arguments, of_trees) {
  expect_same_everywhere([](auto x, auto y) {
    return ts::tree_map([](auto p, auto q) { return p * 2 + q; }, std::tuple{x, y}, std::tuple{y, x});
  });
  expect_same_everywhere([](auto x, auto y) {
    return ts::tree_reduce([](auto p, auto q) { return p + q * 2; }, std::tuple{x, std::tuple{y}});
  });
}

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

TEST(numbers_as_arguments, of_shard_map) {
  auto const devices = ts::make_mesh<line>(ts::devices());
  auto const scope = ts::use_mesh(devices);
  expect_same_everywhere([](auto x, auto y) {
    return ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<>, ts::P<>>, ts::out_specs<ts::P<dp>>, line>(
        [](auto rows, auto p, auto q) { return rows * p + q; })(ts::iota<float, 0, 8>(), x, y);
  });
}

}  // namespace
