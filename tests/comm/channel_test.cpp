// SPDX-License-Identifier: Apache-2.0
// Channels of one rank, and of ranks that are threads: what every channel does, and what it says when a rank fails.

#include <tessera/comm/channel/alone.hpp>
#include <tessera/comm/threads/threads.hpp>

#include <support/channel_suite.hpp>
#include <support/throws.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace ts = tessera;

namespace {

class channels : public testing::TestWithParam<ts::testing::channel_case> {};

TEST_P(channels, of_one_rank) { GetParam().run(*ts::alone()); }
TEST_P(channels, of_threads) {
  for (int const ranks : {1, 2, 3, 4, 8})
    ts::run_ranks(ranks, [&](std::shared_ptr<ts::channel> world) { GetParam().run(*world); });
}

INSTANTIATE_TEST_SUITE_P(suite, channels, testing::ValuesIn(ts::testing::channel_cases()),
                         [](auto const& what) { return std::string(what.param.name); });

// What rank 0 is told when rank 1 of three does `f` instead of its second message.
ts::comm_error told(std::function<void(ts::channel&)> const& f, double deadline = 20) {
  std::unique_ptr<ts::comm_error> error;
  std::atomic<bool> known = false;
  try {
    ts::run_ranks(3, [&](std::shared_ptr<ts::channel> world) {
      world->deadline(deadline);
      world->barrier("begin, test.cpp:1").wait();
      float data[2]{};
      try {
        if (world->rank() == 1) f(*world);
        world->all_reduce(data, data, 1, ts::dtype::float32, ts::monoid::sum, "loss, test.cpp:2").wait();
      } catch (ts::comm_error const& what) {
        if (world->rank() == 0) {
          error = std::make_unique<ts::comm_error>(what);
          known = true;
        }
        throw;
      }
    });
  } catch (std::exception const&) {
  }
  return error ? *error : ts::comm_error("nothing", ts::message_kind::barrier, "", 0, {});
}

TEST(channel_errors, name_a_rank_that_left) {
  auto const error = told([](ts::channel&) { throw std::runtime_error("no such file"); });
  EXPECT_EQ(error.missing(), std::vector<int>{1}) << error.what();
  EXPECT_EQ(error.label(), "loss, test.cpp:2");
  EXPECT_EQ(error.number(), 2);
  EXPECT_EQ(error.kind(), ts::message_kind::all_reduce);
  std::string const text = error.what();
  for (char const* const part :
       {"all_reduce (sum) of 1 float32, \"loss, test.cpp:2\", cannot end: a rank is gone", "message 2 of channel world",
        "rank 1 (process ", "has not begun it; its last here is message 1, barrier \"begin, test.cpp:1\"",
        "it failed: no such file"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(channel_errors, name_a_rank_that_does_not_come) {
  auto const error = told([](ts::channel&) { std::this_thread::sleep_for(std::chrono::milliseconds(900)); }, 0.3);
  EXPECT_EQ(error.missing(), std::vector<int>{1}) << error.what();
  std::string const text = error.what();
  EXPECT_NE(text.find("did not end within 0.3 s"), std::string::npos) << text;
  EXPECT_NE(text.find("it waits for no message"), std::string::npos) << text;
}

TEST(channel_errors, name_a_rank_that_says_something_else) {
  auto const error = told([](ts::channel& on) {
    float data[2]{};
    on.all_reduce(data, data, 2, ts::dtype::float32, ts::monoid::sum, "gradients, test.cpp:3").wait();
  });
  EXPECT_NE(std::string(error.what()).find("the ranks disagree about it"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("gradients, test.cpp:3"), std::string::npos) << error.what();
}

TEST(channel_errors, stay) {
  EXPECT_THROW(ts::run_ranks(2,
                             [](std::shared_ptr<ts::channel> world) {
                               if (world->rank() == 1) return;
                               EXPECT_THROW(world->barrier("first").wait(), ts::comm_error);
                               EXPECT_TRUE(world->failed());
                               EXPECT_NE(world->failure().find("first"), std::string::npos);
                               world->barrier("second").wait();
                             }),
               ts::comm_error);
}

TEST(channel_errors, of_what_began_it_reach_the_caller) {
  EXPECT_THROW_TEXT(ts::run_ranks(4,
                                  [](std::shared_ptr<ts::channel> world) {
                                    if (world->rank() == 2) throw std::logic_error("rank 2 began it");
                                    world->barrier("never").wait();
                                  }),
                    "rank 2 began it");
}

// A message that is dropped is waited for: its buffers are free when the handle ends.
TEST(channels, wait_for_what_is_dropped) {
  ts::run_ranks(2, [](std::shared_ptr<ts::channel> world) {
    int in = world->rank() + 1, out = 0;
    { auto const dropped = world->all_reduce(&out, &in, 1, ts::dtype::int32, ts::monoid::sum, "dropped"); }
    EXPECT_EQ(out, 3);
  });
}

// Channels of some ranks are told apart by their ranks and by how many there were of these, not by who asks first: rank 0 has
// asked for all of them before the others ask for one.
TEST(channels, of_some_ranks_are_of_these) {
  std::atomic<bool> asked{false};
  ts::run_ranks(3, [&](std::shared_ptr<ts::channel> world) {
    while (world->rank() != 0 && !asked) std::this_thread::yield();
    std::vector<std::shared_ptr<ts::channel>> with[3];  // by the other rank
    for (int time = 0; time < 2; ++time)
      for (int other = 1; other < 3; ++other)
        if (world->rank() == 0 || world->rank() == other) with[other].push_back(world->among({0, other}, "a pair"));
    asked = true;
    for (int other = 1; other < 3; ++other)
      for (std::size_t time = 0; time < with[other].size(); ++time) {
        int in = 100 * world->rank() + static_cast<int>(time), out = 0;
        with[other][time]->all_reduce(&out, &in, 1, ts::dtype::int32, ts::monoid::sum, "pair").wait();
        EXPECT_EQ(out, 100 * other + 2 * static_cast<int>(time));
      }
  });
}

}  // namespace
