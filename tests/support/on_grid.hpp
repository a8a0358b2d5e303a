// SPDX-License-Identifier: Apache-2.0
#pragma once
// What tests on the 4x2 mesh share: arrays of wavy values in a layout, and comparisons of what they became.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace on_grid {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

inline std::vector<double> wave(std::size_t n, double scale) {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = scale * std::sin(0.7 * static_cast<double>(i) + scale);
  return v;
}
inline std::vector<double> counted(std::size_t n, double scale = 1) {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = scale * static_cast<double>(i);
  return v;
}
template <class S, std::int64_t... E>
auto put(std::vector<double> const& values) {
  return ts::device_put<S>(ts::host<E...>(values), ts::make_mesh<grid>(ts::devices()));
}
template <class S, std::int64_t... E>
auto put(double scale) {
  return put<S, E...>(wave(static_cast<std::size_t>((E * ...)), scale));
}

template <class X>
void expect(X const& got, std::vector<double> const& want, double bound = 1e-12) {
  auto const g = got.to_host();
  ASSERT_EQ(g.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(g[i], want[i], bound) << i;
}
template <class L, class R>
void near(L const& got, R const& want, double bound = 1e-11) {
  static_assert(std::is_same_v<typename L::type, typename R::type>);
  auto const r = want.to_host();
  expect(got, {r.begin(), r.end()}, bound);
}

// Interpreted, not compiled: tests of many programs.
template <class F, class... X>
auto run(X const&... x) {
  ts::detail::error_or_silence<ts::detail::call_refused<F, X...>>::explain();
  return ts::detail::run_jitted<F, false>(x...);
}

}  // namespace on_grid
