// SPDX-License-Identifier: Apache-2.0
// jacfwd and jacrev against central differences and each other, hessian against second differences and its products.

#include "support/on_grid.hpp"

#include <complex>

namespace {

using namespace on_grid;

constexpr auto f = [](auto x) { return ts::sum<1>(ts::sin(x) * ts::sum<0>(x * x)); };  // [4, 6] -> [4]
constexpr auto through_loops = [](auto x) {
  return ts::sum<1>(ts::fori_loop(
      0, 3, [](auto i, auto v) { return ts::sin(v) * v + i; }, x));
};
constexpr auto scalar = [](auto x) { return ts::sum(ts::sin(x) * x * ts::sum(x)); };

template <class F>
std::vector<double> differences(F, std::size_t results) {
  std::vector<double> all(results * 24);
  double const h = 1e-6;
  for (std::size_t k = 0; k < 24; ++k) {
    auto at = [&](double by) {
      auto values = wave(24, 1.3);
      values[k] += by;
      return ts::jit(F{})(ts::device_put(ts::host<4, 6>(values))).to_host();
    };
    auto const above = at(h), below = at(-h);
    for (std::size_t i = 0; i < results; ++i) all[i * 24 + k] = (above[i] - below[i]) / (2 * h);
  }
  return all;
}

template <class S>
void in_layout() {
  auto const x = put<S, 4, 6>(1.3);
  expect(ts::jacfwd(f)(x), differences(f, 4), 1e-7);
  expect(ts::jacrev(f)(x), differences(f, 4), 1e-7);
  expect(ts::jacfwd(through_loops)(x), differences(through_loops, 4), 1e-7);
  expect(ts::jacrev(through_loops)(x), differences(through_loops, 4), 1e-7);
  auto const second = ts::hessian(scalar)(x);
  expect(second, differences(ts::grad(scalar), 24), 1e-6);
  auto const product = std::get<1>(ts::jvp(ts::grad(scalar), x, x));
  near(ts::tensordot<2>(ts::reshard<ts::P<>>(second), ts::reshard<ts::P<>>(x)), ts::reshard<ts::P<>>(product));
}
TEST(jacobian, whole) { in_layout<ts::P<>>(); }
TEST(jacobian, split) { in_layout<ts::P<dp, mp>>(); }

// The dimensions that are counted through are whole; the others are split as they were.
using x_type = ts::array_type<double, ts::shape<4, 6>, ts::P<dp, mp>, grid>;
template <class F>
using of_x = typename decltype(ts::jit(std::declval<F>())(std::declval<ts::array<x_type>>()))::type;
static_assert(std::is_same_v<of_x<decltype(ts::jacfwd(f))>,
                             ts::array_type<double, ts::shape<4, 4, 6>, ts::P<dp, ts::none, ts::none>, grid>>);
static_assert(std::is_same_v<of_x<decltype(ts::jacrev(f))>,
                             ts::array_type<double, ts::shape<4, 4, 6>, ts::P<ts::none, dp, mp>, grid>>);

TEST(jacobian, of_trees) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3), y = put<ts::P<dp>, 4, 6>(0.7);
  constexpr auto both = [](auto p) {
    auto const [a, b] = p;
    return std::tuple{ts::sum<1>(a * b), ts::sum(a)};
  };
  auto const forward = ts::jacfwd(both)(std::pair{x, y});
  auto const backward = ts::jacrev(both)(std::pair{x, y});
  auto const compare = [](auto const& l, auto const& r) {
    auto const host = r.to_host();
    expect(l, {host.begin(), host.end()});
  };
  compare(std::get<0>(std::get<0>(forward)), std::get<0>(std::get<0>(backward)));
  compare(std::get<1>(std::get<0>(forward)), std::get<1>(std::get<0>(backward)));
  compare(std::get<0>(std::get<1>(forward)), std::get<0>(std::get<1>(backward)));
  near(ts::reshard<ts::P<>>(std::get<0>(std::get<1>(backward))), ts::reshard<ts::P<>>(ts::ones_like(x)));
  near(ts::reshard<ts::P<>>(std::get<1>(std::get<1>(forward))), ts::reshard<ts::P<>>(ts::zeros_like(x)));
  EXPECT_EQ(std::get<1>(std::get<0>(forward)).to_host()[0], x.to_host()[0]);
}

TEST(jacobian, by_another_argument) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3), y = put<ts::P<dp>, 4, 6>(0.7);
  constexpr auto g = [](auto a, auto b) { return ts::sum<1>(a * b * b); };
  auto const r = ts::jacrev<1>(g)(x, y).to_host(), l = ts::jacfwd<1>(g)(x, y).to_host();
  auto const a = x.to_host(), b = y.to_host();
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 24; ++k) {
      EXPECT_NEAR(r[i * 24 + k], k / 6 == i ? 2 * a[k] * b[k] : 0, 1e-12);
      EXPECT_NEAR(l[i * 24 + k], k / 6 == i ? 2 * a[k] * b[k] : 0, 1e-12);
    }
}

#ifndef TESSERA_BY_DAY
// The positions of a sort are the same for all rows of the Jacobian.
TEST(jacobian, of_sorted_numbers) {
  auto const x = ts::asarray({0.3, -1.2, 2.5, 0.9});
  constexpr auto squares = [](auto v) { return ts::square(ts::sort(v)); };
  auto const rows = ts::jacrev(squares)(x).to_host(), columns = ts::jacfwd(squares)(x).to_host();
  std::vector<double> const want{0, -2.4, 0, 0, 0.6, 0, 0, 0, 0, 0, 0, 1.8, 0, 0, 5, 0};
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_NEAR(rows[i], want[i], 1e-6) << i;
    EXPECT_NEAR(columns[i], want[i], 1e-6) << i;
  }
  auto const second = ts::hessian(squares)(x).to_host();
  EXPECT_NEAR(second[0 * 16 + 1 * 4 + 1], 2, 1e-6);
}

TEST(jacobian, of_numbers) {
  auto const slope = ts::jit([](auto x) { return ts::jacfwd([](auto v) { return ts::sin(v) * v; })(x); })(2.0);
  EXPECT_NEAR(static_cast<double>(slope), std::cos(2.0) * 2.0 + std::sin(2.0), 1e-6);
}

TEST(jacobian, by_several_arguments_with_aux) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3), y = put<ts::P<dp>, 4, 6>(0.7);
  constexpr auto f = [](auto a, auto scale, auto b) { return ts::sum<1>(a * b * b) * scale; };
  constexpr auto with_sum = [](auto a, auto scale, auto b) {
    return std::tuple{ts::sum<1>(a * b * b) * scale, ts::sum(a)};
  };
  auto const by_x = ts::jacrev<0>(f)(x, 2.0, y), by_y = ts::jacrev<2>(f)(x, 2.0, y);
  auto const [rx, ry] = ts::jacrev<0, 2>(f)(x, 2.0, y);
  near(rx, by_x);
  near(ry, by_y);
  auto const [jac, aux] = ts::jacfwd<0, 2>(with_sum, ts::has_aux)(x, 2.0, y);
  auto const jx = by_x.to_host(), jy = by_y.to_host();
  expect(std::get<0>(jac), {jx.begin(), jx.end()});
  expect(std::get<1>(jac), {jy.begin(), jy.end()});
  near(aux, ts::sum(x));
  auto const small = ts::asarray({0.3, -1.2});
  auto const g = [](auto a, auto b) { return std::tuple{ts::sum(a * a * b), b}; };
  auto const [second, kept] = ts::hessian<0, 1>(g, ts::has_aux)(small, small);
  auto const [aa, ab] = std::get<0>(second);
  auto const [ba, bb] = std::get<1>(second);
  std::vector<double> const v{0.3, -1.2};
  for (std::size_t i = 0; i < 4; ++i) {
    bool const diagonal = i / 2 == i % 2;
    EXPECT_NEAR(aa.to_host()[i], diagonal ? 2 * v[i / 2] : 0, 1e-6);
    EXPECT_NEAR(ab.to_host()[i], diagonal ? 2 * v[i / 2] : 0, 1e-6);
    EXPECT_NEAR(ba.to_host()[i], ab.to_host()[i], 1e-6);
    EXPECT_NEAR(bb.to_host()[i], 0, 1e-6);
  }
}

// df/dz of a complex function, as JAX gives it.
TEST(jacobian, holomorphic_gradient) {
  std::vector<std::complex<double>> const at{{0.3, -1.1}, {-0.4, 0.2}};
  auto const z = ts::device_put(ts::host<2>(at));
  auto const f = [](auto z) { return ts::sum(ts::exp(z * z)); };
  auto const slope = ts::grad(f, ts::holomorphic)(z).to_host();
  auto const [value, again] = ts::value_and_grad(f, ts::holomorphic)(z);
  for (std::size_t i = 0; i < 2; ++i) {
    std::complex<double> const want = 2.0 * at[i] * std::exp(at[i] * at[i]);
    EXPECT_NEAR(std::abs(std::complex<double>(slope[i].real(), slope[i].imag()) - want), 0, 1e-12);
    EXPECT_NEAR(again.to_host()[i].real(), want.real(), 1e-12);
  }
}

// The argument has no mesh, and the function names one.
TEST(jacobian, of_a_function_that_names_a_mesh) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::use_mesh const use{mesh};
  auto const x = ts::asarray({1.f, 2.f, 3.f, 4.f});
  auto const f = [](auto v) { return ts::reshard<ts::P<dp>, grid>(v * v); };
  auto const g = [](auto v) { return ts::sum(ts::reshard<ts::P<dp>, grid>(v * v)); };
  auto const rows = ts::jacfwd(f)(x).to_host(), columns = ts::jacrev(f)(x).to_host(),
             second = ts::hessian(g)(x).to_host();
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      float const want = i == k ? 2.f * static_cast<float>(i + 1) : 0.f;
      EXPECT_EQ(rows[4 * i + k], want);
      EXPECT_EQ(columns[4 * i + k], want);
      EXPECT_EQ(second[4 * i + k], i == k ? 2.f : 0.f);
    }
}
#endif

}  // namespace
