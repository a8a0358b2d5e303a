// SPDX-License-Identifier: Apache-2.0
// Programs over several processes, for which threads of this one stand: every process gets the values that one process
// with all devices computes.

#include <tessera/api/processes.hpp>
#include <tessera/comm/threads/threads.hpp>
#include <tessera/comm/world/world.hpp>

#include "support/on_grid.hpp"
#if defined(TESSERA_STAND_IN)
#include "support/card_channel.hpp"
#endif

#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace on_grid;
using rows = ts::P<dp, ts::none>;
using columns = ts::P<ts::none, mp>;
using both = ts::P<dp, mp>;
using whole = ts::P<ts::none, ts::none>;

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>((i * 37 + 11) % 101) / 50.0f - 1.0f;
  return values;
}

bool reproducible() {
  char const* const asked = std::getenv("TESSERA_REPRODUCIBLE");
  return asked && std::string(asked) == "1";
}

// f(mesh) -> an array, in one process and in `ranks` of them: the same bits with TESSERA_REPRODUCIBLE.
template <class F>
void same_in(int ranks, F const& f) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const alone = f(mesh).to_host();
  ts::run_ranks(ranks, [&](std::shared_ptr<ts::channel> world) {
    ts::detail::join_world_as_thread(world);
    {
      auto const spread = ts::make_mesh<grid>(ts::devices());
      EXPECT_EQ(ts::process_count(), ranks);
      auto const x = f(spread);
      auto const got = ts::process_allgather(x);
      ASSERT_EQ(got.size(), alone.size());
      double const bound = reproducible() ? 0 : 1e-5;
      for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_NEAR(got[i], alone[i], bound) << i << " rank " << world->rank();
    }
    ts::detail::join_world_as_thread(nullptr);
  });
}
template <class F>
void same(F const& f) {
  for (int ranks : {2, 4, 8}) same_in(ranks, f);
#if defined(TESSERA_STAND_IN)  // and by messages between cards
  ts::detail::carry_arrays_by(&support::card_channel::make_over);
  same_in(2, f);
  same_in(8, f);
  ts::detail::carry_arrays_by(nullptr);
#endif
}

template <class Spec, std::int64_t... Extents>
auto put(ts::device_mesh<grid> const& mesh) {
  return ts::device_put<Spec>(ts::host<Extents...>(numbers((std::size_t{1} * ... * Extents))), mesh);
}

TEST(Processes, ArraysAreStoredInParts) {
  same([](auto const& mesh) { return put<both, 8, 6>(mesh); });
  same([](auto const& mesh) { return put<rows, 8, 6>(mesh); });
  same([](auto const& mesh) { return put<whole, 8, 6>(mesh); });
}
TEST(Processes, Elementwise) {
  same([](auto const& mesh) { return ts::jit([](auto x) { return ts::tanh(x) * 2 + 1; })(put<both, 8, 6>(mesh)); });
}
TEST(Processes, Sums) {
  same([](auto const& mesh) { return ts::jit([](auto x) { return ts::sum<0>(x); })(put<both, 8, 6>(mesh)); });
  same([](auto const& mesh) { return ts::jit([](auto x) { return ts::sum(x * x); })(put<both, 8, 6>(mesh)); });
}
TEST(Processes, Products) {
  same([](auto const& mesh) {
    return ts::jit([](auto x, auto y) { return ts::matmul(x, y, ts::out_sharding<rows>); })(
        put<both, 8, 6>(mesh), put<ts::P<mp, ts::none>, 6, 4>(mesh));
  });
}
TEST(Processes, Reshards) {
  same([](auto const& mesh) { return ts::reshard<whole>(put<both, 8, 8>(mesh)); });
  same([](auto const& mesh) { return ts::reshard<columns>(put<rows, 8, 8>(mesh)); });
  same([](auto const& mesh) { return ts::reshard<ts::P<mp, dp>>(put<both, 8, 8>(mesh)); });
  same([](auto const& mesh) {
    return ts::reshard<ts::P<ts::axes<mp, dp>, ts::none>>(put<ts::P<ts::axes<dp, mp>, ts::none>, 8, 8>(mesh));
  });
}
template <class F>
void same_region(F f) {
  same([&](auto const& mesh) { return ts::shard_map<ts::out_specs<both>>(f)(put<both, 8, 6>(mesh)); });
}
TEST(Processes, RegionsPermute) {
  same_region([](auto v) { return ts::ppermute<dp>(v, ts::rotate<1>); });
  same_region([](auto v) { return ts::ppermute<mp>(v, ts::rotate<1>); });
}
TEST(Processes, RegionsSum) {
  same_region([](auto v) { return v + ts::psum<dp>(v * v); });
}
TEST(Processes, RegionsMax) {
  same_region([](auto v) { return v + ts::pmax<mp>(v); });
}
TEST(Processes, RegionsAll) {
  same_region([](auto v) { return ts::ppermute<dp>(v, ts::rotate<1>) + ts::psum<dp>(v * v) + ts::pmax<mp>(v); });
}

#if defined(TESSERA_STAND_IN)
TEST(Processes, SendBetweenCards) {
  int const before = support::card_channel::made;
  ts::detail::carry_arrays_by(&support::card_channel::make_over);
  same_in(2, [](auto const& mesh) { return ts::jit([](auto x) { return ts::sum(x * x); })(put<both, 8, 6>(mesh)); });
  ts::detail::carry_arrays_by(nullptr);
  EXPECT_GE(support::card_channel::made - before, 2) << "one a rank";
}
TEST(Processes, CardsTakeNoAddressOfTheHost) {
  ts::run_ranks(2, [](std::shared_ptr<ts::channel> world) {
    float x = 1, y = 0;
    auto const cards = support::card_channel::make_over(world);
    try {
      cards->all_reduce(&y, &x, 1, ts::dtype::float32, ts::monoid::sum, "a sum").wait();
      ADD_FAILURE() << "taken";
    } catch (ts::comm_error const& e) {
      EXPECT_NE(std::string(e.what()).find("an address of the host, for cards"), std::string::npos) << e.what();
    }
  });
}
#endif

}  // namespace
