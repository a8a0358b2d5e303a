// SPDX-License-Identifier: Apache-2.0
// The stand-in card: what runs there, and that mistakes which only a card shows are found. Of a build for it.
// stand-in

#include <tessera/engine/exec/memory/pool.hpp>
#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/device/platform.hpp>
#include <tessera/exec/memory/blocks.hpp>
#include <tessera/exec/memory/buffer.hpp>

#include <gtest/gtest.h>

#if defined(TESSERA_STAND_IN)

#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

constexpr std::int64_t count = 512;

float* floats(ts::buffer const& b) { return reinterpret_cast<float*>(b.data()); }
ts::buffer numbers() {
  std::vector<float> x(count);
  std::iota(x.begin(), x.end(), 0.0f);
  ts::buffer b(count * sizeof(float));
  ts::detail::copy_bytes(b.data(), reinterpret_cast<std::byte*>(x.data()), b.size(), true);
  return b;
}
std::vector<float> read(ts::buffer const& b) {
  std::vector<float> x(b.size() / sizeof(float));
  ts::detail::copy_bytes(reinterpret_cast<std::byte*>(x.data()), b.data(), b.size(), false);
  return x;
}
void launch(auto const& kernel, std::int64_t n = count) { ts::detail::launch_elements("a kernel", n, kernel); }

struct add_one {
  float* x;
  void operator()(std::int64_t i) const { x[i] += 1; }
};
struct read_from {
  float* x;
  float const* from;
  void operator()(std::int64_t i) const { x[i] = from[i]; }
};

// A team's sum, with and without its barriers.
template <bool Barriers>
struct team_sum {
  static constexpr int threads = 64;
  float* x;
  void operator()(ts::detail::team_member const& team) const {
    auto* const parts = static_cast<float*>(team.scratch());
    int const own = team.rank();
    parts[own] = static_cast<float>(own);
    for (int half = threads / 2; half > 0; half /= 2) {
      if constexpr (Barriers) team.barrier();
      if (own < half) parts[own] += parts[own + half];
    }
    if constexpr (Barriers) team.barrier();
    if (own == 0) x[team.team()] = parts[0];
  }
};
struct diverging {
  void operator()(ts::detail::team_member const& team) const {
    if (team.rank() > 0) team.barrier();
  }
};
struct unset_scratch {
  float* x;
  void operator()(ts::detail::team_member const& team) const { x[team.team()] = *static_cast<float*>(team.scratch()); }
};

}  // namespace

TEST(stand_in, runs_launches_in_order) {
  ts::buffer const b = numbers();
  for (int k = 0; k < 3; ++k) launch(add_one{floats(b)});
  auto const x = read(b);
  for (std::int64_t i = 0; i < count; ++i) EXPECT_EQ(x[static_cast<std::size_t>(i)], static_cast<float>(i + 3));
}

TEST(stand_in, runs_teams_between_barriers) {
  ts::buffer const b = numbers();
  for (int again = 0; again < 2; ++again) {
    ts::detail::launch_teams("sums", 5, 64, 64 * sizeof(float), team_sum<true>{floats(b)});
    auto const x = read(b);
    for (std::size_t t = 0; t < 5; ++t) EXPECT_EQ(x[t], 63 * 32);
    EXPECT_EQ(x[5], 5);
  }
}

TEST(stand_in, moves_bytes_behind_launches) {
  ts::buffer const from = numbers(), to(from.size());
  launch(add_one{floats(from)});
  ts::detail::move_on_device(to.data(), from.data(), from.size());
  launch(add_one{floats(from)});
  EXPECT_EQ(read(to)[7], 8);
}

// Mistakes that end the program with a sentence.
TEST(stand_in_death, the_host_reads) {
  ts::buffer const b = numbers();
  EXPECT_DEATH(std::printf("%f", static_cast<double>(floats(b)[3])), "host code reads address");
}
TEST(stand_in_death, the_host_writes) {
  ts::buffer const b = numbers();
  EXPECT_DEATH(floats(b)[3] = 1, "host code writes address");
}
TEST(stand_in_death, the_host_copies) {
  ts::buffer const b = numbers();
  std::vector<float> x(count);
  // A copy that nobody reads would be no code.
  EXPECT_DEATH((std::memcpy(x.data(), b.data(), b.size()), std::printf("%f", static_cast<double>(x[0]))),
               "host code reads address");
}
TEST(stand_in_death, the_host_reads_without_a_fence) {
  ts::buffer const b = numbers();
  launch(add_one{floats(b)});
  EXPECT_DEATH(std::printf("%f", static_cast<double>(floats(b)[0])), "host code reads address");
}
TEST(stand_in_death, the_host_reads_behind_a_fence) {
  ts::buffer const b = numbers();
  launch(add_one{floats(b)});
  ts::fence();
  EXPECT_DEATH(std::printf("%f", static_cast<double>(floats(b)[0])), "host code reads address");
}
TEST(stand_in_death, a_kernel_holds_an_address_of_the_stack) {
  ts::buffer const b = numbers();
  float x[count]{};
  EXPECT_DEATH(launch(read_from{floats(b), x}), "kernel 'a kernel' holds an address of the host");
}
TEST(stand_in_death, a_kernel_holds_an_address_of_the_heap) {
  ts::buffer const b = numbers();
  std::vector<float> const x(count);
  EXPECT_DEATH(launch(read_from{floats(b), x.data()}), "holds an address of the host, .* at byte 8 of 16");
}
TEST(stand_in_death, a_kernel_holds_an_address_of_a_constant) {
  static float const x[count]{};
  ts::buffer const b = numbers();
  EXPECT_DEATH(launch(read_from{floats(b), x}), "holds an address of the host");
}
TEST(stand_in_death, a_kernel_refers_to_what_calls_it) {
  ts::buffer const b = numbers();
  float const added = 2;
  float* const x = floats(b);
  EXPECT_DEATH(launch([&added, x](std::int64_t i) { x[i] += added; }), "holds an address of the host");
}
TEST(stand_in_death, a_kernel_reads_what_was_given_back) {
  ts::buffer const b = numbers();
  float const* gone = nullptr;
  {
    ts::buffer const other(1 << 16);
    gone = floats(other);
  }
  ts::release_unused_memory();
  EXPECT_DEATH((launch(read_from{floats(b), gone}), ts::fence()),
               "kernel 'a kernel' reads address .* nothing is allocated");
}
TEST(stand_in_death, a_kernel_reads_behind_the_end) {
  ts::buffer const b = numbers();
  auto* const own = static_cast<float*>(ts::detail::stand_in::allocate(256));
  EXPECT_DEATH((launch(read_from{floats(b), own}), ts::fence()), "kernel 'a kernel' reads address");
}
TEST(stand_in_death, a_kernel_writes_before_the_begin) {
  auto* const own = static_cast<float*>(ts::detail::stand_in::allocate(4096));
  EXPECT_DEATH((launch(add_one{own - 1}, 1), ts::fence()), "kernel 'a kernel' (reads|writes) address");
}
TEST(stand_in_death, a_copy_from_behind_the_end) {
  std::vector<std::byte> x(8192);
  void* const own = ts::detail::stand_in::allocate(256);
  EXPECT_DEATH(ts::detail::stand_in::copy_out(x.data(), own, x.size()), "a copy reads address");
}
TEST(stand_in_death, a_barrier_that_some_threads_miss) {
  EXPECT_DEATH((ts::detail::launch_teams("diverging", 1, 64, 0, diverging{}), ts::fence()),
               "63 threads of a team wait at a barrier, and 1 have ended");
}

// Mistakes whose numbers differ from what was meant, on one of two runs at least.
template <class Kernel>
bool depends_on_order(Kernel const& make) {
  ts::buffer const first = numbers(), second = numbers();
  make(first);
  auto const x = read(first);
  make(second);
  return x != read(second);
}
TEST(stand_in, shows_elements_that_read_what_others_write) {
  EXPECT_TRUE(depends_on_order([](ts::buffer const& b) {
    float* const x = floats(b);
    launch([x](std::int64_t i) { x[i + 1] = x[i]; }, count - 1);
  }));
}
TEST(stand_in, shows_writes_to_one_place) {
  EXPECT_TRUE(depends_on_order([](ts::buffer const& b) {
    float* const x = floats(b);
    launch([x](std::int64_t i) { x[0] = static_cast<float>(i); });
  }));
}
TEST(stand_in, shows_a_missing_barrier) {
  bool wrong = false;
  for (int again = 0; again < 2; ++again) {
    ts::buffer const b = numbers();
    ts::detail::launch_teams("sums", 5, 64, 64 * sizeof(float), team_sum<false>{floats(b)});
    wrong = wrong || read(b)[0] != 63 * 32;
  }
  EXPECT_TRUE(wrong);
}
TEST(stand_in, shows_memory_that_nobody_wrote) {
  auto* const own = static_cast<float*>(ts::detail::stand_in::allocate(64));
  float x = 0;
  ts::detail::stand_in::copy_out(&x, own, sizeof x);
  EXPECT_TRUE(std::isnan(x));
  ts::buffer const b = numbers();
  ts::detail::launch_teams("unset", 1, 1, sizeof(float), unset_scratch{floats(b)});
  EXPECT_TRUE(std::isnan(read(b)[0]));
}

// Mistakes that throw.
TEST(stand_in, bounds_teams) {
  auto const sums = [](int threads, int scratch) {
    ts::detail::launch_teams("sums", 1, threads, scratch, diverging{});
  };
  EXPECT_THROW(sums(1025, 0), std::invalid_argument);
  EXPECT_THROW(sums(64, 49153), std::invalid_argument);
}
TEST(stand_in, knows_the_sides_of_a_copy) {
  ts::buffer const b = numbers();
  std::vector<std::byte> x(b.size());
  EXPECT_THROW(ts::detail::copy_bytes(x.data(), b.data(), b.size(), true), std::logic_error);
  EXPECT_THROW(ts::detail::copy_bytes(b.data(), x.data(), b.size(), false), std::logic_error);
}
TEST(stand_in, bounds_memory) {
  ts::release_unused_memory();
  std::size_t const before = ts::detail::stand_in::limit(std::size_t{64} << 20);
  {
    ts::buffer const half(std::size_t{40} << 20);
    EXPECT_THROW(ts::buffer(std::size_t{40} << 20), std::bad_alloc);
  }
  EXPECT_NO_THROW(ts::buffer(std::size_t{48} << 20)) << "what waits in the pool is given back for it";
  ts::detail::stand_in::limit(before);
}

#endif
