// SPDX-License-Identifier: Apache-2.0
// Each tile of a launch runs once, whoever launches it and however many threads there are.

#include <tessera/exec/device/host_team.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using tessera::detail::host_team;

struct counted {
  explicit counted(std::int64_t tiles) : times(static_cast<std::size_t>(tiles)) {}
  std::vector<std::atomic<int>> times;
  void run_on(host_team& team) {
    auto const call = [](void const* work, std::int64_t tile) {
      auto* const self = static_cast<counted*>(const_cast<void*>(work));
      self->times[tile].fetch_add(1, std::memory_order_relaxed);
    };
    team.run(call, this, static_cast<std::int64_t>(times.size()));
  }
  bool all(int expected) const {
    for (auto const& t : times)
      if (t.load() != expected) return false;
    return true;
  }
};

}  // namespace

TEST(host_team, runs_each_tile_once) {
  for (int const threads : {1, 2, 3, 7}) {
    host_team team(threads);
    for (std::int64_t const tiles : {0, 1, 2, 5, 64, 1000}) {
      counted work(tiles);
      for (int k = 1; k <= 50; ++k) {
        work.run_on(team);
        EXPECT_TRUE(work.all(k)) << threads << " threads, " << tiles << " tiles";
      }
    }
  }
}

TEST(host_team, takes_launches_of_several_threads) {
  host_team team(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      counted work(100);
      for (int k = 1; k <= 200; ++k) {
        work.run_on(team);
        if (!work.all(k)) ++wrong;
      }
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(host_team, runs_a_launch_within_a_tile_where_it_is) {
  host_team team(3);
  struct nested {
    host_team& team;
    std::vector<counted> inner;
  } work{team, {}};
  for (int k = 0; k < 10; ++k) work.inner.emplace_back(20);
  auto const call = [](void const* given, std::int64_t tile) {
    auto* const self = static_cast<nested*>(const_cast<void*>(given));
    self->inner[tile].run_on(self->team);
  };
  team.run(call, &work, 10);
  for (counted const& c : work.inner) EXPECT_TRUE(c.all(1));
}

// Helpers that have gone to sleep wake up, or are not needed.
TEST(host_team, goes_on_after_a_rest) {
  host_team team(2);
  counted work(8);
  for (int k = 1; k <= 5; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    work.run_on(team);
    EXPECT_TRUE(work.all(k));
  }
}
