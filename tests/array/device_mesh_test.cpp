// SPDX-License-Identifier: Apache-2.0
#include <tessera/array/current_mesh.hpp>
#include <tessera/array/device_mesh.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <thread>

#include "support/throws.hpp"

namespace {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using loose = mesh<explicit_axis<dp, dynamic>, auto_axis<mp, 2>>;
using looser = mesh<explicit_axis<dp, dynamic>, explicit_axis<mp, dynamic>>;

std::vector<device> devices(int count) {
  std::vector<device> all;
  for (int i = 0; i < count; ++i) all.push_back({i});
  return all;
}

TEST(make_mesh, takes_the_devices_in_their_order) {
  auto const mesh = make_mesh<grid>(devices(8));
  EXPECT_EQ(mesh.device_ids(), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(mesh.size(), 8);
  EXPECT_EQ(mesh.size<dp>(), 4);
  EXPECT_EQ(mesh.size<mp>(), 2);
  EXPECT_EQ(mesh.axis_sizes(), (extents_list{4, 2}));
  EXPECT_EQ(mesh.axis_names()[1], "mp");
  EXPECT_EQ(mesh.axis_types()[0], axis_kind::explicit_);
  EXPECT_EQ(mesh.shape()[0], (named_size{"dp", 4}));
  EXPECT_EQ(mesh.device_at({2, 1}).id, 5);
  EXPECT_EQ(mesh.value(), grid::value);
}

TEST(make_mesh, takes_all_devices_if_none_are_named) {
  EXPECT_EQ(make_mesh<grid>(), make_mesh<grid>(tessera::devices()));
}

TEST(make_mesh, takes_the_first_of_more_devices_as_jax_does) {
  EXPECT_EQ(make_mesh<grid>(devices(9)).device_ids().back(), 7);
}

TEST(make_mesh, takes_a_device_order) {
  device_order const order{{0, 4, 1, 5, 2, 6, 3, 7}};
  auto const mesh = make_mesh<grid>(devices(8), order);
  EXPECT_EQ(mesh.device_ids(), order.ids);
  EXPECT_EQ(mesh.device_at({1, 1}).id, 5);
  EXPECT_EQ(make_mesh<looser>(devices(8), {2, 3}, device_order{{5, 4, 3, 2, 1, 0}}).device_ids().front(), 5);
}

TEST(make_mesh, takes_sizes_for_dynamic_axes) {
  auto const mesh = make_mesh<looser>(devices(8), {2, 3});
  EXPECT_EQ(mesh.axis_sizes(), (extents_list{2, 3}));
  EXPECT_EQ(mesh.size(), 6);
  EXPECT_EQ(make_mesh<loose>(devices(8), {3, 2}).size<dp>(), 3);
}

TEST(make_mesh, one_dynamic_axis_takes_all_devices) {
  EXPECT_EQ(make_mesh<loose>(devices(6)).axis_sizes(), (extents_list{3, 2}));
}

TEST(make_mesh, refuses_with_both_numbers_and_a_fix) {
  EXPECT_THROW_TEXT(make_mesh<grid>(devices(4)), "needs 8 devices, 4 were given. Fix: give 8 devices");
  EXPECT_THROW_TEXT(make_mesh<loose>(devices(5)), "5 devices do not divide over AbstractMesh('dp': ?, 'mp': 2");
  EXPECT_THROW_TEXT(make_mesh<loose>(devices(0)), "0 devices do not divide");
  EXPECT_THROW_TEXT(make_mesh<looser>(devices(8)), "has an axis of unknown size. Fix: give the sizes");
  EXPECT_THROW_TEXT(make_mesh<looser>(devices(8), {8}), "has 2 axes, 1 sizes were given");
  EXPECT_THROW_TEXT(make_mesh<loose>(devices(8), {2, 4}), "axis 'mp' of AbstractMesh('dp': ?, 'mp': 2");
  EXPECT_THROW_TEXT(make_mesh<looser>(devices(8), {0, 4}), "axis 'dp' of AbstractMesh('dp': ?, 'mp': ?");
  EXPECT_THROW_TEXT(make_mesh<grid>(devices(8), device_order{{0, 1, 2}}), "needs 8 devices, 3 were given");
  EXPECT_THROW_TEXT(make_mesh<grid>(devices(8), device_order{{0, 1, 2, 3, 4, 5, 6, 9}}), "no device with id 9");
  EXPECT_THROW_TEXT(make_mesh<grid>(devices(8), device_order{{0, 1, 2, 3, 4, 5, 6, 1}}),
                    "CpuDevice(id=1) is at position 1 and at 7");
  EXPECT_THROW_TEXT(device_mesh<grid>(concrete_mesh(loose::value, {})), "has an axis of unknown size");
  EXPECT_THROW_TEXT(device_mesh<grid>(make_mesh<mesh<explicit_axis<dp, 8>>>(devices(8))), "is not a mesh of type");
}

TEST(device_mesh, equal_means_same_axes_and_devices) {
  auto const mesh = make_mesh<grid>(devices(8));
  EXPECT_EQ(mesh, make_mesh<grid>(devices(8)));
  EXPECT_NE(mesh, make_mesh<grid>(devices(8), device_order{{7, 6, 5, 4, 3, 2, 1, 0}}));
  EXPECT_NE(make_mesh<looser>(devices(8), {4, 2}), make_mesh<looser>(devices(8), {2, 4}));
}

TEST(device_mesh, copies_share_the_devices) {
  auto const mesh = make_mesh<grid>(devices(8));
  auto const copy = mesh;
  EXPECT_EQ(&copy.devices(), &mesh.devices());
}

TEST(device_mesh, the_empty_mesh_is_one_device) {
  auto const mesh = device_mesh<no_mesh>::on({3});
  EXPECT_EQ(mesh.device_ids(), std::vector{3});
  EXPECT_TRUE(device_mesh<no_mesh>().empty());
}

TEST(device_mesh, prints_as_jax) {
  std::ostringstream out;
  out << make_mesh<grid>(devices(8)) << ' ' << make_mesh<loose>(devices(4));
  EXPECT_EQ(
      out.str(),
      "Mesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit)) Mesh('dp': 2, 'mp': 2, axis_types=(Explicit, Auto))");
}

TEST(current_mesh, lasts_as_long_as_its_guard) {
  auto const first = make_mesh<grid>(devices(8));
  auto const second = make_mesh<grid>(devices(8), device_order{{7, 6, 5, 4, 3, 2, 1, 0}});
  EXPECT_FALSE(has_current_mesh<grid>());
  EXPECT_THROW_TEXT(current_mesh<grid>(), "no current AbstractMesh('dp': 4, 'mp': 2");
  {
    use_mesh const outer{first};
    EXPECT_EQ(current_mesh<grid>(), first);
    {
      use_mesh const inner{second};
      EXPECT_EQ(current_mesh<grid>(), second);
      EXPECT_FALSE(has_current_mesh<loose>());
    }
    EXPECT_EQ(current_mesh<grid>(), first);
    std::thread([] { EXPECT_FALSE(has_current_mesh<grid>()); }).join();
  }
  EXPECT_FALSE(has_current_mesh<grid>());
}

TEST(current_mesh, set_mesh_stays) {
  set_mesh(make_mesh<loose>(devices(4)));
  EXPECT_EQ(current_mesh<loose>().size(), 4);
}

}  // namespace
