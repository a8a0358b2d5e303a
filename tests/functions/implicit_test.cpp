// SPDX-License-Identifier: Apache-2.0
// custom_root and custom_linear_solve: values and gradients beside formulas and dense solvers, over split arrays, too.

#include <tessera/functions.hpp>

#include "support/on_grid.hpp"

#include <cmath>
#include <numeric>
#include <vector>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;

// Newton's method of x^3 = a, element by element, until no element moves.
struct newton {
  constexpr auto operator()(auto const& f, auto const& guess) const {
    return std::get<0>(ts::while_loop([](auto const& state) { return std::get<1>(state) > 1e-6f; },
                                      [&](auto const& state) {
                                        auto const& x = std::get<0>(state);
                                        auto const next = x - f(x) / (3 * x * x);
                                        return std::tuple{next, ts::max(ts::abs(next - x))};
                                      },
                                      std::tuple{guess, 1.f}));
  }
};
struct divided {
  constexpr auto operator()(auto const& g, auto const& y) const { return y / g(ts::ones_like(y)); }
};
inline constexpr auto cube_root = ts::custom_root([](auto x, auto a) { return x * x * x - a; }, newton{}, divided{});

TEST(implicit, the_root_of_an_equation) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::vector<float> numbers(8);
  std::iota(numbers.begin(), numbers.end(), 1.f);
  auto const a = ts::device_put<P<dp>>(ts::host<8>(numbers), mesh);
  auto const [total, slope] = ts::jit([](auto a) {
    return ts::value_and_grad([](auto a) { return ts::sum(ts::square(cube_root(ts::ones_like(a), a))); })(a);
  })(a);
  float expected = 0;
  for (float v : numbers) expected += std::pow(v, 2.f / 3);
  EXPECT_NEAR(total.item(), expected, 1e-4);
  auto const got = slope.to_host();
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(got[i], 2.f / 3 * std::pow(numbers[i], -1.f / 3), 1e-5) << i;
}

// Conjugate gradients: for symmetric positive definite systems.
struct conjugate_gradients {
  constexpr auto operator()(auto const& matvec, auto const& b) const {
    auto const step = [&](auto const&, auto const& state) {
      auto const& [x, r, p] = state;
      auto const ap = matvec(p);
      auto const rr = ts::vdot(r, r);
      auto const alpha = rr / (ts::vdot(p, ap) + 1e-30f);
      auto const next = r - alpha * ap;
      return std::tuple{x + alpha * p, next, next + ts::vdot(next, next) / (rr + 1e-30f) * p};
    };
    return std::get<0>(ts::fori_loop(0, 6, step, std::tuple{ts::zeros_like(b), b, b}));
  }
};
inline constexpr auto solved =
    ts::custom_linear_solve([](auto x, auto a) { return ts::matvec(a, x); }, conjugate_gradients{}, ts::symmetric);

// Dense solvers, of the matrix and of its transpose.
struct dense {
  constexpr auto operator()(auto const& g, auto const& b) const {
    return ts::solve(ts::transpose(ts::vmap([&](auto e) { return g(e); })(ts::eye<6, 6, 0, float>() + 0 * b)), b);
  }
};
inline constexpr auto solved_densely =
    ts::custom_linear_solve([](auto x, auto a) { return ts::matvec(a, x); }, dense{}, dense{});

std::vector<float> matrix(bool symmetric) {
  std::vector<float> a(36);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      a[i * 6 + j] = (i == j ? 5.f : 0.f) + (symmetric ? 1.f / (1 + std::abs(i - j)) : 1.f / (1 + 2 * i + j));
  return a;
}
template <class S>
void expect_as_solve(S, bool symmetric) {
  auto const entries = matrix(symmetric);
  auto const a = ts::asarray(ts::host<6, 6>(entries));
  auto const b = ts::asarray({1.f, -2.f, 3.f, 0.5f, -1.f, 2.f});
  auto const weighted = [](auto x) { return ts::sum(x * (ts::arange<float, 6>() - 2)); };
  auto const by = [](auto f, auto a, auto b) {
    return ts::jit([](auto a, auto b) { return ts::value_and_grad<0, 1>(decltype(f){})(a, b); })(a, b);
  };
  auto const [value, slopes] = by([](auto a, auto b) { return decltype(weighted){}(S{}(b, a)); }, a, b);
  auto const [want, want_slopes] = by([](auto a, auto b) { return decltype(weighted){}(ts::solve(a, b)); }, a, b);
  EXPECT_NEAR(value.item(), want.item(), 1e-4);
  EXPECT_TRUE(bool(ts::allclose(std::get<0>(slopes), std::get<0>(want_slopes), ts::tolerance{1e-3, 1e-5})));
  EXPECT_TRUE(bool(ts::allclose(std::get<1>(slopes), std::get<1>(want_slopes), ts::tolerance{1e-3, 1e-5})));
}
TEST(implicit, linear_systems) {
  expect_as_solve(solved, true);
  expect_as_solve(solved_densely, true);
  expect_as_solve(solved_densely, false);
}
TEST(implicit, tangents_where_the_solver_is_linear) {
  auto const a = ts::asarray({1.f, 8.f, 27.f});
  auto const moved = ts::jit([](auto a) {
    return std::get<1>(ts::jvp([](auto a) { return cube_root(ts::ones_like(a), a); }, a, ts::ones_like(a)));
  })(a);
  expect(moved, {1.0 / 3, 1.0 / 12, 1.0 / 27}, 1e-5);
}

}  // namespace
