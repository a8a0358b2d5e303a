// SPDX-License-Identifier: Apache-2.0
// ragged_all_to_all on several meshes: values, gradients and what is counted against plain loops; what is refused.

#include <tessera/engine/exec/move/in_process.hpp>

#include <gtest/gtest.h>

#include "support/each_device.hpp"
#include "support/throws.hpp"

#include <random>

namespace ts = tessera;

namespace {

using each_device::blocks;
using each_device::over;
using each_device::positions;

using namespace each_device::meshes;

constexpr std::int64_t rows_in = 6;

// Which rows go where: random, on the receiving side one slice after another with gaps.
struct traffic_plan {
  std::vector<std::vector<std::int32_t>> in_at, send, out_at, receive;  // of each device
  std::int64_t most_rows_sent = 0;
};
traffic_plan random_plan(std::vector<positions> const& lines, std::size_t devices, std::size_t each, unsigned seed) {
  std::mt19937 engine(seed);
  auto const pick = [&](int most) { return static_cast<std::int32_t>(engine() % static_cast<unsigned>(most + 1)); };
  std::size_t const n = lines[0].size(), slices = n * each;
  traffic_plan p;
  for (auto* list : {&p.in_at, &p.send, &p.out_at, &p.receive})
    list->assign(devices, std::vector<std::int32_t>(slices));
  for (positions const& line : lines)
    for (std::size_t to = 0; to < n; ++to) {
      std::int32_t at = pick(1);
      for (std::size_t from = 0; from < n; ++from)
        for (std::size_t i = 0; i < each; ++i) {
          auto const sender = static_cast<std::size_t>(line[from]), receiver = static_cast<std::size_t>(line[to]);
          std::int32_t const rows = pick(2);
          p.send[sender][to * each + i] = p.receive[receiver][from * each + i] = rows;
          p.in_at[sender][to * each + i] = pick(static_cast<int>(rows_in) - rows);
          p.out_at[sender][to * each + i] = at;
          at += rows + pick(1);
        }
    }
  for (positions const& line : lines)
    for (std::size_t from = 0; from < n; ++from) {
      std::int64_t sent = 0;
      for (std::size_t to = 0; to < n; ++to)
        for (std::size_t i = 0; i < each && to != from; ++i) sent += p.send[line[from]][to * each + i];
      p.most_rows_sent = std::max(p.most_rows_sent, sent);
    }
  return p;
}

template <class M, std::size_t Slices>
auto list_on(std::vector<std::vector<std::int32_t>> const& lists) {
  std::vector<std::int32_t> all;
  for (auto const& l : lists) all.insert(all.end(), l.begin(), l.end());
  return ts::device_put<typename each_device::all_axes<M>::spec>(
      ts::host<static_cast<std::int64_t>(Slices) * M::value.devices()>(all), ts::make_mesh<M>(ts::devices()));
}

template <class M, std::size_t Each, class Axes>
struct exchange;
template <class M, std::size_t Each, class... A>
struct exchange<M, Each, over<A...>> {
  using spec = typename each_device::all_axes<M>::spec;
  static constexpr std::int64_t devices = M::value.devices();
  static constexpr std::size_t joined = static_cast<std::size_t>((M::value.size(M::template index<A>) * ...));
  static constexpr std::size_t slices = joined * Each;
  static constexpr int sent = joined > 1;  // messages
  static constexpr std::int64_t rows_out = 3 * static_cast<std::int64_t>(slices) + 1;
  struct program {
    constexpr auto operator()(auto x, auto out, auto in_at, auto send, auto out_at, auto receive) const {
      return ts::shard_map<ts::out_specs<spec>>([](auto... v) { return ts::ragged_all_to_all<A...>(v...); })(
          x, out, in_at, send, out_at, receive);
    }
  };
  struct loss {
    constexpr auto operator()(auto x, auto out, auto w, auto... lists) const {
      return ts::sum(w * program{}(x, out, lists...));
    }
  };

  static void check(unsigned seed) {
    auto const lines = each_device::lines<M>(over<A...>{});
    traffic_plan const p = random_plan(lines, static_cast<std::size_t>(devices), Each, seed);
    auto const x = each_device::input<M, rows_in, 2>();
    auto const out = each_device::input<M, rows_out, 2>(0.3);
    auto const w = each_device::input<M, rows_out, 2>(0.7);
    auto const in_at = list_on<M, slices>(p.in_at), send = list_on<M, slices>(p.send);
    auto const out_at = list_on<M, slices>(p.out_at), receive = list_on<M, slices>(p.receive);
    blocks const from = each_device::blocks_of(x, devices), weight = each_device::blocks_of(w, devices);
    blocks want = each_device::blocks_of(out, devices), by_out = weight;
    blocks by_x(from.size(), std::vector<double>(from[0].size(), 0.0));
    for (positions const& line : lines)
      for (std::size_t s = 0; s < joined; ++s)
        for (std::size_t k = 0; k < slices; ++k) {
          auto const sender = static_cast<std::size_t>(line[s]), receiver = static_cast<std::size_t>(line[k / Each]);
          for (std::int32_t r = 0; r < p.send[sender][k]; ++r)
            for (std::int32_t c = 0; c < 2; ++c) {
              auto const there = static_cast<std::size_t>(2 * (p.out_at[sender][k] + r) + c);
              auto const here = static_cast<std::size_t>(2 * (p.in_at[sender][k] + r) + c);
              want[receiver][there] = from[sender][here];
              by_x[sender][here] += weight[receiver][there];
              by_out[receiver][there] = 0;
            }
        }
    auto& counted = ts::local_communicator().counted();
    counted.reset();
    auto const f = ts::jit(program{});
    EXPECT_EQ(each_device::blocks_of(f(x, out, in_at, send, out_at, receive), devices), want) << seed;
    constexpr auto const& cost = ts::comm_of<program, decltype(x), decltype(out), decltype(in_at), decltype(send),
                                             decltype(out_at), decltype(receive)>;
    static_assert(cost.count() == sent && cost.count(ts::collective::ragged_all_to_all) == sent);
    static_assert(cost.exact() == (sent == 0));
    static_assert(cost.bytes() == static_cast<std::int64_t>(joined - 1) * rows_out * 2 * 8);
    EXPECT_EQ(counted.calls(ts::collective::ragged_all_to_all), sent);
    EXPECT_EQ(counted.bytes(), p.most_rows_sent * 2 * 8);
    EXPECT_LE(counted.bytes(), cost.bytes());
    auto const [slope_x, slope_out] = ts::grad<0, 1>(loss{})(x, out, w, in_at, send, out_at, receive);
    EXPECT_EQ(each_device::blocks_of(slope_x, devices), by_x) << seed;
    EXPECT_EQ(each_device::blocks_of(slope_out, devices), by_out) << seed;
  }
};

TEST(ragged_all_to_all, of_one_device) { exchange<one, 2, over<a>>::check(12); }
TEST(ragged_all_to_all, between_three) { exchange<three, 2, over<a>>::check(13); }
TEST(ragged_all_to_all, over_axes_of_several) {
  exchange<grid, 1, over<b, a>>::check(14);
  exchange<cube, 2, over<c, a>>::check(15);
}
TEST(ragged_all_to_all, between_two) { exchange<two, 1, over<a>>::check(1); }

#ifndef TESSERA_BY_DAY
TEST(ragged_all_to_all, between_four) {
  for (unsigned seed = 2; seed < 8; ++seed) exchange<four, 2, over<a>>::check(seed);
}
TEST(ragged_all_to_all, between_eight) { exchange<eight, 1, over<a>>::check(8); }
TEST(ragged_all_to_all, on_a_square) {
  exchange<square, 1, over<a, b>>::check(9);
  exchange<square, 1, over<b, a>>::check(10);
}
TEST(ragged_all_to_all, along_one_axis_of_a_square) { exchange<square, 2, over<b>>::check(11); }

// The example of JAX's documentation.
constexpr auto between_pairs = [](auto... v) {
  return ts::shard_map<ts::out_specs<ts::P<a>>>([](auto... w) { return ts::ragged_all_to_all<a>(w...); })(v...);
};
template <class... T>
auto pair_of(T... v) {
  return ts::device_put<ts::P<a>>(ts::host<sizeof...(T)>(std::vector<int>{v...}), ts::make_mesh<two>(ts::devices()));
}
TEST(ragged_all_to_all, of_a_few_numbers) {
  auto const x = pair_of(1, 2, 2, 3, 4, 0);
  auto const out = pair_of(0, 0, 0, 0, 0, 0, 0, 0);
  auto const f = ts::jit(between_pairs);
  auto const got = f(x, out, pair_of(0, 1, 0, 1), pair_of(1, 2, 1, 1), pair_of(0, 0, 1, 2), pair_of(1, 1, 2, 1));
  EXPECT_EQ(got.to_host(), (std::vector<int>{1, 3, 0, 0, 2, 2, 4, 0}));
  auto const call = [&](auto in_at, auto send, auto out_at, auto receive) {
    return [=] { (void)f(x, out, in_at, send, out_at, receive); };
  };
  auto const good = pair_of(0, 1, 0, 1);
  EXPECT_TRUE(
      ts::testing::throws_text(call(pair_of(0, 2, 0, 1), pair_of(1, 2, 1, 1), pair_of(0, 0, 1, 2), pair_of(1, 1, 2, 1)),
                               "device 0 sends rows 2 to 4 of 3 (slice 1)"));
  EXPECT_TRUE(ts::testing::throws_text(call(good, pair_of(1, 2, 1, 1), pair_of(0, 3, 1, 2), pair_of(1, 1, 2, 1)),
                                       "device 1 receives rows 3 to 5 of 4 (slice 0)"));
  EXPECT_TRUE(ts::testing::throws_text(call(good, pair_of(1, 2, 1, 1), pair_of(0, 0, 1, 2), pair_of(1, 1, 1, 1)),
                                       "device 0 sends 2 rows, and device 1 expects 1"));
  EXPECT_TRUE(
      ts::testing::throws_text(call(good, pair_of(-1, 2, 1, 1), pair_of(0, 0, 1, 2), pair_of(-1, 1, 2, 1)), "rows"));
}

using numbers = ts::array_type<int, ts::shape<8>, ts::P<a>, two>;
using three_a_device = ts::array_type<int, ts::shape<6>, ts::P<a>, two>;
using reals = ts::array_type<float, ts::shape<8>, ts::P<a>, two>;
using rows = ts::array_type<int, ts::shape<8, 3>, ts::P<a>, two>;
using F = std::remove_const_t<decltype(between_pairs)>;
static_assert(std::is_void_v<ts::why<F, reals, reals, numbers, numbers, numbers, numbers>>);
static_assert(!std::is_void_v<ts::why<F, reals, numbers, numbers, numbers, numbers, numbers>>);
static_assert(!std::is_void_v<ts::why<F, rows, numbers, numbers, numbers, numbers, numbers>>);
static_assert(!std::is_void_v<ts::why<F, numbers, numbers, numbers, three_a_device, numbers, numbers>>);
static_assert(
    !std::is_void_v<ts::why<F, numbers, numbers, three_a_device, three_a_device, three_a_device, three_a_device>>);
static_assert(!std::is_void_v<ts::why<F, numbers, numbers, reals, numbers, numbers, numbers>>);
#endif

}  // namespace
