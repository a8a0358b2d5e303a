// SPDX-License-Identifier: Apache-2.0
// nightly
// betainc and its gradients against mpmath's where a, b or x is small or large, within relative errors.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(incomplete_beta_ranges, wide) {
  auto const f = [](auto a, auto b, auto x) { return ts::betainc(a, b, x); };
  expect_recorded<float[8][3], float[8][3], float[8][3]>("betainc wide float32", f, -2e-4);
  expect_recorded<double[8][3], double[8][3], double[8][3]>("betainc wide float64", f, -1e-12);
}

}  // namespace
