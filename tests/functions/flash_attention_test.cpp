// SPDX-License-Identifier: Apache-2.0
// nightly
// flash_attention against dot_product_attention: values, gradients, dtypes, layouts, what is sent.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {
namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>>;

template <class T, std::int64_t... N>
auto wave(double phase) {
  std::vector<T> all(static_cast<std::size_t>((1 * ... * N)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<T>(std::sin(0.7 * static_cast<double>(i) + phase));
  return ts::host<N...>(std::move(all));
}
template <class X, class Y>
void near(X const& x, Y const& y, double bound) {
  static_assert(std::is_same_v<typename X::type, typename Y::type>);
  auto const a = x.to_host(), b = y.to_host();
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  EXPECT_LT(worst, bound);
}

constexpr auto plain = [](auto q, auto k, auto v) { return ts::dot_product_attention(q, k, v); };
constexpr auto plain_causal = [](auto q, auto k, auto v) { return ts::dot_product_attention(q, k, v, ts::causal); };
constexpr auto flash = [](auto q, auto k, auto v) { return ts::flash_attention<16, 16>(q, k, v); };
constexpr auto flash_causal = [](auto q, auto k, auto v) { return ts::flash_attention<16, 16>(q, k, v, ts::causal); };
constexpr auto by_default = [](auto q, auto k, auto v) { return ts::flash_attention(q, k, v); };

// A scalar with a cotangent that differs from element to element.
template <class F>
struct summed {
  constexpr auto operator()(auto q, auto k, auto v) const { return ts::sum(ts::sin(F{}(q, k, v))); }
};
template <class Flash, class Plain, class Q, class K>
void same_gradients(Flash, Plain, Q const& q, K const& k, K const& v, double bound) {
  auto const [a0, a1, a2] = ts::jit(ts::grad<0, 1, 2>(summed<Flash>{}))(q, k, v);
  auto const [b0, b1, b2] = ts::jit(ts::grad<0, 1, 2>(summed<Plain>{}))(q, k, v);
  near(a0, b0, bound);
  near(a1, b1, bound);
  near(a2, b2, bound);
}
template <class T, std::int64_t T_, std::int64_t S, std::int64_t Heads, std::int64_t Groups>
void same(double bound) {
  auto const q = ts::asarray(wave<T, 2, T_, Heads, 8>(0));
  auto const k = ts::asarray(wave<T, 2, S, Groups, 8>(1)), v = ts::asarray(wave<T, 2, S, Groups, 8>(2));
  near(ts::jit(flash)(q, k, v), ts::jit(plain)(q, k, v), bound);
  near(ts::jit(flash_causal)(q, k, v), ts::jit(plain_causal)(q, k, v), bound);
  near(ts::jit(by_default)(q, k, v), ts::jit(plain)(q, k, v), bound);
  same_gradients(flash, plain, q, k, v, 10 * bound);
  same_gradients(flash_causal, plain_causal, q, k, v, 10 * bound);
}

TEST(flash_attention, blocks_that_divide) { same<float, 32, 48, 2, 2>(1e-5); }
TEST(flash_attention, blocks_that_do_not_divide_and_groups) { same<float, 40, 50, 4, 2>(1e-5); }
TEST(flash_attention, gradients_by_groups) { same<float, 40, 50, 8, 4>(1e-5); }
TEST(flash_attention, float64) { same<double, 33, 32, 2, 1>(1e-12); }
TEST(flash_attention, bfloat16) {
  auto const q = ts::asarray(wave<ts::bfloat16, 1, 40, 4, 8>(0));
  auto const k = ts::asarray(wave<ts::bfloat16, 1, 40, 4, 8>(1)), v = ts::asarray(wave<ts::bfloat16, 1, 40, 4, 8>(2));
  near(ts::jit(flash_causal)(q, k, v), ts::jit(plain_causal)(q, k, v), 0.02);
}

// Heads and batches that are split over Explicit axes stay so, and nothing is sent.
TEST(flash_attention, over_explicit_axes) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const put = [&](auto const& x) { return ts::device_put<ts::P<dp, ts::none, mp>>(x, mesh); };
  auto const q = put(wave<float, 2, 40, 4, 8>(0));
  auto const k = put(wave<float, 2, 50, 2, 8>(1)), v = put(wave<float, 2, 50, 2, 8>(2));
  static_assert(ts::comm_of<decltype(flash_causal), decltype(q)::type, decltype(k)::type, decltype(v)::type>.bytes() ==
                0);
  near(ts::jit(flash_causal)(q, k, v), ts::jit(plain_causal)(q, k, v), 1e-5);
  same_gradients(flash_causal, plain_causal, q, k, v, 1e-4);
}

// 4 batches of 2 by vmap: a batch more.
TEST(flash_attention, vmapped) {
  auto const q = ts::asarray(wave<float, 3, 1, 20, 2, 8>(0));
  auto const k = ts::asarray(wave<float, 3, 1, 20, 2, 8>(1)), v = ts::asarray(wave<float, 3, 1, 20, 2, 8>(2));
  near(ts::jit([](auto a, auto b, auto c) { return ts::vmap(flash)(a, b, c); })(q, k, v),
       ts::jit([](auto a, auto b, auto c) { return ts::vmap(plain)(a, b, c); })(q, k, v), 1e-5);
}

}  // namespace
