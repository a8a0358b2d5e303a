// SPDX-License-Identifier: Apache-2.0
// What replication costs: launches, allocations and buffers of a step do not grow with the number of simulated devices,
// and a run in which no device shares anything gives the same bits.

#include <tessera/exec/memory/blocks.hpp>
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};

template <std::int64_t Dp, std::int64_t Mp>
using grid = ts::mesh<ts::explicit_axis<dp, Dp>, ts::explicit_axis<mp, Mp>>;

std::vector<float> spread(std::size_t n) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = std::sin(0.37f * static_cast<float>(i) + 0.2f);
  return v;
}

struct layer {
  constexpr auto operator()(auto x, auto w, auto b) const {
    auto y = ts::softmax(ts::gelu(ts::matmul(x, w) + b));
    return std::tuple{y, ts::mean<0>(y), ts::sum(y * y)};
  }
};

struct counts {
  std::int64_t steps, system_allocations;
};

template <std::int64_t Dp, std::int64_t Mp>
counts run_layer() {
  auto const devices = [] {
    std::vector<ts::device> all;
    for (int i = 0; i < static_cast<int>(Dp * Mp); ++i) all.push_back({i});
    return all;
  }();
  auto const mesh = ts::make_mesh<grid<Dp, Mp>>(devices);
  auto const x = ts::device_put<ts::P<dp, ts::none>>(ts::host<64, 32>(spread(64 * 32)), mesh);
  auto const w = ts::device_put<ts::P<>>(ts::host<32, 16>(spread(32 * 16)), mesh);
  auto const b = ts::device_put<ts::P<>>(ts::host<16>(spread(16)), mesh);
  (void)ts::jit<layer>(x, w, b);
  (void)ts::jit<layer>(x, w, b);
  auto const before = ts::launches_so_far().steps();
  auto const held = ts::memory_in_use().system_allocations;
  (void)ts::jit<layer>(x, w, b);
  return {ts::launches_so_far().steps() - before, ts::memory_in_use().system_allocations - held};
}

TEST(sharing, steps_do_not_grow_with_devices) {
  auto const one = run_layer<1, 1>(), eight = run_layer<4, 2>(), many = run_layer<8, 8>();
  EXPECT_EQ(eight.steps, many.steps);
  EXPECT_LE(eight.steps - one.steps, 2) << "two all_reduces over dp are all that more devices add";
  EXPECT_EQ(one.system_allocations, 0);
  EXPECT_EQ(eight.system_allocations, 0);
  EXPECT_EQ(many.system_allocations, 0);
}

// A result that only regroups another value's elements is computed where it lies; one in another order is copied.
TEST(sharing, regrouped_results_are_not_copied) {
  auto const mesh = ts::make_mesh<grid<4, 2>>(ts::devices());
  auto const x = ts::device_put<ts::P<dp, ts::none>>(ts::host<64, 32>(spread(64 * 32)), mesh);
  auto const w = ts::device_put<ts::P<>>(ts::host<32, 16>(spread(32 * 16)), mesh);
  auto const steps = [&](auto f) {
    auto const before = ts::launches_so_far().steps();
    auto const y = ts::jit(f)(x, w);
    auto const taken = ts::launches_so_far().steps() - before;
    auto got = y.to_host(), want = ts::jit([](auto x, auto w) { return ts::matmul(x, w); })(x, w).to_host();
    EXPECT_TRUE(std::is_permutation(got.begin(), got.end(), want.begin()));
    EXPECT_EQ(std::equal(got.begin(), got.end(), want.begin()), taken == 1);
    return taken;
  };
  EXPECT_EQ(steps([](auto x, auto w) { return ts::matmul(x, w); }), 1);
  EXPECT_EQ(steps([](auto x, auto w) { return ts::reshape<64, 4, 4>(ts::matmul(x, w)); }), 1);
  EXPECT_EQ(steps([](auto x, auto w) { return ts::expand_dims<1>(ts::matmul(x, w)); }), 1);
  EXPECT_EQ(steps([](auto x, auto w) { return ts::transpose(ts::matmul(x, w)); }), 2);
}

TEST(sharing, replicated_shards_are_one_buffer) {
  auto const mesh = ts::make_mesh<grid<4, 2>>(ts::devices());
  auto const w = ts::device_put<ts::P<>>(ts::host<32, 16>(spread(512)), mesh);
  auto const shards = w.addressable_shards();
  ASSERT_EQ(shards.size(), 8u);
  for (auto const& s : shards) EXPECT_EQ(s.data, shards[0].data);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(spread(32)), mesh);
  std::vector<float const*> distinct;
  for (auto const& s : x.addressable_shards())
    if (std::find(distinct.begin(), distinct.end(), s.data) == distinct.end()) distinct.push_back(s.data);
  EXPECT_EQ(distinct.size(), 4u);
}

// Every device computes and stores everything by itself: the same steps, the same bits on every device.
TEST(sharing, nothing_shared_gives_the_same_bits) {
  auto const mesh = ts::make_mesh<grid<4, 2>>(ts::devices());
  auto const x = ts::device_put<ts::P<dp, ts::none>>(ts::host<64, 32>(spread(64 * 32)), mesh);
  auto const w = ts::device_put<ts::P<ts::none, mp>>(ts::host<32, 16>(spread(32 * 16)), mesh);
  auto const b = ts::device_put<ts::P<mp>>(ts::host<16>(spread(16)), mesh);
  using trace = ts::trace_of<layer, typename decltype(x)::type, typename decltype(w)::type, typename decltype(b)::type>;
  std::vector<ts::stored_array> const arguments{x.stored(), w.stored(), b.stored()};
  auto const shared = ts::detail::run_time_program(trace::record().recorded, true, false).program(arguments);
  auto const alone = ts::detail::run_unshared(trace::record().recorded, arguments);
  ASSERT_EQ(shared.size(), alone.size());
  auto const mesh_value = mesh.value();
  for (std::size_t r = 0; r < shared.size(); ++r) {
    auto const block = ts::stored_block(shared[r].facts, mesh_value);
    auto lonely = block;
    lonely.varying = mesh_value.axes();
    auto const bytes = static_cast<std::size_t>(block.size() * ts::bytes_of(block.element));
    auto const host = [](ts::buffer const& memory) {
      std::vector<std::byte> read(memory.size());
      ts::detail::copy_bytes(read.data(), memory.data(), read.size(), false);
      return read;
    };
    auto const some = host(shared[r].memory), every = host(alone[r]);
    for (std::int64_t device = 0; device < 8; ++device) {
      auto const at = ts::coordinates_of(mesh_value, device);
      auto const own =
          ts::position_of(mesh_value, at, block.varying) * ts::block_stride(block) * ts::bytes_of(block.element);
      auto const all = device * ts::block_stride(lonely) * ts::bytes_of(block.element);
      EXPECT_EQ(std::memcmp(some.data() + own, every.data() + all, bytes), 0)
          << "result " << r << ", device " << device;
    }
  }
}

}  // namespace
