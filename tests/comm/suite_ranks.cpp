// SPDX-License-Identifier: Apache-2.0
// Channels of MPI do what every channel does; also in a communicator of the user's.

#include <support/channel_suite.hpp>
#include <support/world.hpp>

#include <gtest/gtest.h>

namespace ts = tessera;

namespace {

class mpi_channels : public testing::TestWithParam<ts::testing::channel_case> {};

TEST_P(mpi_channels, do_it) { GetParam().run(ts::testing::world()); }

INSTANTIATE_TEST_SUITE_P(suite, mpi_channels, testing::ValuesIn(ts::testing::channel_cases()),
                         [](auto const& what) { return std::string(what.param.name); });

TEST(mpi, takes_a_communicator_of_the_user) {
  auto& world = ts::testing::world();
  MPI_Comm some = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank() == 0, 0, &some);
  {
    auto const mine = ts::mpi_channel(some);
    MPI_Comm_free(&some);  // the channel has its own
    EXPECT_EQ(mine->size(), world.rank() == 0 ? 1 : world.size() - 1);
    ts::testing::case_splits(*mine);
  }
  world.barrier("both are done").wait();
}

TEST(mpi, says_which_one_it_is) { EXPECT_EQ(ts::testing::world().name().substr(0, 5), "mpi ("); }

TEST(mpi, joins_some_ranks_without_the_others) {
  auto& world = ts::testing::world();
  if (world.rank() != 0 || world.size() == 1) {
    std::vector<int> some;
    for (int rank = world.size() - 1; rank > 0; --rank) some.push_back(rank);
    for (int turn = 0; turn < 2 && world.size() > 1; ++turn) {
      auto const part = world.among(some, "all but the first");
      ASSERT_EQ(part->size(), world.size() - 1);
      ASSERT_EQ(part->rank(), world.size() - 1 - world.rank());
      int sum = world.rank();
      part->all_reduce(&sum, &sum, 1, ts::dtype::int32, ts::monoid::sum, "among").wait();
      EXPECT_EQ(sum, world.size() * (world.size() - 1) / 2);
    }
  }
  EXPECT_THROW((void)world.among({}, "nobody"), std::invalid_argument);
  EXPECT_THROW((void)world.among({world.rank(), world.rank()}, "twice"), std::invalid_argument);
  world.barrier("all are done").wait();
}

TEST(mpi, counts_past_31_bits) {
  if (std::getenv("TESSERA_NIGHTLY") == nullptr) GTEST_SKIP() << "at night: it takes 6 GiB a rank";
  if (ts::testing::world().size() > 2) GTEST_SKIP() << "two ranks are enough";
  ts::testing::case_large(ts::testing::world());
  ts::testing::case_large_parts(ts::testing::world());
}

}  // namespace
