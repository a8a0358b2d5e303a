// SPDX-License-Identifier: Apache-2.0
// Calls from several threads at once: the same program and different ones, the first call of each among them, sizes known
// only then, arguments given up, what is counted and what is printed. Each thread must see what it would see alone.

#include <tessera/engine/exec/move/in_process.hpp>

#include "support/on_grid.hpp"

#include <latch>
#include <set>
#include <sstream>
#include <string>
#include <thread>

namespace {

using namespace on_grid;

constexpr int thread_count = 4, calls = 8;

// f(thread, call), from all threads at once, several times each.
template <class F>
void at_once(F const& f) {
  std::latch start(thread_count);
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      for (int call = 0; call < calls; ++call) f(t, call);
    });
  for (std::thread& t : threads) t.join();
}

using rows = ts::P<dp, ts::none>;
auto rows_for(int thread) { return put<rows, 128, 128>(1 + 0.25 * thread); }

// Steps of every kind, large enough to be launched.
constexpr auto fused = [](auto x) { return ts::softmax(ts::tanh(x) * 2 + x); };
constexpr auto product = [](auto x) { return ts::matmul(x, x.T(), ts::out_sharding<ts::P<dp, mp>>); };
constexpr auto reduced = [](auto x) { return ts::sum<0>(ts::exp(x)); };
constexpr auto scanned = [](auto x) {
  return std::get<1>(ts::scan(
      [](auto sum, auto column) {
        auto const next = sum + column;
        return std::tuple{next, 2 * next};
      },
      ts::zeros_like(ts::sum<1>(x)), x.T()));
};
constexpr auto sorted = [](auto x) { return ts::sort<1>(x); };
constexpr auto in_region = [](auto x) {
  return ts::shard_map<ts::out_specs<rows>>(
      [](auto v) { return ts::ppermute<dp>(v, ts::rotate<1>) + ts::psum<dp>(v * v); })(x);
};

// Every thread's own arguments; `alone`: the bits of a call with nobody else calling.
template <class F>
void same_bits(F const& f) {
  std::vector<decltype(f(rows_for(0)).to_host())> got(thread_count * calls);
  at_once([&](int t, int call) { got[t * calls + call] = f(rows_for(t)).to_host(); });
  for (int t = 0; t < thread_count; ++t) {
    auto const alone = f(rows_for(t)).to_host();
    for (int call = 0; call < calls; ++call) EXPECT_EQ(got[t * calls + call], alone) << t;
  }
}

TEST(threads, call_one_program) {
  same_bits(ts::jit(fused));
  same_bits(ts::jit(product));
  same_bits(ts::jit(reduced));
  same_bits(ts::jit(scanned));
  same_bits(ts::jit(sorted));
  same_bits(ts::jit(in_region));
}

TEST(threads, call_different_programs) {
  auto const x = rows_for(0);
  auto const bits = [&](int program) {
    switch (program) {
      case 0: return ts::jit(fused)(x).to_host();
      case 1: return ts::jit(product)(x).to_host();
      case 2: return ts::jit(scanned)(x).to_host();
      default: return ts::jit(in_region)(x).to_host();
    }
  };
  std::vector<decltype(bits(0))> got(thread_count * calls), alone;
  at_once([&](int t, int call) { got[t * calls + call] = bits((t + call) % 4); });
  for (int program = 0; program < 4; ++program) alone.push_back(bits(program));
  for (int t = 0; t < thread_count; ++t)
    for (int call = 0; call < calls; ++call) EXPECT_EQ(got[t * calls + call], alone[(t + call) % 4]);
}

TEST(threads, run_operations_at_once_on_one_array) {
  auto const x = rows_for(1);
  at_once([&](int, int) {
    auto const y = (x + x) * 0.5;
    EXPECT_EQ(y.to_host(), x.to_host());
  });
}

// One trace, planned anew for each number of rows: threads ask for the same and for other sizes at the same time.
TEST(threads, plan_for_sizes_known_only_then) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  at_once([&](int t, int call) {
    std::int64_t const n = 4 * (1 + (t + call) % 3);
    auto const values = counted(static_cast<std::size_t>(n * 3), t + 1.0);
    auto const x = ts::device_put<rows>(ts::host<ts::dynamic, 3>(values), mesh);
    double want = 0;
    for (double v : values) want += 2 * v + 1;
    EXPECT_EQ(ts::jit([](auto v) { return ts::sum(2 * v + 1); })(x).to_host()[0], want);
  });
}

// All threads hold handles of one array, and each gives its own up: it is overwritten when nobody else holds it, not sooner.
TEST(threads, give_up_what_others_hold) {
  auto const step = ts::jit([](auto x) { return x * 3; });
  for (int round = 0; round < calls; ++round) {
    auto shared = ts::jit([](auto x) { return x + 1; })(put<rows, 128, 128>(counted(128 * 128)));
    std::vector held(thread_count, shared);
    { auto const last = std::move(shared); }
    std::vector<std::vector<double>> got(thread_count);
    std::latch start(thread_count);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < thread_count; ++t)
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        auto const host = step(std::move(held[t])).to_host();
        got[t].assign(host.begin(), host.end());
      });
    for (std::thread& t : threads) t.join();
    for (auto const& values : got)
      for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], 3 * (static_cast<double>(i) + 1));
  }
}

// What one call does, times the number of calls; and nothing is kept afterwards.
TEST(threads, are_all_counted) {
  auto& traffic = ts::local_communicator().counted();
  auto const x = rows_for(2);
  auto const f = ts::jit(in_region);
  auto const counts = [&] {
    struct all {
      std::int64_t launches, inlined, sent, bytes;
    };
    return all{ts::launches_so_far().launches, ts::launches_so_far().inlined, traffic.calls(), traffic.bytes()};
  };
  (void)f(x);
  auto const before = counts();
  (void)f(x);
  auto const one = counts();
  auto const live = ts::memory_in_use().live_buffers;
  at_once([&](int, int) { (void)f(x); });
  auto const after = counts();
  constexpr std::int64_t times = thread_count * calls;
  EXPECT_GT(one.launches, before.launches);
  EXPECT_GT(one.sent, before.sent);
  EXPECT_EQ(after.launches - one.launches, times * (one.launches - before.launches));
  EXPECT_EQ(after.inlined - one.inlined, times * (one.inlined - before.inlined));
  EXPECT_EQ(after.sent - one.sent, times * (one.sent - before.sent));
  EXPECT_EQ(after.bytes - one.bytes, times * (one.bytes - before.bytes));
  EXPECT_EQ(ts::memory_in_use().live_buffers, live);
}

TEST(threads, print_whole_lines) {
  std::ostringstream out;
  {
    ts::print_to const here(out);
    at_once([](int t, int call) {
      auto const x = put<ts::P<>, 2>({t + 0.5, call + 0.25});
      (void)ts::jit([](auto v) {
        ts::debug_print<"thread and call: {}">(v);
        return v;
      })(x);
    });
  }
  std::multiset<std::string> lines, want;
  std::istringstream in(out.str());
  for (std::string line; std::getline(in, line);) lines.insert(line);
  for (int t = 0; t < thread_count; ++t)
    for (int call = 0; call < calls; ++call)
      want.insert("thread and call: [" + std::to_string(t) + ".5  " + std::to_string(call) + ".25]");
  EXPECT_EQ(lines, want);
}

}  // namespace
