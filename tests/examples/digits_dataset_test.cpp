// SPDX-License-Identifier: Apache-2.0
// examples/digits/dataset.hpp: the split holds each row once, and last batches are padded with rows of mask 0.

#include "../../examples/digits/dataset.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using digits::pixels;

// Row i has pixels 100 i, 100 i + 1, ... and label i.
digits::images_and_labels numbered(std::size_t rows) {
  digits::images_and_labels data;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < pixels; ++k) data.images.push_back(static_cast<float>(100 * i + k));
    data.labels.push_back(static_cast<std::int32_t>(i));
  }
  return data;
}

void expect_rows_whole(digits::images_and_labels const& data) {
  ASSERT_EQ(data.images.size(), data.rows() * pixels);
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (std::size_t k = 0; k < pixels; ++k)
      ASSERT_EQ(data.images[i * pixels + k], static_cast<float>(100 * static_cast<std::size_t>(data.labels[i]) + k));
}

TEST(digits_dataset, the_split_holds_each_row_once) {
  for (std::size_t const rows : {1u, 4u, 7u, 101u}) {
    digits::random_stream random(3);
    auto const parts = digits::shuffle_and_split(numbered(rows), random);
    EXPECT_EQ(parts.test.rows(), rows / 4);
    EXPECT_EQ(parts.train.rows(), rows - rows / 4);
    expect_rows_whole(parts.train);
    expect_rows_whole(parts.test);
    std::set<std::int32_t> seen(parts.train.labels.begin(), parts.train.labels.end());
    seen.insert(parts.test.labels.begin(), parts.test.labels.end());
    EXPECT_EQ(seen.size(), rows);
  }
}

TEST(digits_dataset, the_seed_decides_the_order) {
  auto const order = [](std::uint64_t seed) {
    digits::random_stream random(seed);
    return digits::shuffle_and_split(numbered(101), random).train.labels;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST(digits_dataset, a_full_batch) {
  auto const b = digits::make_batch(numbered(8), {7, 6, 5, 4, 3, 2, 1, 0}, 2, 4);
  EXPECT_EQ(b.labels, (std::vector<std::int32_t>{5, 4, 3, 2}));
  EXPECT_EQ(b.mask, (std::vector<float>{1, 1, 1, 1}));
  ASSERT_EQ(b.images.size(), 4 * pixels);
  EXPECT_EQ(b.images[0], 500.0f);
  EXPECT_EQ(b.images[4 * pixels - 1], 263.0f);
}

TEST(digits_dataset, a_last_batch_is_padded_and_masked) {
  auto const b = digits::make_batch(numbered(6), {5, 4, 3, 2, 1, 0}, 4, 4);
  EXPECT_EQ(b.mask, (std::vector<float>{1, 1, 0, 0}));
  EXPECT_EQ(b.labels, (std::vector<std::int32_t>{1, 0, 0, 0}));
  ASSERT_EQ(b.images.size(), 4 * pixels);
  EXPECT_EQ(b.images[0], 100.0f);
  for (std::size_t at = 2 * pixels; at < b.images.size(); ++at) ASSERT_EQ(b.images[at], 0.0f);
}

// However the batch size divides the rows: each row is unmasked in one batch, and the mask counts the rows.
TEST(digits_dataset, batches_visit_each_row_once) {
  for (std::size_t const rows : {1u, 63u, 64u, 65u, 128u, 130u}) {
    auto const data = numbered(rows);
    digits::random_stream random(5);
    auto const order = digits::shuffled(rows, random);
    std::multiset<std::int32_t> seen;
    for (std::size_t first = 0; first < rows; first += 64) {
      auto const b = digits::make_batch(data, order, first, 64);
      ASSERT_EQ(b.mask.size(), 64u);
      for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(b.mask[i], first + i < rows ? 1.0f : 0.0f);
        if (b.mask[i] == 1) seen.insert(b.labels[i]);
      }
    }
    ASSERT_EQ(seen.size(), rows);
    EXPECT_EQ((std::set<std::int32_t>{seen.begin(), seen.end()}.size()), rows);
  }
}

TEST(digits_dataset, weights_have_the_variance_that_they_state) {
  digits::random_stream random(1);
  std::size_t const count = 100000, inputs = 64;
  auto const weights = digits::initial_weights(count, inputs, random);
  double sum = 0, squares = 0;
  for (float w : weights) sum += w, squares += static_cast<double>(w) * w;
  double const variance = squares / static_cast<double>(count) * static_cast<double>(inputs);
  EXPECT_NEAR(sum / static_cast<double>(count), 0, 0.002);
  EXPECT_NEAR(variance, 1, 0.02);
}

}  // namespace
