// SPDX-License-Identifier: Apache-2.0
// shuffled_order: each number once, at every size; the same for ever; and as good as random where a test can look.

#include <tessera/data/shuffled_order.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

namespace {

namespace ts = tessera;

std::vector<std::int64_t> all_of(std::int64_t n, std::uint64_t key) {
  ts::shuffled_order const order(n, key);
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < n; ++i) numbers.push_back(order[i]);
  return numbers;
}

// Of counts that should be equal: how many standard deviations their chi-square is above what it is by chance.
double excess(std::vector<int> const& counts) {
  double const expected =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0)) / static_cast<double>(counts.size());
  double square = 0;
  for (int count : counts) square += (count - expected) * (count - expected) / expected;
  double const freedom = static_cast<double>(counts.size() - 1);
  return (square - freedom) / std::sqrt(2 * freedom);
}
std::size_t bin_of(std::int64_t number, std::int64_t n, std::size_t bins) {
  return static_cast<std::size_t>(static_cast<double>(number) / static_cast<double>(n) * static_cast<double>(bins));
}

TEST(shuffled_order, each_number_once) {
  for (std::int64_t const n : {0, 1, 2, 3, 5, 16, 1000, 65535, 65536, 65537, 65600, 100003, 262144, 1000000}) {
    auto numbers = all_of(n, 7);
    std::sort(numbers.begin(), numbers.end());
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(numbers[i], i) << n;
  }
}

TEST(shuffled_order, numbers_of_more_than_32_bits) {
  for (int const bits : {33, 47, 62}) {
    std::int64_t const n = (std::int64_t{1} << bits) - (bits < 62 ? 3 : 0);
    ts::shuffled_order const order(n, 1);
    std::set<std::int64_t> seen;
    for (std::int64_t i = 0; i < 2000; ++i) {
      std::int64_t const at = i % 2 ? i : n - 1 - i;
      ASSERT_GE(order[at], 0);
      ASSERT_LT(order[at], n);
      EXPECT_TRUE(seen.insert(order[at]).second);
    }
  }
  EXPECT_THROW(ts::shuffled_order(-1, 0), std::invalid_argument);
  EXPECT_THROW(ts::shuffled_order((std::int64_t{1} << 62) + 1, 0), std::invalid_argument);
}

// A position that was saved years ago means the same rows.
TEST(shuffled_order, is_the_same_for_ever) {
  EXPECT_EQ(all_of(10, 1), (std::vector<std::int64_t>{5, 1, 0, 2, 7, 3, 9, 6, 8, 4}));
  ts::shuffled_order const large(1000003, 42);
  std::vector<std::int64_t> const first{large[0], large[1], large[2], large[1000002]};
  EXPECT_EQ(first, (std::vector<std::int64_t>{370616, 904031, 191217, 989559}));
}

TEST(shuffled_order, of_five_numbers_every_order_is_as_likely) {
  std::map<std::vector<std::int64_t>, int> seen;
  for (std::uint64_t key = 0; key < 24000; ++key) ++seen[all_of(5, key)];
  ASSERT_EQ(seen.size(), 120u);
  std::vector<int> counts;
  for (auto const& [order, count] : seen) counts.push_back(count);
  EXPECT_LT(excess(counts), 4.5);
}

// What computes an order instead of storing it: one number over keys, pairs of places, neighbors, neighboring keys.
TEST(shuffled_order, computed_orders_look_random) {
  std::int64_t const n = 65537 + 3000;
  constexpr std::size_t bins = 64;
  std::vector<int> one(bins), pair(bins), neighbors(bins), keys(bins);
  for (std::uint64_t key = 0; key < 20000; ++key) {
    ts::shuffled_order const order(n, key), other(n, key + 1);
    ++one[bin_of(order[17], n, bins)];
    ++pair[bin_of(order[0], n, 8) * 8 + bin_of(order[1], n, 8)];
    ++keys[bin_of((order[5] - other[5] + n) % n, n, bins)];
  }
  auto const numbers = all_of(n, 3);
  int fixed = 0;
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    ++neighbors[bin_of((numbers[i + 1] - numbers[i] + n) % n, n, bins)];
    fixed += numbers[i] == static_cast<std::int64_t>(i);
  }
  EXPECT_LT(excess(one), 4.5);
  EXPECT_LT(excess(pair), 4.5);
  EXPECT_LT(excess(neighbors), 4.5);
  EXPECT_LT(excess(keys), 4.5);
  EXPECT_LT(fixed, 10);  // one by chance
}

TEST(shuffled_order, rows_are_split_in_two) {
  auto const [train, test] = ts::split_rows(101, 25, 9);
  ts::shuffled_order const order(101, 9);
  std::set<std::int64_t> seen;
  for (auto const& set : {train, test}) {
    EXPECT_EQ(set.all, 101);
    for (std::int64_t i = 0; i < set.count; ++i) seen.insert(order[set.first + i]);
  }
  EXPECT_EQ(test.count, 25);
  EXPECT_EQ(seen.size(), 101u);
  EXPECT_THROW(ts::split_rows(10, 11, 1), std::invalid_argument);
  EXPECT_THROW(ts::split_rows(10, -1, 1), std::invalid_argument);
}

}  // namespace
