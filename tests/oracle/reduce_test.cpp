// SPDX-License-Identifier: Apache-2.0
// The oracle's reductions and what divides by a sum, against values worked out by hand and by JAX in double.

#include "support/oracle/oracle.hpp"
#include "support/throws.hpp"

#include <gtest/gtest.h>

using namespace oracle;

namespace {

tensor const x({2, 3}, {1, 5, 3, 4, 2, 6});
double const nan_ = std::numeric_limits<double>::quiet_NaN();

TEST(Oracle, Reductions) {
  EXPECT_EQ(sum(x), 21);
  EXPECT_EQ(sum(x, {0}), tensor({3}, {5, 7, 9}));
  EXPECT_EQ(sum(x, {-1}, true), tensor({2, 1}, {9, 12}));
  EXPECT_EQ(sum(x, {0, 1}, true), tensor({1, 1}, {21}));
  EXPECT_EQ(prod(x, {1}), tensor({2}, {15, 48}));
  EXPECT_EQ(max(x, {0}), tensor({3}, {4, 5, 6}));
  EXPECT_EQ(min(x, {1}), tensor({2}, {1, 2}));
  EXPECT_EQ(mean(x, {1}), tensor({2}, {3, 4}));
  EXPECT_EQ(var(x, {0}), tensor({3}, {2.25, 2.25, 2.25}));
  EXPECT_EQ(all(x - 1, {1}), tensor({2}, {0, 1}));
  EXPECT_EQ(any(x - 1, {1}), tensor({2}, {1, 1}));
  EXPECT_EQ(sum(tensor(3)), 3);
  EXPECT_EQ(sum(full({0, 2}, 1), {0}), tensor({2}, {0, 0}));
  EXPECT_TRUE(std::isnan(max(tensor({3}, {1, nan_, 2})).item()));
  EXPECT_TRUE(std::isnan(min(tensor({3}, {nan_, 1, 2})).item()));
  EXPECT_THROW_TEXT(sum(x, {2}), "no dim 2 in rank 2");
}

TEST(Oracle, ArgmaxIsTheFirstOfEqualsAndNanIsLargest) {
  EXPECT_EQ(argmax(x, 1), tensor({2}, {1, 2}));
  EXPECT_EQ(argmax(x, 0, true), tensor({1, 3}, {1, 0, 1}));
  EXPECT_EQ(argmin(x, 1), tensor({2}, {0, 1}));
  EXPECT_EQ(argmax(tensor({4}, {1, 7, 7, 2}), 0), 1);
  EXPECT_EQ(argmax(tensor({4}, {1, nan_, 7, nan_}), 0), 1);
}

TEST(Oracle, Cumsum) {
  EXPECT_EQ(cumsum(x, 1), tensor({2, 3}, {1, 6, 9, 4, 6, 12}));
  EXPECT_EQ(cumsum(x, 0), tensor({2, 3}, {1, 5, 3, 5, 7, 9}));
}

TEST(Oracle, Softmax) {
  tensor const y({2, 3}, {1, 2, 3, 0, 0, 0});
  double const third = 1.0 / 3;
  EXPECT_TRUE(
      close(softmax(y), {{2, 3}, {0.09003057317038046, 0.2447284710547976, 0.6652409557748219, third, third, third}}));
  EXPECT_TRUE(close(log_softmax(y, 0), {{2, 3},
                                        {-0.31326168751822286, -0.1269280110429726, -0.04858735157374196,
                                         -1.3132616875182228, -2.1269280110429727, -3.048587351573742}}));
  EXPECT_TRUE(close(exp(log_softmax(y)), softmax(y)));
  EXPECT_TRUE(close(logsumexp(tensor({2}, {1000, 1000})), 1000.6931471805599));
  EXPECT_EQ(logsumexp(tensor({2}, {-INFINITY, -INFINITY})), -INFINITY);
  EXPECT_EQ(logsumexp(y, {1}).extents, (ints{2}));
  EXPECT_EQ(logsumexp(y, {1}, true).extents, (ints{2, 1}));
}

TEST(Oracle, LayerNorm) {
  tensor const y({4}, {1, 2, 3, 4});
  tensor const want({4}, {-1.3416354199689269, -0.447211806656309, 0.447211806656309, 1.3416354199689269});
  EXPECT_TRUE(close(layer_norm(y), want));
  EXPECT_TRUE(close(layer_norm(y, 2, y), 2 * want + y));
}

}  // namespace
