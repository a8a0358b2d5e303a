// SPDX-License-Identifier: Apache-2.0
// Draws where programs make them: under jit on several meshes, outside of it, mapped, in loops, in shard_map and in
// gradients, against threefry written once more.

#include "support/on_grid.hpp"

#include <bit>
#include <cstdint>

namespace {

using namespace on_grid;
namespace rd = ts::random;

struct words {
  std::uint32_t a, b;
};
// Salmon et al. 2011, written from the paper's table of rotations.
words threefry(words key, words x) {
  std::uint32_t const schedule[3]{key.a, key.b, 0x1bd11bdau ^ key.a ^ key.b};
  int const turns[8]{13, 15, 26, 6, 17, 29, 16, 24};
  x.a += key.a;
  x.b += key.b;
  for (std::uint32_t round = 0; round < 20; ++round) {
    x.a += x.b;
    x.b = std::rotl(x.b, turns[round % 8]) ^ x.a;
    if (round % 4 != 3) continue;
    std::uint32_t const group = round / 4 + 1;
    x.a += schedule[group % 3];
    x.b += schedule[(group + 1) % 3] + group;
  }
  return x;
}
words child(words key, std::uint32_t which) { return threefry(key, {0, which}); }
std::vector<double> uniform_of(words key, std::uint32_t count) {
  std::vector<double> values;
  for (std::uint32_t i = 0; i < count; ++i) {
    words const x = threefry(key, {0, i});
    values.push_back(static_cast<double>((x.a ^ x.b) >> 9) * 0x1p-23);
  }
  return values;
}

template <class M>
auto key_on(int seed) {
  return rd::wrap_key_data(ts::device_put<ts::P<>>(rd::key(seed).data, ts::make_mesh<M>(ts::devices())));
}

template <class S>
struct uniform_rows {
  constexpr auto operator()(auto key) const { return rd::uniform<float, 24, 16>(key, ts::out_sharding<S>); }
};
template <class M, class S>
void same_on() {
  auto const key = key_on<M>(7);
  constexpr auto const& cost = ts::comm_of<uniform_rows<S>, decltype(key)>;
  static_assert(cost.count() == 0);
  expect(run<uniform_rows<S>>(key), uniform_of({0, 7}, 24 * 16), 0);
}
template <std::int64_t A, std::int64_t B>
using sized = ts::mesh<ts::explicit_axis<dp, A>, ts::explicit_axis<mp, B>>;

TEST(random, the_same_on_every_mesh) {
  same_on<sized<1, 1>, ts::P<>>();
  same_on<sized<4, 2>, ts::P<dp, mp>>();
  same_on<sized<2, 4>, ts::P<dp, mp>>();
  same_on<sized<2, 4>, ts::P<ts::none, ts::axes<mp, dp>>>();
}
TEST(random, compiled_kernels) {
  auto const key = key_on<grid>(7);
  auto const x = ts::jit<uniform_rows<ts::P<dp, mp>>>(key);
  static_assert(ts::type_text<decltype(x)> == "float32[24@dp,16@mp]");
  expect(x, uniform_of({0, 7}, 24 * 16), 0);
  auto const many = ts::jit([](auto k) { return rd::uniform<float, 1000003>(k); })(key).to_host();
  auto const want = uniform_of({0, 7}, 1000003);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i) wrong += many[i] != want[i];
  EXPECT_EQ(wrong, 0u);
}
TEST(random, outside_of_jit) {
  auto const key = key_on<grid>(7);
  expect(rd::uniform<float, 8, 4>(key, ts::out_sharding<ts::P<dp>>), uniform_of({0, 7}, 32), 0);
  auto const [a, b] = rd::split(key);
  expect(rd::uniform<float, 8>(b), uniform_of(child({0, 7}, 1), 8), 0);
  expect(rd::uniform<float, 8>(rd::fold_in(a, 5)), uniform_of(child(child({0, 7}, 0), 5), 8), 0);
  expect(rd::uniform<float, 8>(rd::fold_in(rd::key(7), 1)) + ts::zeros_like(rd::uniform<float, 8>(key)),
         uniform_of(child({0, 7}, 1), 8), 0);
}
namespace {
constexpr auto five_each = [](auto key) {
  return ts::vmap([](auto k) { return rd::uniform<float, 5>(k); })(rd::split_batch<3>(key));
};
}  // namespace
// Without a type and extents: one number of JAX's default type. The values are those of JAX 0.10.2 for key 1.
TEST(random, one_number) {
  auto const key = [] { return rd::key(1); };
  auto const one = [](auto const& x) { return ts::asarray(x).item(); };
  EXPECT_EQ(one(rd::uniform(key())), 0.4386324882507324f);
  EXPECT_NEAR(one(rd::normal(key())), -0.15443718433380127f, 1e-7f);
  EXPECT_NEAR(one(rd::exponential(key())), 0.5773794651031494f, 1e-7f);
  EXPECT_NEAR(one(rd::gumbel(key())), 0.19347147643566132f, 1e-7f);
  EXPECT_NEAR(one(rd::truncated_normal(key(), -1, 1)), -0.10520883649587631f, 1e-7f);
  EXPECT_NEAR(one(rd::gamma(key(), 2)), 1.1647965908050537f, 1e-6f);
  EXPECT_EQ(one(rd::randint(key(), 0, 1000)), 996);
  EXPECT_EQ(one(rd::rademacher(key())), 1);
  EXPECT_EQ(one(rd::bits(key())), 1883912375u);
  EXPECT_EQ(one(rd::bernoulli(key())), true);
}

#ifndef TESSERA_BY_DAY
TEST(random, of_a_batch_of_keys) {
  auto const drawn = ts::jit(five_each)(key_on<grid>(9));
  static_assert(ts::type_text<decltype(drawn)> == "float32[3,5]");
  std::vector<double> want;
  for (std::uint32_t i = 0; i < 3; ++i)
    for (double u : uniform_of(child({0, 9}, i), 5)) want.push_back(u);
  expect(drawn, want, 0);
}
TEST(random, of_parts_of_a_batch_of_keys) {
  auto const drawn = ts::jit([](auto key) {
    return ts::vmap([](auto k) {
      auto const [a, b] = rd::split(k);
      return rd::uniform<float, 5>(a) - rd::uniform<float, 5>(b);
    })(rd::split_batch<3>(key));
  })(key_on<grid>(9));
  std::vector<double> want;
  for (std::uint32_t i = 0; i < 3; ++i) {
    auto const own = child({0, 9}, i);
    auto const a = uniform_of(child(own, 0), 5), b = uniform_of(child(own, 1), 5);
    for (std::size_t k = 0; k < 5; ++k) want.push_back(static_cast<float>(a[k]) - static_cast<float>(b[k]));
  }
  expect(drawn, want, 0);
}
// As in JAX: vmap maps over the keys of split, alone and beside other arguments, in jit and outside.
TEST(random, of_split_keys) {
  auto const draw = [](auto k) { return rd::uniform<float, 5>(k); };
  auto const in_jit = ts::jit([](auto key) {
    return ts::vmap([](auto x, auto k) { return x + rd::uniform<float, 5>(k); })(ts::zeros<float, 3>(),
                                                                                 rd::split<3>(key));
  })(key_on<grid>(9));
  std::vector<double> want;
  for (std::uint32_t i = 0; i < 3; ++i)
    for (double const u : uniform_of(child({0, 9}, i), 5)) want.push_back(u);
  expect(in_jit, want, 0);
  expect(ts::asarray(ts::vmap(draw)(rd::split<3>(rd::key(9)))), want, 0);
  expect(ts::vmap(draw)(rd::split<3>(key_on<grid>(9))), want, 0);
  // Unmapped, the keys are a tuple of keys for each slice.
  auto const same = ts::vmap<ts::in_axes<0, ts::unmapped>>([&](auto x, auto keys) {
    return x + rd::uniform<float, 5>(std::get<1>(keys));
  })(ts::zeros<float, 2>(), rd::split<3>(rd::key(9)));
  std::vector<double> const second(want.begin() + 5, want.begin() + 10);
  std::vector<double> twice(second);
  twice.insert(twice.end(), second.begin(), second.end());
  expect(ts::asarray(same), twice, 0);
}
TEST(random, in_a_scan) {
  auto const sums = ts::jit([](auto key) {
    auto const body = [](auto k, auto) {
      auto [next, now] = rd::split(k);
      return std::tuple{next, rd::uniform<float>(now)};
    };
    return std::get<1>(ts::scan(body, key, ts::zeros<float, 4>()));
  })(key_on<grid>(3));
  std::vector<double> want;
  for (words k{0, 3}; want.size() < 4; k = child(k, 0)) want.push_back(uniform_of(child(k, 1), 1)[0]);
  expect(sums, want, 0);
}

// A key that all devices have gives them the same block; one of their own, blocks of their own.
TEST(random, in_shard_map) {
  auto const key = key_on<grid>(5);
  auto const same = ts::jit([](auto k) {
    return ts::shard_map<ts::out_specs<ts::P<>>>([](auto own) { return rd::uniform<float, 6>(own); })(k);
  })(key);
  expect(same, uniform_of({0, 5}, 6), 0);
  auto const each = ts::jit([](auto k) {
    return ts::shard_map<ts::out_specs<ts::P<dp>>>(
        [](auto own) { return rd::uniform<float, 6>(rd::fold_in(own, ts::axis_index<dp>())); })(k);
  })(key);
  std::vector<double> want;
  for (std::uint32_t d = 0; d < 4; ++d)
    for (double u : uniform_of(child({0, 5}, d), 6)) want.push_back(u);
  expect(each, want, 0);
}
TEST(random, gradients_of_bounds) {
  auto const [low, high] = ts::jit([](auto key, auto a, auto b) {
    auto const mean = [&](auto l, auto h) { return ts::mean(rd::uniform<double, 64>(key, l, h)); };
    return ts::grad<0, 1>(mean)(a, b);
  })(key_on<grid>(11), put<ts::P<>, 1>(0.0).at(0).get(), put<ts::P<>, 1>(std::vector{2.0}).at(0).get());
  double sum = 0;
  for (std::uint32_t i = 0; i < 64; ++i) {
    words const x = threefry({0, 11}, {0, i});
    sum += static_cast<double>(((static_cast<std::uint64_t>(x.a) << 32) | x.b) >> 12) * 0x1p-52 / 64;
  }
  EXPECT_NEAR(low.item(), 1 - sum, 1e-12);
  EXPECT_NEAR(high.item(), sum, 1e-12);
}
#endif

}  // namespace
