// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of singular values and what is made of them against central differences of textbook loops.

#include "support/grad_case.hpp"
#include "support/svd_rows.hpp"

namespace {

using namespace svd_rows;

struct table {
  static constexpr auto rows = all;
};

// Well apart from each other, their singular values.
template <std::int64_t N, std::int64_t M>
dense<double, 4, N, M> spread(unsigned seed) {
  tensor x = oracle::scattered({4, N, M}, -0.3, 0.3, seed);
  for (std::int64_t b = 0; b < 4; ++b)
    for (std::int64_t i = 0; i < std::min(N, M); ++i) x[{b, i, i}] += 1 + 0.6 * static_cast<double>(i);
  return dense<double, 4, N, M>(x);
}

TEST(svd_gradients, over_layouts) {
  check_gradients<table, on<grid, P<dp>>>(spread<4, 3>(1));
  check_gradients<table, on<cube, P<axes<c, a>>>>(spread<2, 4>(2));
  check_gradients<table, nowhere>(spread<3, 3>(3));
}

// Of orthogonal matrices all singular values are equal: pinv and lstsq have their gradients all the same.
struct inverses {
  constexpr auto operator()(auto x) const {
    return std::tuple{ts::grad([](auto y) { return ts::sum(ts::sin(ts::pinv(y))); })(x),
                      ts::grad([](auto y) { return ts::sum(ts::sin(ts::inv(y))); })(x)};
  }
};
TEST(svd_gradients, of_equal_values) {
  auto const x = place(nowhere{}, dense<double, 2, 2>(tensor({2, 2}, {0.6, -0.8, 0.8, 0.6})));
  auto const [by_pinv, by_inv] = ts::jit<inverses>(x);
  expect_near(tensor_of(by_pinv), tensor_of(by_inv), 1e-12, "pinv");
}

// Full matrices of an oblong one: the values have a gradient, the vectors are refused.
struct by_values {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto y) { return ts::norm(std::get<1>(ts::svd(y))); })(x);
  }
};
template <int K>
struct by_vectors {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto y) { return ts::sum(std::get<K>(ts::svd(y))); })(x);
  }
};
TEST(svd_gradients, of_full_matrices) {
  auto const x = place(nowhere{}, dense<double, 4, 3>(-1, 1));
  expect_near(tensor_of(ts::jit<by_values>(x)), tensor_of(x / ts::norm(x)), 1e-12, "s");
  static_assert(!std::is_void_v<ts::detail::call_refused<by_vectors<0>, decltype(x)>>);
  static_assert(!std::is_void_v<ts::detail::call_refused<by_vectors<2>, decltype(x)>>);
}

}  // namespace
