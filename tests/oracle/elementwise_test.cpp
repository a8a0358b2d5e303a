// SPDX-License-Identifier: Apache-2.0
// The oracle's arrays and elementwise operations against values worked out elsewhere (NumPy and JAX in double).

#include "support/oracle/oracle.hpp"
#include "support/throws.hpp"

#include <gtest/gtest.h>

using namespace oracle;

namespace {

tensor const x({4}, {-1.5, 0, 0.5, 2});
double const nan_ = std::numeric_limits<double>::quiet_NaN(), inf = INFINITY;

void expect_close(tensor const& got, std::vector<double> const& want) {
  EXPECT_LE(difference(got, {got.extents, want}), 1e-14) << got;
}

TEST(Oracle, ArraysAreRowMajor) {
  tensor const t({2, 3}, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ((t[{1, 0}]), 3);
  EXPECT_EQ(t.offset({1, 2}), 5);
  EXPECT_EQ(tensor(7).item(), 7);
  EXPECT_EQ(iota({2, 3}, 0), tensor({2, 3}, {0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(iota({2, 3}, -1), tensor({2, 3}, {0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(full({0, 3}, 1).size(), 0);
  EXPECT_THROW_TEXT(tensor({2, 2}, {1, 2, 3}), "as many values");
  EXPECT_THROW_TEXT(t.item(), "one value");
}

TEST(Oracle, DifferenceIsRelativeAndStrictAboutNan) {
  EXPECT_DOUBLE_EQ(difference({{2}, {1, 101}}, {{2}, {1, 100}}), 0.01);
  EXPECT_EQ(difference({{2}, {nan_, inf}}, {{2}, {nan_, inf}}), 0);
  EXPECT_EQ(difference({{1}, {nan_}}, {{1}, {1}}), inf);
  EXPECT_EQ(difference({{1}, {inf}}, {{1}, {-inf}}), inf);
  EXPECT_EQ(difference({{1}, {1}}, {{1, 1}, {1}}), inf);
  EXPECT_EQ(difference({{1}, {0.5}}, {{1}, {0}}), 0.5);
}

TEST(Oracle, Broadcasting) {
  EXPECT_EQ(broadcast_extents({4, 1, 3}, {5, 1}), (ints{4, 5, 3}));
  EXPECT_EQ(broadcast_extents({}, {2}), (ints{2}));
  EXPECT_EQ(tensor({2, 1}, {10, 20}) + tensor({3}, {1, 2, 3}), tensor({2, 3}, {11, 12, 13, 21, 22, 23}));
  EXPECT_EQ(broadcast_to(tensor({2, 1}, {1, 2}), {2, 2}), tensor({2, 2}, {1, 1, 2, 2}));
  EXPECT_THROW_TEXT(add(full({2}, 0), full({3}, 0)), "2 and 3 do not broadcast");
  EXPECT_THROW_TEXT(broadcast_to(full({2}, 0), {1}), "cannot shrink");
}

TEST(Oracle, Unary) {
  expect_close(gelu(x), {-0.10042842301976715, 0, 0.3457140098251439, 1.954597694087775});
  expect_close(gelu(x, false), {-0.10021080190328709, 0, 0.34573123063700656, 1.9544997361036416});
  expect_close(silu(x), {-0.2736382857095345, 0, 0.3112296656009273, 1.7615941559557646});
  expect_close(softplus(x), {0.2014132779827524, 0.6931471805599453, 0.9740769841801067, 2.1269280110429727});
  expect_close(sigmoid(x), {0.18242552380635635, 0.5, 0.6224593312018546, 0.8807970779778823});
  expect_close(erf(x), {-0.9661051464753108, 0, 0.5204998778130465, 0.9953222650189527});
  expect_close(tanh(x), {-0.9051482536448665, 0, 0.4621171572600098, 0.9640275800758169});
  expect_close(log1p(x + 2), {0.4054651081081644, 1.0986122886681098, 1.252762968495368, 1.6094379124341003});
  expect_close(expm1(x), {-0.7768698398515702, 0, 0.6487212707001281, 6.38905609893065});
  expect_close(rsqrt(x + 2), {1.414213562373095, 0.7071067811865475, 0.6324555320336759, 0.5});
  EXPECT_EQ(relu(x), tensor({4}, {0, 0, 0.5, 2}));
  EXPECT_EQ(round(x), tensor({4}, {-2, 0, 0, 2}));
  EXPECT_EQ(floor(x), tensor({4}, {-2, 0, 0, 2}));
  EXPECT_EQ(ceil(x), tensor({4}, {-1, 0, 1, 2}));
  EXPECT_EQ(sign(x), tensor({4}, {-1, 0, 1, 1}));
  EXPECT_EQ(abs(-x), tensor({4}, {1.5, 0, 0.5, 2}));
  EXPECT_EQ(isnan(tensor({3}, {nan_, inf, 0})), tensor({3}, {1, 0, 0}));
  EXPECT_EQ(isfinite(tensor({3}, {nan_, inf, 0})), tensor({3}, {0, 0, 1}));
  EXPECT_TRUE(std::isnan(sign(nan_).item()));
  EXPECT_TRUE(std::isnan(relu(nan_).item()));
  expect_close(exp(log(x + 3)), {1.5, 3, 3.5, 5});
  expect_close(square(sin(x)) + square(cos(x)), {1, 1, 1, 1});
  expect_close(cosh(x) - sinh(x), exp(-x).data);
  expect_close(erf(x) + erfc(x), {1, 1, 1, 1});
}

TEST(Oracle, Binary) {
  tensor const a({4}, {5, -5, 5, -5}), b({4}, {3, 3, -3, -3});
  EXPECT_EQ(remainder(a, b), tensor({4}, {2, 1, -1, -2}));
  EXPECT_EQ(fmod(a, b), tensor({4}, {2, -2, 2, -2}));
  EXPECT_EQ(floor_divide(a, b), tensor({4}, {1, -2, -2, 1}));
  EXPECT_EQ(a - b, tensor({4}, {2, -8, 8, -2}));
  EXPECT_EQ(a * b / b, a);
  EXPECT_EQ(power(a, 2), tensor({4}, {25, 25, 25, 25}));
  EXPECT_EQ(maximum(a, b), tensor({4}, {5, 3, 5, -3}));
  EXPECT_EQ(minimum(a, 0), tensor({4}, {0, -5, 0, -5}));
  EXPECT_TRUE(std::isnan(maximum(nan_, 1).item()) && std::isnan(minimum(1, nan_).item()));
  EXPECT_EQ(less(a, b), tensor({4}, {0, 1, 0, 1}));
  EXPECT_EQ(greater_equal(a, 5), tensor({4}, {1, 0, 1, 0}));
  EXPECT_EQ(equal(nan_, nan_), 0);
  EXPECT_EQ(not_equal(nan_, nan_), 1);
  EXPECT_EQ(logical_xor(tensor({2}, {2, 0}), 1), tensor({2}, {0, 1}));
  expect_close(logaddexp(1, 2), {2.3132616875182226});
  expect_close(arctan2(1, -1), {2.356194490192345});
  EXPECT_EQ(clip(a, -1, 2), tensor({4}, {2, -1, 2, -1}));
}

TEST(Oracle, WhereBroadcastsAllThree) {
  EXPECT_EQ(where(tensor({2, 1}, {1, 0}), tensor({2}, {1, 2}), -1), tensor({2, 2}, {1, 2, -1, -1}));
}

TEST(Oracle, CastRoundsToWhatTheElementHolds) {
  expect_close(cast({{2}, {0.1, 16777217}}, element::float32), {0.10000000149011612, 16777216});
  EXPECT_EQ(cast(1e39, element::float32), inf);
  EXPECT_EQ(cast({{7}, {1.0009765625, 1.00048828125, 65519, 65520, 6e-8, 0.1, -3.7}}, element::float16),
            tensor({7}, {1.0009765625, 1, 65504, inf, 5.960464477539063e-08, 0.0999755859375, -3.69921875}));
  EXPECT_EQ(cast({{4}, {1.00390625, 1.01171875, 0.1, 3.4e38}}, element::bfloat16),
            tensor({4}, {1, 1.015625, 0.10009765625, inf}));
  EXPECT_EQ(cast({{3}, {-1.7, 1.7, 3}}, element::int32), tensor({3}, {-1, 1, 3}));
  EXPECT_EQ(cast({{3}, {-0.5, 0, 3}}, element::boolean), tensor({3}, {1, 0, 1}));
}

}  // namespace
