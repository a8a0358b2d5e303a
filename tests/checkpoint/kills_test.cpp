// SPDX-License-Identifier: Apache-2.0
// A program that saves again and again is killed at a random moment: the checkpoint before or the one it was writing is
// there, whole. 30 kills, at night 1000.

#include <tessera/checkpoint.hpp>

#include "support/on_grid.hpp"
#include "support/own_folder.hpp"

#include <csignal>
#include <cstdlib>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace on_grid;
using ts::P;
using ts::testing::own_folder;

auto filled(int turn) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::vector<float> values(256 * 256, static_cast<float>(turn));
  return std::tuple{ts::device_put<P<dp, mp>>(ts::host<256, 256>(values), mesh),
                    ts::device_put<P<mp>>(ts::host<256, 256>(values), mesh), turn};
}
using state = decltype(filled(0));

struct how {
  bool numbered, on_a_thread, exchange;
};

// In the child: saves the states in turn, and tells the parent of each that is in place. `states`: made before the fork, since
// a child has none of its parent's OpenMP threads.
[[noreturn]] void save_forever(std::string const& path, how h, std::vector<state> const& states, int first, int tell) {
  for (int turn = first;; ++turn) {
    ts::detail::save_request request{.path = path, .may_exchange = h.exchange};
    if (h.numbered) {
      request.path = ts::checkpoints(path).path(turn);
      request.folder = path;
      request.keep = 2;
      request.step = turn;
    }
    auto leaves = ts::detail::leaves_of(states[static_cast<std::size_t>(turn) % states.size()]);
    leaves.values = {{"2", ts::detail::json_of(std::int64_t{turn})}};
    ts::detail::end_save(*ts::detail::begin_save(std::move(leaves), request, h.on_a_thread));
    if (::write(tell, &turn, sizeof turn) != sizeof turn) ::_exit(1);
  }
}

void killed(how h) {
  if (TESSERA_THREAD_SANITIZER) GTEST_SKIP() << "a child of several threads cannot start one under thread sanitizer";
  own_folder const folder;
  auto const path = folder / "run";
  std::vector<state> states;
  for (int turn = 0; turn < 4; ++turn) states.push_back(filled(turn));
  std::mt19937 random(h.numbered * 4u + h.on_a_thread * 2u + h.exchange);
  int const kills = std::getenv("TESSERA_NIGHTLY") ? 250 : 8;
  int turn = 0;
  for (int kill = 0; kill < kills; ++kill) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    auto const child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(ends[0]);
      save_forever(path, h, states, turn + 1, ends[1]);
    }
    ::close(ends[1]);
    int told = turn;
    // The first kill comes when something is there.
    if (kill == 0) {
      ASSERT_EQ(::read(ends[0], &told, sizeof told), static_cast<ssize_t>(sizeof told));
    }
    ::usleep(std::uniform_int_distribution<useconds_t>(0, 25000)(random));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself";
    while (::read(ends[0], &told, sizeof told) == static_cast<ssize_t>(sizeof told)) {
    }
    ::close(ends[0]);

    auto const from = h.numbered ? ts::checkpoints(path).path(ts::checkpoints(path).last()) : path;
    auto const back = ts::restore(from, states[0]);
    turn = std::get<2>(back);
    EXPECT_TRUE(turn == told || turn == told + 1) << turn << " after " << told;
    auto const value = static_cast<float>(turn % 4);
    for (auto const& x : {std::get<0>(back).to_host(), std::get<1>(back).to_host()})
      ASSERT_EQ(std::count(x.begin(), x.end(), value), 256 * 256);
  }
  // At most what the last one left and was not removed yet.
  EXPECT_LE(std::distance(std::filesystem::directory_iterator(h.numbered ? path : folder.path()), {}),
            h.numbered ? 6 : 3);
}

TEST(Kills, OnePath) { killed({false, false, true}); }
TEST(Kills, OnePathByTwoRenames) { killed({false, false, false}); }
TEST(Kills, OnAThread) { killed({false, true, true}); }
TEST(Kills, NumberedSteps) { killed({true, true, true}); }

}  // namespace
