// SPDX-License-Identifier: Apache-2.0
#include <tessera/array/sharding_object.hpp>

#include <gtest/gtest.h>

#include <sstream>

#include "conformance/layout_table.hpp"
#include "support/throws.hpp"

namespace {
using namespace tessera;
using namespace tessera::testing;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using swapped = mesh<explicit_axis<mp, 2>, explicit_axis<dp, 4>>;
using flat = mesh<explicit_axis<dp, 8>>;

std::vector<device> devices(int count) {
  std::vector<device> all;
  for (int i = 0; i < count; ++i) all.push_back({i});
  return all;
}
device_mesh<grid> const grid_mesh = make_mesh<grid>(devices(8));

TEST(named_sharding, parts_are_where_jax_puts_them) {
  for (indices_map_case const& c : indices_map_cases) {
    SCOPED_TRACE(c.id);
    concrete_mesh const mesh = mesh_of(c.mesh, c.device_order);
    auto const extents = c.shape;
    if (!c.error.empty()) {
      char const* const text = c.error == "duplicate_axis"  ? "uses an axis twice: P('dp', 'dp')"
                               : c.error == "unknown_axis"  ? "names an axis that it does not have"
                               : c.error == "rank_mismatch" ? "has 2 entries for an array of rank 1"
                               : c.error == "indivisible"
                                   ? "(size 4) does not divide into the 8 parts of P(('dp', 'mp'),). Fix: pad it to 8"
                                   : "no such error kind";
      EXPECT_THROW_TEXT(named_sharding(mesh, spec_of(c.spec)).devices_indices_map(extents), text);
      continue;
    }
    named_sharding const sharding(mesh, spec_of(c.spec));
    EXPECT_EQ(sharding.shard_shape(extents), c.shard_shape);
    EXPECT_EQ(sharding.is_fully_replicated(), c.fully_replicated);
    auto const map = sharding.devices_indices_map(extents);
    ASSERT_EQ(static_cast<int>(map.size()), c.indices.size());
    for (device_region const& mine : map) {
      SCOPED_TRACE("device " + std::to_string(mine.where.id));
      int found = 0;
      for (case_region const& theirs : c.indices)
        if (theirs.device_id == mine.where.id) {
          ++found;
          ASSERT_EQ(mine.index.size(), theirs.index.size());
          for (int d = 0; d < mine.index.size(); ++d) EXPECT_EQ(mine.index[d], theirs.index[d]);
        }
      for (auto const& theirs : c.replica_ids)
        if (theirs[0] == mine.where.id) {
          ++found;
          EXPECT_EQ(mine.replica_id, theirs[1]);
        }
      EXPECT_EQ(found, 2);
    }
  }
}

struct first : axis {};
struct second : axis {};
struct third : axis {};
template <class... A>
void expect_mesh(make_mesh_case const& c) {
  extents_list sizes;
  for (case_axis const& a : c.mesh) sizes.push_back(a.size);
  auto const mesh = make_mesh<tessera::mesh<explicit_axis<A, dynamic>...>>(devices(c.device_ids.size()), sizes);
  ASSERT_EQ(mesh.device_ids().size(), static_cast<std::size_t>(c.device_ids.size()));
  for (int i = 0; i < c.device_ids.size(); ++i)
    EXPECT_EQ(mesh.device_ids()[static_cast<std::size_t>(i)], c.device_ids[i]);
  EXPECT_TRUE(c.all_explicit);  // as ours are, whose kinds are always said
}
TEST(make_mesh, puts_devices_where_jax_does) {
  for (make_mesh_case const& c : make_mesh_cases) {
    SCOPED_TRACE(c.id);
    switch (c.mesh.size()) {
      case 1: expect_mesh<first>(c); break;
      case 2: expect_mesh<first, second>(c); break;
      case 3: expect_mesh<first, second, third>(c); break;
      default: FAIL() << "a mesh of another rank";
    }
  }
}

TEST(named_sharding, knows_the_memory_kinds_of_jax) {
  for (memory_kind_case const& c : memory_kind_cases) {
    SCOPED_TRACE(c.id);
    named_sharding const sharding(mesh_of(c.mesh), spec_of(c.spec));
    if (c.known.empty())
      EXPECT_THROW_TEXT(sharding.with_memory_kind(c.asked), "no device has memory of the kind 'bogus'. Fix: device,");
    else
      EXPECT_EQ(name_of(sharding.with_memory_kind(c.asked).memory()), c.known);
  }
}

TEST(named_sharding, specs_are_equal_and_equivalent_as_in_jax) {
  for (spec_equal_case const& c : spec_equal_cases) {
    SCOPED_TRACE(c.id);
    named_sharding const a(mesh_of(c.mesh), spec_of(c.a)), b(mesh_of(c.mesh), spec_of(c.b));
    EXPECT_EQ(a == b, c.equal);
    EXPECT_EQ(a.spec() == b.spec(), c.equal);
    EXPECT_EQ(a.is_equivalent_to(b, c.rank), c.equivalent);
    EXPECT_EQ(b.is_equivalent_to(a, c.rank), c.equivalent);
    EXPECT_EQ(a.spec().text(), c.a_text);
    EXPECT_EQ(b.spec().text(), c.b_text);
  }
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
  out << named_sharding(grid_mesh, P<dp, none>{}) << '\n' << named_sharding(grid_mesh, P<>{}, memory_kind::host);
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
