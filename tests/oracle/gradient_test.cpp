// SPDX-License-Identifier: Apache-2.0
// Central differences against derivatives known in closed form.

#include "support/oracle/oracle.hpp"

#include <gtest/gtest.h>

using namespace oracle;

namespace {

TEST(OracleGradient, OfSeveralInputs) {
  tensor const a = scattered({2, 3}), b = scattered({3, 2}, -1, 1, 2);
  auto const f = [](std::vector<tensor> const& in) { return sum(square(matmul(in[0], in[1]))); };
  auto const got = numerical_gradients(f, {a, b});
  tensor const c = 2 * matmul(a, b);
  EXPECT_LE(difference(got[0], matmul(c, transpose(b))), 1e-9);
  EXPECT_LE(difference(got[1], matmul(transpose(a), c)), 1e-9);
}

TEST(OracleGradient, OfOneInput) {
  tensor const x({3}, {-2, 0.5, 30});
  EXPECT_LE(difference(numerical_gradient([](tensor const& v) { return sum(sin(v)); }, x), cos(x)), 1e-8);
}

// law: inner(y, J d) == inner(J^T y, d)
TEST(OracleGradient, JvpAgreesWithTheGradient) {
  tensor const x = scattered({4}), d = scattered({4}, -1, 1, 2), y = scattered({4}, -1, 1, 3);
  auto const f = [](std::vector<tensor> const& in) { return softmax(in[0]); };
  tensor const jd = numerical_jvp(f, {x}, {d});
  tensor const jty = numerical_gradient([&](tensor const& v) { return inner(y, softmax(v)); }, x);
  EXPECT_NEAR(inner(y, jd), inner(jty, d), 1e-9);
}

}  // namespace
