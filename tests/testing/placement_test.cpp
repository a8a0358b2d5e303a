// SPDX-License-Identifier: Apache-2.0
// testing/placement.hpp against tables written by hand, and the library's memory and shards against it.

#include <tessera/tessera.hpp>
#include <tessera/testing/dense_array.hpp>

#include <gtest/gtest.h>

namespace {

namespace ts = tessera;
struct a : ts::axis {};
struct b : ts::axis {};
using mesh = ts::mesh<ts::explicit_axis<a, 2>, ts::explicit_axis<b, 3>>;

template <class Spec, std::int64_t... E>
auto put() {
  std::vector<double> values(static_cast<std::size_t>((E * ...)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  return ts::device_put<Spec>(ts::host<E...>(values), ts::make_mesh<mesh>(ts::devices()));
}
std::vector<std::vector<std::int64_t>> elements(ts::testing::placement const& where) {
  std::vector<std::vector<std::int64_t>> held(static_cast<std::size_t>(where.devices()));
  where.each([&](std::int64_t device, std::int64_t element, std::int64_t) { held[device].push_back(element); });
  return held;
}
template <class X>
void expect_shards(X const& x) {
  auto const held = elements(ts::testing::placement_of(x.stored().facts, x.mesh().value()));
  auto const shards = x.addressable_shards();
  ASSERT_EQ(shards.size(), held.size());
  for (std::size_t d = 0; d < held.size(); ++d) {
    std::vector<std::int64_t> own;
    for (double v : shards[d].to_host()) own.push_back(static_cast<std::int64_t>(v));
    EXPECT_EQ(own, held[d]) << "device " << d;
  }
}

TEST(placement, is_what_jax_prints) {
  using rows = std::vector<std::vector<std::int64_t>>;
  auto const of = [](auto const& x) { return elements(ts::testing::placement_of(x.stored().facts, x.mesh().value())); };
  // jax.device_put(jnp.arange(6), P(("b", "a"))): b is major, devices are numbered with a major.
  EXPECT_EQ(of(put<ts::P<ts::axes<b, a>>, 6>()), (rows{{0}, {2}, {4}, {1}, {3}, {5}}));
  EXPECT_EQ(of(put<ts::P<ts::axes<a, b>>, 6>()), (rows{{0}, {1}, {2}, {3}, {4}, {5}}));
  EXPECT_EQ(of(put<ts::P<b, a>, 3, 4>()), (rows{{0, 1}, {4, 5}, {8, 9}, {2, 3}, {6, 7}, {10, 11}}));
  EXPECT_EQ(of(put<ts::P<ts::none, b>, 2, 3>()), (rows{{0, 3}, {1, 4}, {2, 5}, {0, 3}, {1, 4}, {2, 5}}));
}
TEST(placement, blocks_may_be_short_or_empty) {
  ts::mesh_value const sizes = mesh::value;
  ts::array_value facts;
  facts.add_dim(5);
  facts.entry(0).append(0);
  facts.entry(0).append(1);
  auto const held = elements(ts::testing::placement_of(facts, sizes));
  EXPECT_EQ(held, (std::vector<std::vector<std::int64_t>>{{0}, {1}, {2}, {3}, {4}, {}}));
}
TEST(placement, shards_hold_what_it_says) {
  expect_shards(put<ts::P<ts::axes<b, a>>, 12>());
  expect_shards(put<ts::P<a, b>, 4, 6>());
  expect_shards(put<ts::P<b, ts::none, a>, 6, 2, 4>());
  expect_shards(put<ts::P<ts::none, ts::axes<b, a>>, 2, 12>());
  expect_shards(put<ts::P<>, 5>());
}
TEST(placement, an_array_that_lies_otherwise_is_seen) {
  auto const x = put<ts::P<ts::axes<b, a>>, 12>();
  auto const sizes = x.mesh().value();
  auto const right = ts::testing::detail::whole(x.stored(), sizes).values;
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_EQ(right[i], static_cast<double>(i));
  ts::stored_array wrong = x.stored();
  wrong.facts.entry(0) = {};
  wrong.facts.entry(0).append(0);
  wrong.facts.entry(0).append(1);
  EXPECT_NE(ts::testing::detail::whole(wrong, sizes).values, right);
}
TEST(placement, devices_that_disagree_throw) {
  auto const sizes = put<ts::P<>, 4>().mesh().value();
  ts::array_value facts;
  facts.element = ts::dtype::float64;
  facts.add_dim(4);
  facts.varying = sizes.axes();  // a block each, all of them the whole array
  ts::testing::dense_array const values{{4}, {1, 2, 3, 4}};
  ts::stored_array const same = ts::testing::detail::place(values, facts, sizes);
  EXPECT_EQ(ts::testing::detail::whole(same, sizes).values, values.values);
  if constexpr (ts::runs_on_host) {
    double const other = 7;
    std::memcpy(same.memory.data() + 64, &other, sizeof other);
    EXPECT_THROW(ts::testing::detail::whole(same, sizes), std::logic_error);
  }
}

}  // namespace
