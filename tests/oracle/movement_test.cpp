// SPDX-License-Identifier: Apache-2.0
// The oracle's movements and contractions against values worked out by hand.

#include "support/oracle/oracle.hpp"
#include "support/throws.hpp"

#include <gtest/gtest.h>

using namespace oracle;

namespace {

tensor const x({2, 3}, {0, 1, 2, 3, 4, 5});

TEST(Oracle, TransposeAndReshape) {
  EXPECT_EQ(transpose(x), tensor({3, 2}, {0, 3, 1, 4, 2, 5}));
  tensor const y = reshape(arange(24), {2, 3, 4}), z = transpose(y, {2, 0, -2});
  EXPECT_EQ(z.extents, (ints{4, 2, 3}));
  EXPECT_EQ((z[{3, 1, 2}]), (y[{1, 2, 3}]));
  EXPECT_EQ(transpose(z, {1, 2, 0}), y);
  EXPECT_EQ(reshape(x, {3, -1}), tensor({3, 2}, {0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(expand_dims(x, -1).extents, (ints{2, 3, 1}));
  EXPECT_EQ(squeeze(expand_dims(x, 1), 1), x);
  EXPECT_THROW_TEXT(reshape(x, {4}), "as many values");
}

TEST(Oracle, ConcatenateStackAndTile) {
  EXPECT_EQ(concatenate({x, tensor({2, 1}, {8, 9})}, 1), tensor({2, 4}, {0, 1, 2, 8, 3, 4, 5, 9}));
  EXPECT_EQ(concatenate({x, full({0, 3}, 0), x}, 0).extents, (ints{4, 3}));
  EXPECT_EQ(stack({1, 2, 3}, 0), tensor({3}, {1, 2, 3}));
  EXPECT_EQ(tile(tensor({1, 2}, {1, 2}), {2, 2}), tensor({2, 4}, {1, 2, 1, 2, 1, 2, 1, 2}));
  EXPECT_THROW_TEXT(concatenate({x, transpose(x)}, 0), "extents differ");
}

TEST(Oracle, SlicePadAndFlip) {
  EXPECT_EQ(slice(x, {0, 1}, {2, 3}), tensor({2, 2}, {1, 2, 4, 5}));
  EXPECT_EQ(slice(arange(7), {1}, {7}, {3}), tensor({2}, {1, 4}));
  EXPECT_EQ(slice(arange(7), {2}, {2}).size(), 0);
  EXPECT_EQ(update_slice(x, tensor({1, 2}, {8, 9}), {1, 1}), tensor({2, 3}, {0, 1, 2, 3, 8, 9}));
  EXPECT_EQ(pad(tensor({2}, {1, 2}), 9, {1}, {2}), tensor({5}, {9, 1, 2, 9, 9}));
  EXPECT_EQ(pad(tensor({3}, {1, 2, 3}), 9, {1}, {-1}, {2}), tensor({7}, {9, 1, 9, 9, 2, 9, 9}));
  EXPECT_EQ(pad(tensor({3}, {1, 2, 3}), 9, {-1}, {0}), tensor({2}, {2, 3}));
  EXPECT_EQ(flip(x, {1}), tensor({2, 3}, {2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(flip(x, {0, 1}), tensor({2, 3}, {5, 4, 3, 2, 1, 0}));
  EXPECT_THROW_TEXT(slice(x, {0, 0}, {2, 4}), "out of bounds");
}

TEST(Oracle, OneHot) {
  EXPECT_EQ(one_hot(tensor({3}, {1, 0, 5}), 3), tensor({3, 3}, {0, 1, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(one_hot(2, 3), tensor({3}, {0, 0, 1}));
}

TEST(Oracle, Matmul) {
  tensor const want({2, 2}, {5, 14, 14, 50});
  EXPECT_EQ(matmul(x, transpose(x)), want);
  EXPECT_EQ(matmul(x, arange(3)), tensor({2}, {5, 14}));
  EXPECT_EQ(matmul(arange(2), x), tensor({3}, {3, 4, 5}));
  EXPECT_EQ(matmul(arange(3), arange(3)), 5);
  tensor const batch = matmul(broadcast_to(x, {4, 1, 2, 3}), broadcast_to(transpose(x), {5, 3, 2}));
  EXPECT_EQ(batch, broadcast_to(want, {4, 5, 2, 2}));
  EXPECT_THROW_TEXT(matmul(x, x), "inner extents differ");
}

TEST(Oracle, Einsum) {
  EXPECT_EQ(einsum("ij,kj->ik", x, x), tensor({2, 2}, {5, 14, 14, 50}));
  EXPECT_EQ(einsum("ij,jk", x, transpose(x)), tensor({2, 2}, {5, 14, 14, 50}));
  EXPECT_EQ(einsum("i,j->ji", arange(2), arange(3)), tensor({3, 2}, {0, 0, 0, 1, 0, 2}));
  EXPECT_EQ(einsum("ij,ij->", x, x), 55);
  EXPECT_EQ(einsum("ij->j", {x}), tensor({3}, {3, 5, 7}));
  EXPECT_EQ(einsum("ii->i", {reshape(arange(4), {2, 2})}), tensor({2}, {0, 3}));
  EXPECT_EQ(einsum("ij,j,j->i", {x, arange(3), full({3}, 2)}), tensor({2}, {10, 28}));
  tensor const a = scattered({2, 3, 4}), b = scattered({2, 4, 5}, -1, 1, 2);
  EXPECT_TRUE(close(einsum("bij,bjk->bik", a, b), matmul(a, b)));
  EXPECT_THROW_TEXT(einsum("ij,ij->", x, transpose(x)), "two extents for i");
}

TEST(Oracle, DotGeneralHasBatchThenLeftThenRight) {
  tensor const a = scattered({2, 3, 4, 5}), b = scattered({5, 6, 4, 2}, -1, 1, 2);
  EXPECT_TRUE(close(dot_general(a, b, {{3}, {0}, {0, 2}, {3, 2}}), einsum("nhbk,kobn->nbho", a, b)));
  EXPECT_TRUE(close(dot_general(a, b, {{3, 2}, {0, 2}}), einsum("xyck,kocz->xyoz", a, b)));
  EXPECT_EQ(dot_general(arange(2), arange(3), {{}, {}}), tensor({2, 3}, {0, 0, 0, 0, 1, 2}));
}

}  // namespace
