// SPDX-License-Identifier: Apache-2.0
#include <tessera/base/inplace_list.hpp>
#include <tessera/base/loops.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {
namespace detail = tessera::detail;

struct loop {
  std::int64_t extent = 1, x = 0, y = 0;
  bool operator==(loop const&) const = default;
};
using loops = tessera::inplace_list<loop, 8>;

constexpr bool joins(loop const& outer, loop const& inner) { return detail::one_run(outer, inner, &loop::x, &loop::y); }
loops joined(loops all) {
  detail::join_loops(all, joins);
  return all;
}

// Places in x and y of all elements, in order.
std::vector<std::pair<std::int64_t, std::int64_t>> places(loops const& all) {
  std::vector<std::pair<std::int64_t, std::int64_t>> list;
  for (std::int64_t flat = 0; flat < detail::extents_product(all); ++flat) {
    std::int64_t x = 0, y = 0;
    detail::unravel(all.begin(), all.size(), flat, [&](int d, std::int64_t i) {
      x += i * all[d].x;
      y += i * all[d].y;
    });
    list.emplace_back(x, y);
  }
  return list;
}

TEST(Loops, AFlatPlaceIsAnIndexOfEachLoop) {
  std::int64_t const extents[]{2, 3, 4};
  for (std::int64_t flat = 0; flat < 24; ++flat) {
    std::int64_t index[3]{};
    detail::unravel(extents, 3, flat, [&](int d, std::int64_t i) { index[d] = i; });
    EXPECT_EQ(index[0], flat / 12);
    EXPECT_EQ(index[1], flat / 4 % 3);
    EXPECT_EQ(index[2], flat % 4);
  }
}
TEST(Loops, NeighborsThatAreOneRunInAllArraysAreJoined) {
  EXPECT_EQ(joined({{2, 12, 12}, {3, 4, 4}, {4, 1, 1}}), (loops{{24, 1, 1}}));
  EXPECT_EQ(joined({{2, 12, 24}, {3, 4, 8}, {4, 1, 1}}), (loops{{6, 4, 8}, {4, 1, 1}}));
  EXPECT_EQ(joined({{2, 12, 12}, {3, 4, 5}, {4, 1, 1}}), (loops{{2, 12, 12}, {3, 4, 5}, {4, 1, 1}}));
}
TEST(Loops, ExtentsOfOneGo) {
  EXPECT_EQ(joined({{1, 7, 7}, {3, 4, 4}, {1, 9, 1}, {4, 1, 1}}), (loops{{12, 1, 1}}));
  EXPECT_EQ(joined({{1, 7, 7}, {1, 4, 4}}), loops{});
}
TEST(Loops, EmptyOnesStay) { EXPECT_EQ(joined({{0, 5, 5}, {3, 1, 1}}), (loops{{0, 5, 5}, {3, 1, 1}})); }
TEST(Loops, AreSortedByTheirStepsAndEqualOnesStayInOrder) {
  loops all{{2, 1, 0}, {3, 5, 1}, {4, 1, 2}, {5, 7, 3}};
  detail::sort_loops(all, [](loop const& l) { return l.x; });
  EXPECT_EQ(all, (loops{{5, 7, 3}, {3, 5, 1}, {2, 1, 0}, {4, 1, 2}}));
}
TEST(Loops, JoiningKeepsEveryPlace) {
  std::mt19937 random(7);
  for (int k = 0; k < 500; ++k) {
    loops all;
    std::int64_t x = 1, y = 1;
    std::vector<loop> from_inside;
    for (int d = static_cast<int>(random() % 5); d > 0; --d) {
      loop const l{static_cast<std::int64_t>(random() % 4 + 1), x, y};
      from_inside.push_back(l);
      x *= random() % 4 ? l.extent : l.extent + 1;
      y *= random() % 4 ? l.extent : 0;
    }
    for (auto l = from_inside.rbegin(); l != from_inside.rend(); ++l) all.push_back(*l);
    EXPECT_EQ(places(joined(all)), places(all));
  }
}
}  // namespace
