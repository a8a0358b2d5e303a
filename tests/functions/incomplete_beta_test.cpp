// SPDX-License-Identifier: Apache-2.0
// nightly
// betainc against JAX's, within relative errors. incomplete_beta_ranges_test.cpp: its gradients, small and large a, b and x.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(incomplete_beta, as_jax) {
  auto const f = [](auto a, auto b, auto x) { return ts::betainc(a, b, x); };
  expect_recorded<not_sloped, float[8][3], float[8][3], float[8][3]>("betainc", f);
  expect_recorded<not_sloped, float[8][2], float[8][2], float[8][2]>("betainc edges", f);
}

}  // namespace
