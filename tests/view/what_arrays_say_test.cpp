// SPDX-License-Identifier: Apache-2.0
// What arrays, meshes and types say of themselves, printed as JAX's tutorials print it.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include "support/printed.hpp"
#include "support/throws.hpp"

namespace {

TESSERA_TREE(layer, w, b);
TESSERA_TREE(network, first, rest);

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using line = ts::mesh<ts::auto_axis<dp, 3>>;

TEST(what_meshes_say, prints) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  EXPECT_EQ(printed(mesh.axis_names()), "('dp', 'mp')");
  EXPECT_EQ(printed(mesh.shape()), "{'dp': 4, 'mp': 2}");
  EXPECT_EQ(printed(mesh.axis_types()), "(Explicit, Explicit)");
  EXPECT_EQ(printed(mesh.axis_types()[1]), "Explicit");
  EXPECT_EQ(printed(mesh.axis_sizes()), "(4, 2)");
  EXPECT_EQ(printed(mesh.device_ids()), "[[0 1]\n [2 3]\n [4 5]\n [6 7]]");
  auto const three = ts::make_mesh<line>(ts::devices(), ts::device_order{{4, 0, 2}});
  EXPECT_EQ(printed(three.axis_names()), "('dp',)");
  EXPECT_EQ(printed(three.shape()), "{'dp': 3}");
  EXPECT_EQ(printed(three.axis_types()), "(Auto,)");
  EXPECT_EQ(printed(three.device_ids()), "[4 0 2]");
  auto const alone = ts::device_mesh<ts::no_mesh>::on(ts::default_device());
  EXPECT_EQ(printed(alone.axis_names()) + printed(alone.shape()) + printed(alone.axis_types()), "(){}()");
  EXPECT_EQ(printed(alone.device_ids()), "0");
}

TEST(what_arrays_say, values_on_the_host_print_as_arrays) {
  auto const x = ts::asarray({{1.f, 2.5f}, {-3.f, 4.f}});
  EXPECT_EQ(printed(ts::device_get(x)), printed(x));
  EXPECT_EQ(printed(ts::device_get(x)), "[[ 1.   2.5]\n [-3.   4. ]]");
  EXPECT_EQ(printed(ts::device_get(ts::sum(x))), "4.5");
  EXPECT_EQ(printed(ts::asarray({1, -2}).to_host()), "[ 1 -2]");
}

TEST(what_meshes_say, a_size_by_its_name) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  EXPECT_EQ(mesh.shape()["mp"], 2);
  EXPECT_EQ(mesh.shape()[mesh.axis_names()[0]], 4);
  EXPECT_THROW_TEXT(mesh.shape()["tp"], "no axis 'tp' in {'dp': 4, 'mp': 2}");
}

struct vary {
  constexpr auto operator()(auto x) const {
    static_assert(ts::typeof_(x).vma().size() == 2 && x.ndim() == 2);
    return x;
  }
};
TEST(what_types_say, the_axes_over_which_a_block_varies) {
  using block = ts::array_type<float, ts::shape<2, 3>, ts::P<>,
                               ts::mesh<ts::manual_axis<dp, 4>, ts::manual_axis<mp, 2>>, ts::varying<dp, mp>>;
  EXPECT_EQ(printed(ts::typeof_result<block>::vma()), "{'dp', 'mp'}");
  auto const x =
      ts::device_put<ts::P<dp, mp>>(ts::reshape<8, 4>(ts::arange<float, 32>()), ts::make_mesh<grid>(ts::devices()));
  EXPECT_EQ(printed(ts::typeof_(x).vma()), "{}");
  auto const same = ts::shard_map<ts::out_specs<ts::P<dp, mp>>>(vary{})(x);
  EXPECT_EQ(same.to_host(), x.to_host());
}

TEST(what_arrays_say, rank_device_identity) {
  auto const x = ts::asarray({{1.f, 2.f}, {3.f, 4.f}});
  static_assert(decltype(x)::ndim() == 2 && ts::zeros<float, 2, 3, 4>().ndim() == 3);
  static_assert(ts::zeros<float, 2, 3>().shape() == ts::extents_list{2, 3});
  static_assert(ts::zeros<float, 2, 3>().dtype() == ts::dtype::float32);
  EXPECT_EQ(x.device(), ts::default_device());
  EXPECT_EQ(ts::device_put(x, ts::devices()[3]).device().id, 3);
  auto const copy = x;
  EXPECT_EQ(copy.id(), x.id());
  EXPECT_NE(x.at(0, 0).set(9).id(), x.id()) << "a new array";
  auto const wide = ts::device_put<ts::P<dp>>(ts::arange<float, 8>(), ts::make_mesh<grid>(ts::devices()));
  EXPECT_THROW_TEXT(wide.device(), "device() of an array on 8 devices. Fix: devices(), or sharding().");
  EXPECT_EQ(ts::local_device_count(), ts::device_count());
  EXPECT_EQ(ts::process_count(), 1);
  EXPECT_EQ(ts::process_index(), 0);
  if (ts::runs_on_host) {
    std::vector<ts::device> const two{ts::devices()[0], ts::devices()[1]};
    EXPECT_EQ(printed(two), "[CpuDevice(id=0), CpuDevice(id=1)]");
    EXPECT_EQ(printed(x.devices()), "[CpuDevice(id=0)]");
  }
}

// A value without dimensions is a C++ number where one is asked for, by a cast.
TEST(what_arrays_say, scalars_convert) {
  auto const x = ts::sum(ts::asarray({1.5f, 2.f}));
  EXPECT_EQ(static_cast<float>(x), 3.5f);
  EXPECT_EQ(double(x), 3.5);
  EXPECT_EQ(static_cast<int>(x), 3);
  EXPECT_TRUE(x > 3 ? true : false);
  if (x < 3) ADD_FAILURE();
  EXPECT_EQ(static_cast<std::int64_t>(ts::asarray(std::int64_t{1} << 40)), std::int64_t{1} << 40);
  EXPECT_EQ(static_cast<bool>(ts::asarray(0)), false);
  EXPECT_EQ(float(ts::astype<ts::bfloat16>(x)), 3.5f);
  EXPECT_EQ(int(ts::astype<ts::float16>(x)), 3);
  auto const z = ts::complex(x, x - 1.5f);
  EXPECT_EQ(static_cast<ts::complex_number<float>>(z).im, 2);
  static_assert(!std::is_convertible_v<decltype(x), float>, "a number is asked for, never taken");
  static_assert(!std::is_constructible_v<float, decltype(ts::asarray({1.f}))>, "of rank 1");
  static_assert(!std::is_constructible_v<float, decltype(z)>, "of a complex number");
}

TEST(what_trees_say, their_leaves_by_path) {
  auto const w = ts::asarray({{1.f, 2.f}, {3.f, 4.f}});
  auto const b = ts::asarray({1, 2});
  EXPECT_EQ(printed(layer{w, b}), "w: [[1. 2.]\n [3. 4.]]\nb: [1 2]");
  EXPECT_EQ(printed(network{layer{b, b}, std::tuple{b, 3.5f}}),
            "first.w: [1 2]\nfirst.b: [1 2]\nrest.0: [1 2]\nrest.1: 3.5");
  EXPECT_EQ(printed(std::pair{b, ts::zeros<float, 2>()}), "0: [1 2]\n1: [0. 0.]");
  EXPECT_EQ(printed(std::array{b, b}), "0: [1 2]\n1: [1 2]");
}

TEST(what_trees_say, their_types) {
  auto const w = ts::asarray({{1.f, 2.f}, {3.f, 4.f}});
  auto const b = ts::asarray({1, 2});
  network const deep{layer{w, b}, std::tuple{b, 3.5f, ts::no_leaf{}}};
  static_assert(ts::type_text<decltype(deep)> ==
                "{first: {w: float32[2,2], b: int32[2]}, rest: (int32[2], ~float32[], none)}");
  static_assert(ts::type_text<std::array<decltype(b), 2>> == "(int32[2], int32[2])");
  static_assert(ts::type_text<std::tuple<decltype(b)>> == "(int32[2],)");
  static_assert(ts::type_text<layer<std::string, decltype(ts::random::key(1))>> == "{w: static, b: {data: uint32[2]}}");
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const placed = ts::device_put<layer<ts::P<dp>, ts::P<mp>>>(layer{ts::zeros<float, 4, 2>(), b}, mesh);
  static_assert(ts::type_text<decltype(placed)> == "{w: float32[4@dp,2], b: int32[2@mp]}");
  ts::jit([](auto tree) {
    static_assert(ts::type_text<decltype(tree)> == "{w: float32[4@dp,2], b: int32[2@mp]}");
    return tree;
  })(placed);
}

}  // namespace
