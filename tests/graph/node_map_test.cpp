// SPDX-License-Identifier: Apache-2.0
// A map of nodes against std::map, for parts at the beginning, in the middle and of no nodes.

#include <tessera/graph/node_map.hpp>

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace {

namespace ts = tessera;

void expect_as_map(int first, int end) {
  ts::detail::node_map<int> made(first, end, -1);
  std::map<int, int> want;
  std::mt19937 random(7);
  for (int turn = 0; turn < 200; ++turn) {
    int const id = static_cast<int>(random() % static_cast<unsigned>(end > 0 ? end : 1));
    if (id >= end) continue;
    made[id] = want[id] = turn;
    for (int k = 0; k < end + 3; ++k) ASSERT_EQ(made.at(k), want.count(k) ? want[k] : -1) << first << ' ' << k;
  }
  int last = -1;
  for (int id : made.before()) {
    EXPECT_TRUE(last < id && id < first);
    EXPECT_EQ(want.count(id), 1u);
    last = id;
  }
}

TEST(node_map, is_a_map) {
  for (int first : {0, 1, 20, 40})
    for (int end : {0, 20, 40}) expect_as_map(first, first > end ? first : end);
}

// Reading adds nothing; a node in front of the part that is asked for by reference counts as one.
TEST(node_map, reading_adds_nothing) {
  ts::detail::node_map<bool> made(10, 20, false);
  EXPECT_FALSE(made.at(3) || made.at(12) || made.at(30));
  EXPECT_EQ(made.before().size(), 0u);
  made[3] = true;
  EXPECT_TRUE(made.at(3));
  EXPECT_EQ(made.before().size(), 1u);
}

constexpr int sum_while_compiling() {
  ts::detail::node_map<int> made(4, 8, 0);
  for (int id : {6, 2, 0, 1, 2}) made[id] += id + 1;
  return made.at(0) + 10 * made.at(1) + 100 * made.at(2) + 1000 * made.at(6);
}
static_assert(sum_while_compiling() == 1 + 20 + 600 + 7000);

}  // namespace
