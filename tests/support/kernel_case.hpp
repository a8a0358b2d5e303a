// SPDX-License-Identifier: Apache-2.0
#pragma once
// What tests of kernels share: operands, and results beside what they must be.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace kernel_case {
namespace ts = tessera;

using numbers = std::vector<std::int32_t>;

inline std::vector<float> wave(std::size_t n, double phase = 0) {
  std::vector<float> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<float>(std::sin(0.7 * static_cast<double>(i) + phase));
  return all;
}
template <std::int64_t... N>
auto matrix(double phase = 0) {
  return ts::asarray(ts::host<N...>(wave((1 * ... * N), phase)));
}
template <std::int64_t... N>
auto table(numbers all) {
  return ts::asarray(ts::host<N...>(std::move(all)));
}
template <class Got>
void expect(Got const& got, std::vector<double> const& want, double tolerance = 1e-5) {
  auto const g = got.to_host();
  ASSERT_EQ(g.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(static_cast<double>(g[i]), want[i], tolerance) << i;
}

}  // namespace kernel_case
