// SPDX-License-Identifier: Apache-2.0
#include <tessera/array/sharding_object.hpp>

#include <gtest/gtest.h>

#include <sstream>

#include "support/throws.hpp"

namespace {
using namespace tessera;
using namespace tessera::testing;

struct dp : axis {};
struct mp : axis {};
struct other : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using swapped = mesh<explicit_axis<mp, 2>, explicit_axis<dp, 4>>;
using flat = mesh<explicit_axis<dp, 8>>;

std::vector<device> devices(int count) {
  std::vector<device> all;
  for (int i = 0; i < count; ++i) all.push_back({i});
  return all;
}
device_mesh<grid> const grid_mesh = make_mesh<grid>(devices(8));

// Where parts lie, which layouts are equal and equivalent: conformance.layout asks JAX's cases.
TEST(named_sharding, refuses_with_sizes_and_a_fix) {
  auto const map = [](spec_value spec, extents_list extents) {
    return concrete_sharding(grid_mesh, spec).devices_indices_map(extents);
  };
  EXPECT_THROW_TEXT(map((spec_value_of<grid, P<dp, dp>>), {8, 8}), "uses an axis twice: P('dp', 'dp')");
  EXPECT_THROW_TEXT(map((spec_value_of<grid, P<other>>), {8}), "names an axis that it does not have");
  EXPECT_THROW_TEXT(map((spec_value_of<grid, P<dp, mp>>), {8}), "has 2 entries for an array of rank 1");
  EXPECT_THROW_TEXT(map((spec_value_of<grid, P<axes<dp, mp>>>), {4}),
                    "(size 4) does not divide into the 8 parts of P(('dp', 'mp'),). Fix: pad it to 8");
  EXPECT_THROW_TEXT(named_sharding(grid_mesh, P<dp>{}).with_memory_kind("bogus"),
                    "no device has memory of the kind 'bogus'. Fix: device,");
}

TEST(named_sharding, equivalence_is_about_devices_memory_and_pending_sums) {
  named_sharding const split(grid_mesh, P<dp>{});
  auto const reversed = make_mesh<grid>(devices(8), device_order{{7, 6, 5, 4, 3, 2, 1, 0}});
  EXPECT_FALSE(named_sharding(grid_mesh, P<>{}).is_equivalent_to(named_sharding(reversed, P<>{}), 1));
  EXPECT_FALSE(split.is_equivalent_to(split.with_memory(memory_kind::host), 1));
  EXPECT_FALSE(split.is_equivalent_to(named_sharding(grid_mesh, P<dp, unreduced<mp>>{}), 1));
  EXPECT_TRUE(split.is_equivalent_to(named_sharding(grid_mesh, P<dp, reduced<mp>>{}), 1));
  named_sharding const both(grid_mesh, P<axes<dp, mp>>{});
  EXPECT_TRUE(both.is_equivalent_to(named_sharding(make_mesh<flat>(devices(8)), P<dp>{}), 2));
  EXPECT_FALSE(named_sharding(grid_mesh, P<dp, mp>{})
                   .is_equivalent_to(named_sharding(make_mesh<swapped>(devices(8)), P<dp, mp>{}), 2));
  EXPECT_FALSE(split == split.with_memory(memory_kind::host));
  EXPECT_EQ(split, split.with_spec(spec_value_of<grid, P<dp>>));
}

TEST(named_sharding, a_pending_sum_is_not_replicated) {
  EXPECT_FALSE(named_sharding(grid_mesh, P<unreduced<dp>>{}).is_fully_replicated());
  EXPECT_TRUE(named_sharding(grid_mesh, P<reduced<dp>>{}).is_fully_replicated());
}

TEST(named_sharding, prints_as_jax) {
  std::ostringstream out;
  out << named_sharding(grid_mesh, P<dp, none>{}) << '\n' << named_sharding(grid_mesh, P<>{}, on_host{});
  EXPECT_EQ(
      out.str(),
      "NamedSharding(mesh=Mesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit)), spec=P('dp', None), memory_kind=device)\n"
      "NamedSharding(mesh=Mesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit)), spec=P(), memory_kind=pinned_host)");
  EXPECT_EQ(named_sharding(device_mesh<no_mesh>::on({2}), P<>{}).text(),
            "SingleDeviceSharding(device=CpuDevice(id=2), memory_kind=device)");
}

TEST(named_sharding, its_spec_compares_with_a_type) {
  named_sharding const sharding(grid_mesh, P<dp, none>{});
  EXPECT_TRUE((sharding.spec() == P<dp, none>{}));
  EXPECT_FALSE((sharding.spec() == P<dp>{}));
}

TEST(named_sharding, a_scalar_is_whole_everywhere) {
  auto const map = named_sharding(grid_mesh, P<>{}).devices_indices_map({});
  ASSERT_EQ(map.size(), 8u);
  EXPECT_EQ(map[5].index.size(), 0);
  EXPECT_EQ(map[5].replica_id, 5);
}

}  // namespace
