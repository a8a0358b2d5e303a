// SPDX-License-Identifier: Apache-2.0
// nightly
// Linear algebra of float16 and bfloat16: the results and gradients of float32, rounded. Its kernels have wide floats only.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

// Symmetric and positive definite, of numbers that both half types have.
template <std::int64_t N>
std::vector<float> matrix() {
  std::vector<float> a(N * N);
  for (std::int64_t i = 0; i < N; ++i)
    for (std::int64_t j = 0; j < N; ++j)
      a[i * N + j] = i == j ? static_cast<float>(N + 2 + i % 5) : static_cast<float>((i + j) % 3) / 2;
  return a;
}

template <class Half, class X>
void expect_rounded(X const& half, auto const& wide, std::string const& what) {
  if constexpr (ts::is_floating(X::type::value.element))
    EXPECT_EQ(X::type::value.element, ts::dtype_of<Half>()) << what;
  else
    EXPECT_EQ(X::type::value.element, std::remove_cvref_t<decltype(wide)>::type::value.element) << what;
  auto const found = ts::astype<float>(half).to_host(), expected = ts::astype<float>(wide).to_host();
  ASSERT_EQ(found.size(), expected.size()) << what;
  float most = 1;
  for (std::size_t i = 0; i < expected.size(); ++i) most = std::max(most, std::abs(expected.data()[i]));
  float const near = most * (std::is_same_v<Half, ts::bfloat16> ? 1.0f / 64 : 1.0f / 512);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found.data()[i], expected.data()[i], near) << what << ", element " << i;
}
template <class Half, class... X, class... Y>
void expect_rounded(std::tuple<X...> const& half, std::tuple<Y...> const& wide, std::string const& what) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (expect_rounded<Half>(std::get<I>(half), std::get<I>(wide), what + ", result " + std::to_string(I)), ...);
  }
  (std::index_sequence_for<X...>{});
}

template <class Half, std::int64_t N, class F>
void check(std::string const& what, F f) {
  auto const wide = ts::device_put(ts::host<N, N>(matrix<N>()));
  auto const half = ts::astype<Half>(wide);
  expect_rounded<Half>(f(half), f(wide), what);
  expect_rounded<Half>(ts::jit(f)(half), ts::jit(f)(wide), what + ", jit");
}
// With its gradient.
template <class Half, std::int64_t N, class F>
void check_with_gradient(std::string const& what, F f) {
  check<Half, N>(what, f);
  auto const wide = ts::device_put(ts::host<N, N>(matrix<N>()));
  constexpr auto slope = ts::grad([](auto x) { return ts::mean(F{}(x)); });
  expect_rounded<Half>(slope(ts::astype<Half>(wide)), slope(wide), what + ", gradient");
}

// Signs of vectors may differ between both types where a rounded element is near 0: sizes are compared.
template <class Half, std::int64_t N>
void check_all() {
  check<Half, N>("lu", [](auto x) { return ts::lu(x); });
  check<Half, N>("qr", [](auto x) { return ts::qr(x); });
  check<Half, N>("eigh", [](auto x) {
    auto const [w, v] = ts::eigh(x);
    return std::tuple{w, ts::abs(v)};
  });
  check<Half, N>("svd", [](auto x) {
    auto const [u, s, vt] = ts::svd(x);
    return std::tuple{ts::abs(u), s, ts::abs(vt)};
  });
  check_with_gradient<Half, N>("first factor of lu", [](auto x) { return std::get<0>(ts::lu(x)); });
  check_with_gradient<Half, N>("r", [](auto x) { return std::get<1>(ts::qr(x)); });
  check_with_gradient<Half, N>("values of eigh", [](auto x) { return std::get<0>(ts::eigh(x)); });
  check_with_gradient<Half, N>("cholesky", [](auto x) { return ts::cholesky(x); });
  check_with_gradient<Half, N>("inv", [](auto x) { return ts::inv(x); });
  check_with_gradient<Half, N>("solve", [](auto x) { return ts::solve(x, x); });
  check_with_gradient<Half, N>("triangular_solve", [](auto x) { return ts::triangular_solve(x, x); });
  check_with_gradient<Half, N>("svdvals", [](auto x) { return ts::svdvals(x); });
  check_with_gradient<Half, N>("pinv", [](auto x) { return ts::pinv(x); });
  check_with_gradient<Half, N>("log |det|", [](auto x) { return std::get<1>(ts::slogdet(x)); });
}

TEST(linalg_of_halves, own_kernels) {
  check_all<ts::bfloat16, 4>();
  check_all<ts::float16, 4>();
}
TEST(linalg_of_halves, by_lapack) { check_all<ts::bfloat16, 26>(); }

}  // namespace
