// SPDX-License-Identifier: Apache-2.0
// What is saved on one mesh is restored on others, in other layouts, of every dtype, in part, and under other names.

#include <tessera/checkpoint.hpp>

#include "support/on_grid.hpp"
#include "support/own_folder.hpp"
#include "support/throws.hpp"

#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;
using ts::testing::own_folder;

template <class W, class B>
struct layer {
  W w;
  B b;
  static constexpr ts::names<2> names{"w", "b"};
};
struct position {
  std::int64_t epoch = 0;
  std::uint64_t seed = 0;
  float rate = 0;
  bool shuffled = false;
  std::string file;
  std::vector<int> order;
  static constexpr ts::names<6> names{"epoch", "seed", "rate", "shuffled", "file", "order"};
  bool operator==(position const&) const = default;
};

template <class M, class Element, class Shape, class S>
using on = ts::array<ts::array_type<Element, Shape, S, M>>;

using square = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 4>>;
using line = ts::mesh<ts::explicit_axis<dp, 8>>;
using single = ts::mesh<ts::explicit_axis<dp, 1>, ts::explicit_axis<mp, 1>>;
using uneven = ts::mesh<ts::uneven_axis<dp, 4>, ts::uneven_axis<mp, 2>>;

template <class M>
auto mesh_of() {
  return ts::make_mesh<M>(ts::devices());
}
std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 37 % 1009) - 300.5f;
  return values;
}
template <class X>
void expect_same(X const& got, std::vector<float> const& want) {
  auto const host = got.to_host();
  EXPECT_TRUE(std::equal(host.begin(), host.end(), want.begin(), want.end()));
}

// 24 x 16 saved in one layout of 4 x 2, restored in others.
template <class S>
void saved_as() {
  own_folder const folder;
  auto const values = numbers(24 * 16);
  ts::save(folder / "x", std::tuple{ts::device_put<S>(ts::host<24, 16>(values), mesh_of<grid>())});
  auto const restored = [&]<class M, class Spec>(M, Spec) {
    auto const [x] = ts::restore<std::tuple<on<M, float, ts::shape<24, 16>, Spec>>>(folder / "x", mesh_of<M>());
    expect_same(x, values);
  };
  restored(grid{}, P<dp, mp>{});
  restored(grid{}, P<mp, dp>{});
  restored(grid{}, P<none, ts::axes<mp, dp>>{});
  restored(grid{}, P<>{});
  restored(square{}, P<dp, mp>{});
  restored(square{}, P<none, mp>{});
  restored(line{}, P<dp>{});
  restored(line{}, P<none, dp>{});
  restored(single{}, P<dp, mp>{});
  restored(ts::no_mesh{}, P<>{});
  auto const [open] =
      ts::restore<std::tuple<on<grid, float, ts::shape<ts::dynamic, 16>, P<dp>>>>(folder / "x", mesh_of<grid>());
  expect_same(open, values);
}
TEST(SaveRestore, EveryLayoutFromEveryOther) {
  saved_as<P<dp, mp>>();
  saved_as<P<none, dp>>();
  saved_as<P<ts::axes<dp, mp>>>();
  saved_as<P<ts::axes<mp, dp>, none>>();
  saved_as<P<>>();
}
TEST(SaveRestore, UnevenBlocks) {
  own_folder const folder;
  auto const values = numbers(7 * 5);
  auto const mesh = mesh_of<uneven>();
  ts::save(folder / "x", ts::device_put<P<dp, mp>>(ts::host<7, 5>(values), mesh));
  expect_same(ts::restore<on<uneven, float, ts::shape<7, 5>, P<mp, dp>>>(folder / "x", mesh), values);
  expect_same(ts::restore<on<uneven, float, ts::shape<7, 5>, P<none, dp>>>(folder / "x", mesh), values);
  expect_same(ts::restore<on<grid, float, ts::shape<7, 5>, P<>>>(folder / "x", mesh_of<grid>()), values);
}
TEST(SaveRestore, OtherOrdersOfDevices) {
  own_folder const folder;
  auto const values = numbers(8 * 4);
  auto const turned = ts::make_mesh<grid>(ts::devices(), ts::device_order{{7, 1, 5, 3, 2, 4, 6, 0}});
  ts::save(folder / "x", ts::device_put<P<dp, mp>>(ts::host<8, 4>(values), turned));
  expect_same(ts::restore<on<grid, float, ts::shape<8, 4>, P<mp, dp>>>(folder / "x", mesh_of<grid>()), values);
  expect_same(ts::restore<on<grid, float, ts::shape<8, 4>, P<dp, mp>>>(folder / "x", turned), values);
}

template <class T>
void of_dtype(std::vector<T> const& values) {
  own_folder const folder;
  ts::save(folder / "x", ts::device_put<P<dp>>(ts::host<8>(values), mesh_of<grid>()));
  auto const x = ts::restore<on<grid, T, ts::shape<8>, P<mp>>>(folder / "x", mesh_of<grid>()).to_host();
  ASSERT_EQ(x.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    T const read = static_cast<T>(x[i]), written = values[i];
    EXPECT_EQ(std::memcmp(&read, &written, sizeof(T)), 0) << i;
  }
}
template <class... T>
void of_dtypes() {
  (of_dtype<T>({T(0), T(1), T(2), T(3), T(100), T(5), T(6), T(127)}), ...);
}
TEST(SaveRestore, EveryDtype) {
  of_dtypes<ts::int8, ts::int16, ts::int32, ts::int64, ts::uint8, ts::uint16, ts::uint32, ts::uint64, float, double>();
  of_dtypes<ts::float8_e4m3fn, ts::float8_e5m2, ts::float16, ts::bfloat16, ts::complex64, ts::complex128>();
  of_dtype<float>(
      {0.0f, -0.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 1e-45f, 1, 2, 3});
  own_folder const folder;
  bool const flags[]{true, false, true, true, false, false, true, false};
  ts::save(folder / "x", ts::device_put<P<dp>>(ts::host<8>(flags), mesh_of<grid>()));
  auto const x = ts::restore<on<grid, bool, ts::shape<8>, P<mp>>>(folder / "x", mesh_of<grid>()).to_host();
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(x[i] != 0, flags[i]);
}

TEST(SaveRestore, NumbersAndTexts) {
  own_folder const folder;
  position const at{-5, 0xFFFFFFFFFFFFFFFFu, 0.1f, true, "a \"path\"\n\\ \xc3\xa4", {3, -1, 2}};
  auto const tree =
      std::tuple{at, 1.0 / 3, std::numeric_limits<double>::infinity(), std::array<std::uint32_t, 2>{1, 4000000000u}};
  ts::save(folder / "x", tree);
  auto const back = ts::restore(folder / "x", decltype(tree){});
  EXPECT_EQ(back, tree);
  using wrong = std::tuple<position, int>;
  EXPECT_THROW_TEXT(ts::restore(folder / "x", wrong{}), "1: 0.3333333333333333 is not one of the numbers of its type");
}
TEST(SaveRestore, ScalarsAndEmptyArrays) {
  own_folder const folder;
  auto const mesh = mesh_of<grid>();
  auto const one = ts::device_put<P<>>(ts::host(std::vector<float>{}, {0, 4}), mesh);
  auto const scalar = ts::sum(ts::device_put<P<dp>>(ts::host<8>(numbers(8)), mesh));
  ts::save(folder / "x", std::tuple{one, scalar});
  auto const [empty, total] = ts::restore(folder / "x", std::tuple{one, scalar});
  EXPECT_EQ(empty.shape(), (ts::extents_list{0, 4}));
  EXPECT_EQ(total.item(), scalar.item());
}

auto a_layer(float scale) {
  auto const mesh = mesh_of<grid>();
  auto w = ts::device_put<P<dp, mp>>(ts::host<8, 4>(std::vector<float>(32, scale)), mesh);
  auto b = ts::device_put<P<mp>>(ts::host<4>(std::vector<float>(4, -scale)), mesh);
  return layer<decltype(w), decltype(b)>{w, b};
}
using a_layer_type = decltype(a_layer(0));
struct more {
  a_layer_type first;
  a_layer_type head;
  static constexpr ts::names<2> names{"first", "head"};
};
struct twice {
  int a, b;
  static constexpr ts::names<2> names{"n", "n"};
};

TEST(SaveRestore, PartsAndOtherNames) {
  own_folder const folder;
  ts::save(folder / "x", layer<std::tuple<a_layer_type, a_layer_type>, int>{{a_layer(1), a_layer(2)}, 17});
  EXPECT_EQ(
      ts::describe_checkpoint(folder / "x"),
      "w.0.b  float32[4] @mp on dimension 0\nw.0.w  float32[8,4] @dp on dimension 0 @mp on dimension 1\n"
      "w.1.b  float32[4] @mp on dimension 0\nw.1.w  float32[8,4] @dp on dimension 0 @mp on dimension 1\nb = 17\n");
  auto const second = ts::restore(folder / "x", a_layer(0), {.rename = {{"", "w.1"}}});
  expect_same(second.w, std::vector<float>(32, 2));
  auto const mixed = ts::restore(folder / "x", a_layer(0), {.rename = {{"", "w.1"}, {"b", "w.0.b"}}});
  expect_same(mixed.b, std::vector<float>(4, -1));
  ts::restore_options const rules{.rename = {{"first", "w.0"}}, .may_be_missing = {"head"}};
  auto const kept = ts::restore(folder / "x", more{a_layer(0), a_layer(9)}, rules);
  expect_same(kept.first.w, std::vector<float>(32, 1));
  expect_same(kept.head.w, std::vector<float>(32, 9));
  expect_same(ts::restore<more>(folder / "x", mesh_of<grid>(), rules).head.w, std::vector<float>(32, 0));
  EXPECT_THROW_TEXT(ts::restore(folder / "x", more{a_layer(0), a_layer(9)}, {.rename = {{"first", "w.0"}}}),
                    "index.json: 2 leaves of the tree do not fit:\n  head.w: is not there\n  head.b: is not there");
}
TEST(SaveRestore, OtherTypesAreRefused) {
  own_folder const folder;
  ts::save(folder / "x", a_layer(1));
  auto const mesh = mesh_of<grid>();
  auto const w = ts::device_put<P<dp>>(ts::host<8>(std::vector<double>(8)), mesh);
  auto const b = ts::device_put<P<>>(ts::host<5>(std::vector<float>(5)), mesh);
  EXPECT_THROW_TEXT(ts::restore(folder / "x", layer<decltype(w), decltype(b)>{w, b}),
                    "  w: float64[8] is wanted, float32[8,4] is there\n  b: float32[5] is wanted, float32[4] is there");
  EXPECT_THROW_TEXT(ts::restore(folder / "y", a_layer(0)), "/y: is not there. Fix: the folder that save was given");
  EXPECT_THROW_TEXT(ts::restore(folder.path(), a_layer(0)), "is a folder without index.json");
  EXPECT_THROW_TEXT(ts::save(folder.path(), a_layer(0)), "is there and is no checkpoint");
  EXPECT_THROW_TEXT(ts::save(folder / "z", twice{}), "n: is the name of two leaves");
  auto gone = a_layer(1);
  gone.w.release();
  EXPECT_THROW_TEXT(ts::save(folder / "z", gone), "w: has no memory");
}
TEST(SaveRestore, AutoAxesSplitAsTheyDid) {
  using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
  own_folder const folder;
  auto const mesh = mesh_of<loose>();
  auto const x = ts::device_put<P<dp, mp>>(ts::host<8, 4>(numbers(32)), mesh);
  ts::save(folder / "x", x);
  auto const y = ts::restore<std::remove_const_t<decltype(x)>>(folder / "x", mesh);
  EXPECT_EQ(y.sharding().spec().text(), x.sharding().spec().text());
  expect_same(y, numbers(32));
}
TEST(SaveRestore, OneTakesThePlaceOfAnother) {
  own_folder const folder;
  for (bool const exchange : {true, false, true, false}) {
    static float scale = 0;
    scale += 1;
    ts::detail::end_save(*ts::detail::begin_save(ts::detail::leaves_of(a_layer(scale)),
                                                 {.path = folder / "x", .may_exchange = exchange}, false));
    expect_same(ts::restore(folder / "x", a_layer(0)).w, std::vector<float>(32, scale));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  }
  // Killed between two renames.
  std::filesystem::rename(folder / "x", folder / "x.saving-former");
  expect_same(ts::restore(folder / "x", a_layer(0)).w, std::vector<float>(32, 4));
  ts::save(folder / "x", a_layer(7));
  expect_same(ts::restore(folder / "x", a_layer(0)).w, std::vector<float>(32, 7));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

// More than a window: blocks that lie together are written and read as they are, others row by row.
TEST(SaveRestore, LargeArrays) {
  own_folder const folder;
  constexpr std::int64_t rows = 1 << 10, columns = 3 << 10;
  auto const values = numbers(rows * columns);
  auto const mesh = mesh_of<grid>();
  ts::save(folder / "x", ts::device_put<P<none, ts::axes<dp, mp>>>(ts::host<rows, columns>(values), mesh));
  expect_same(ts::restore<on<grid, float, ts::shape<rows, columns>, P<dp>>>(folder / "x", mesh), values);
  expect_same(ts::restore<on<grid, float, ts::shape<rows, columns>, P<dp, mp>>>(folder / "x", mesh), values);
  expect_same(ts::restore<on<single, float, ts::shape<rows, columns>, P<dp, mp>>>(folder / "x", mesh_of<single>()),
              values);
}

}  // namespace
