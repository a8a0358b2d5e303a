// SPDX-License-Identifier: Apache-2.0
// Batches of keys in another order or shape, read by an index, chosen and joined: the numbers drawn are those of JAX, whose data
// are written here.
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::auto_axis<dp, 4>>;
using rows = ts::mesh<ts::explicit_axis<dp, 4>>;

std::vector<std::uint32_t> numbers(auto const& key) { return ts::device_get(ts::asarray(key.data)); }

// Keys whose words are 0, 1; 2, 3; ...
template <std::int64_t... Extents>
auto counted() {
  return ts::random::wrap_key_data(
      ts::asarray(ts::reshape<Extents..., 2>(ts::arange<std::uint32_t, 2 * (Extents * ...)>())));
}

TEST(KeyArrays, HaveTheShapeOfTheBatch) {
  auto const keys = counted<4, 3>();
  EXPECT_EQ(keys.shape(), (ts::extents_list{4, 3}));
  EXPECT_EQ(keys.ndim(), 2);
  EXPECT_EQ(keys.size(), 12);
  EXPECT_EQ(ts::random::key(1).ndim(), 0);
  EXPECT_EQ(ts::random::key(1).size(), 1);
}

TEST(KeyArrays, ChangeTheirShape) {
  auto const keys = counted<2, 3>();
  EXPECT_EQ((ts::reshape<3, 2>(keys).shape()), (ts::extents_list{3, 2}));
  EXPECT_EQ((numbers(ts::reshape<3, 2>(keys))), numbers(keys));
  EXPECT_EQ(ts::ravel(keys).shape(), (ts::extents_list{6}));
  EXPECT_EQ((ts::expand_dims<-1>(keys).shape()), (ts::extents_list{2, 3, 1}));
  EXPECT_EQ((ts::expand_dims<0>(keys).shape()), (ts::extents_list{1, 2, 3}));
  EXPECT_EQ((ts::squeeze<-1>(ts::expand_dims<-1>(keys)).shape()), (ts::extents_list{2, 3}));
  EXPECT_EQ(ts::squeeze(ts::expand_dims<1>(keys)).shape(), (ts::extents_list{2, 3}));
  EXPECT_EQ((ts::broadcast_to<2, 3>(ts::random::key(5)).shape()), (ts::extents_list{2, 3}));
  EXPECT_EQ((numbers(ts::broadcast_to<2>(ts::random::key(5)))), (std::vector<std::uint32_t>{0, 5, 0, 5}));
}

TEST(KeyArrays, ChangeTheirOrder) {
  auto const keys = counted<2, 3>();
  std::vector<std::uint32_t> const turned{0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11};
  EXPECT_EQ(numbers(ts::transpose(keys)), turned);
  EXPECT_EQ((numbers(ts::transpose<1, 0>(keys))), turned);
  EXPECT_EQ((numbers(ts::transpose<-1, -2>(keys))), turned);
  EXPECT_EQ((numbers(ts::swapaxes<0, -1>(keys))), turned);
  EXPECT_EQ((numbers(ts::moveaxis<-1, 0>(keys))), turned);
  EXPECT_EQ((numbers(ts::flip<0>(keys))), (std::vector<std::uint32_t>{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ((numbers(ts::flip<-1>(keys))), (std::vector<std::uint32_t>{4, 5, 2, 3, 0, 1, 10, 11, 8, 9, 6, 7}));
  EXPECT_EQ((numbers(ts::roll<1, 0>(keys))), (std::vector<std::uint32_t>{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5}));
}

TEST(KeyArrays, AreReadAndWrittenByIndex) {
  auto const keys = counted<2, 3>();
  EXPECT_EQ(numbers(keys.at(1).get()), (std::vector<std::uint32_t>{6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(numbers(keys.at(1, -1).get()), (std::vector<std::uint32_t>{10, 11}));
  EXPECT_EQ(numbers(keys.at(ts::every, 1).get()), (std::vector<std::uint32_t>{2, 3, 8, 9}));
  EXPECT_EQ(numbers(keys.at(0, ts::asarray({2, 0})).get()), (std::vector<std::uint32_t>{4, 5, 0, 1}));
  EXPECT_EQ((numbers(ts::take<1>(keys, ts::asarray({2})))), (std::vector<std::uint32_t>{4, 5, 10, 11}));
  EXPECT_EQ((numbers(ts::slice_in_dim<1, 1, 2>(keys))), (std::vector<std::uint32_t>{2, 3, 8, 9}));
  EXPECT_EQ((numbers(ts::dynamic_slice_in_dim<1, 1>(keys, 2))), (std::vector<std::uint32_t>{4, 5, 10, 11}));
  EXPECT_EQ((numbers(ts::dynamic_index_in_dim<0, false>(keys, 1))), numbers(keys.at(1).get()));
  EXPECT_EQ(numbers(keys.at(0).set(counted<3>())), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(numbers(keys.at(1).set(counted<3>())), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
}

#ifndef TESSERA_BY_DAY
TEST(KeyArrays, AreJoinedChosenAndTakenApart) {
  auto const keys = counted<3>();
  auto const other = ts::flip<0>(keys);
  EXPECT_EQ(numbers(ts::concatenate(keys, other)), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 4, 5, 2, 3, 0, 1}));
  EXPECT_EQ((ts::stack<1>(keys, other).shape()), (ts::extents_list{3, 2}));
  EXPECT_EQ((numbers(ts::stack<-1>(keys, other))), (std::vector<std::uint32_t>{0, 1, 4, 5, 2, 3, 2, 3, 4, 5, 0, 1}));
  auto const [a, b, c] = ts::unstack(keys);
  EXPECT_EQ(numbers(b), (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(numbers(ts::stack(std::array{c, a})), (std::vector<std::uint32_t>{4, 5, 0, 1}));
  EXPECT_EQ(numbers(ts::where(ts::asarray({true, false, true}), keys, other)),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(numbers(ts::where(ts::asarray({false, false, true}), keys, other)),
            (std::vector<std::uint32_t>{4, 5, 2, 3, 4, 5}));
}

// jax.random.split(jax.random.key(7), (2, 3)).T, normal of each in a scan over the first dimension, in vmap over the second.
constexpr auto draws = [](auto keys) {
  auto const row = [](auto sum, auto keys) {
    auto const mine = ts::vmap([](auto key) { return ts::random::uniform<float>(key); })(keys);
    return std::tuple{sum + mine, mine};
  };
  return ts::scan(row, ts::zeros<float, 2>(), keys);
};

TEST(KeyArrays, AreScannedAndMapped) {
  auto const all = ts::random::split_batch<2, 3>(ts::random::key(7));
  auto const [sum, each] = ts::jit([](auto keys) { return draws(ts::transpose(keys)); })(ts::device_put(all));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      auto const one = ts::asarray(ts::random::uniform<float>(all.at(i, j).get()));
      EXPECT_EQ(each.at(j, i).get().item(), one.item());
    }
}

// The keys of split, which are a std::array, where slices of a batch are taken: alone and in a tree.
constexpr auto draw = [](auto key) { return ts::random::normal<float>(key); };
constexpr auto walk = [](auto at, auto key) { return std::tuple{at + draw(key), draw(ts::random::clone(key))}; };
constexpr auto of_both = [](auto x, auto all) { return x + draw(std::get<0>(all)) * draw(all[1]); };

TEST(KeyArrays, KeysOfSplitAreMappedAsABatch) {
  auto const key = ts::device_put(ts::random::key(7));
  auto const keys = ts::random::split<5>(key);
  auto const expected = ts::device_get(ts::vmap(draw)(ts::random::split_batch<5>(key)));
  auto const same = [&](auto const& x) { EXPECT_EQ(ts::device_get(x), expected); };
  same(ts::vmap(draw)(keys));
  same(ts::map(draw, keys));
  same(std::get<1>(ts::scan(walk, 0.0f, keys)));
  same(std::get<1>(ts::jit([](auto key) { return ts::scan(walk, 0.0f, ts::random::split<5>(key)); })(key)));
  auto const zeros = ts::zeros<float, 5>();
  constexpr auto add = [](auto pair) { return std::get<0>(pair) + draw(std::get<1>(pair)); };
  same(ts::map(add, std::tuple{zeros, keys}));
  same(ts::vmap(add)(std::tuple{zeros, keys}));
  same(ts::vmap([](auto x, auto tree) { return x + draw(std::get<1>(std::get<0>(tree))); })(
      zeros, std::make_tuple(std::pair{zeros, keys})));
  auto const two = ts::random::split(key);
  float const product = (ts::asarray(draw(two[0])) * draw(two[1])).item();
  for (float each : ts::device_get(ts::vmap<ts::in_axes<0, ts::unmapped>>(of_both)(zeros, two)))
    EXPECT_EQ(each, product);
}

TEST(KeyArrays, KeepTheirLayout) {
  auto const mesh = ts::make_mesh<rows>(ts::devices());
  auto const keys = ts::device_put<ts::P<dp>>(ts::random::split_batch<4, 3>(ts::random::key(7)), mesh);
  auto const turned = ts::transpose(keys);
  static_assert(ts::type_text<decltype(turned.data)> == "uint32[3,4@dp,2]");
  static_assert(ts::type_text<decltype(keys.at(ts::every, 0).get().data)> == "uint32[4@dp,2]");
  auto const over_auto = ts::make_mesh<line>(ts::devices());
  auto const same = ts::jit([](auto keys) { return ts::ravel(ts::transpose(keys)); })(
      ts::device_put<ts::P<dp>>(ts::random::split_batch<4, 3>(ts::random::key(7)), over_auto));
  EXPECT_EQ(numbers(same), numbers((ts::reshape<12>(turned, ts::out_sharding<ts::P<dp>>))));
}
#endif

}  // namespace
