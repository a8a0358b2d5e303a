// SPDX-License-Identifier: Apache-2.0
// Arrays' blocks as Kokkos::Views, and arrays made of Views.

#include <tessera/kokkos.hpp>

#include "support/on_device.hpp"
#include "support/on_grid.hpp"
#include "support/throws.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <span>
#include <vector>

namespace {

using namespace on_device;
using namespace on_grid;

// (i, j) -> first + row i + column j. nvcc takes no lambdas for a device in a TEST or in a generic lambda.
struct in_steps {
  std::int64_t first, row, column = 1;
  KOKKOS_FUNCTION std::int64_t operator()(int i, int j) const { return first + row * i + column * j; }
};
template <class View>
void number(View const& view) {
  fill_matrix(view, in_steps{0, 10});
}
template <class Element>
struct negated {
  Element* elements;
  KOKKOS_FUNCTION void operator()(int i) const { elements[i] *= -1; }
};
template <class X, class View>
void expect_same(X const& x, View const& at) {
  auto const got = x.to_host();
  auto const view = readable(at);
  for (std::size_t i = 0; i < view.extent(0); ++i)
    for (std::size_t j = 0; j < view.extent(1); ++j) EXPECT_EQ(got[i * view.extent(1) + j], view(i, j));
}

TEST(Views, ShowTheBlocksWhereTheyAre) {
  auto const x = put<ts::P<dp, mp>, 8, 6>(counted(48));
  auto const all = ts::views(x);
  using view = std::remove_cvref_t<decltype(all.front().view)>;
  static_assert(std::is_same_v<view, Kokkos::View<double const**, Kokkos::LayoutRight, ts::execution_memory,
                                                  Kokkos::MemoryTraits<Kokkos::Unmanaged>>>);
  ASSERT_EQ(all.size(), 8u);
  auto const shards = x.addressable_shards();
  for (std::size_t k = 0; k < 8; ++k) {
    auto const& shard = all[k];
    EXPECT_EQ(shard.view.data(), shards[k].data);
    EXPECT_EQ(shard.where, shards[k].where);
    ASSERT_EQ(shard.view.extent(0), 2u);
    ASSERT_EQ(shard.view.extent(1), 3u);
    auto const seen = readable(shard.view);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        EXPECT_EQ(seen(i, j), 6.0 * static_cast<double>(shard.index[0].start + static_cast<long>(i)) +
                                  static_cast<double>(shard.index[1].start + static_cast<long>(j)));
  }
}

TEST(Views, KeepTheMemoryOfAnArrayThatIsGone) {
  auto const before = ts::memory_in_use().live_buffers;
  {
    auto const shard = [] {
      auto x = ts::device_put(ts::host<3>(std::vector<float>{1, 2, 3}));
      auto const made = ts::view_of(x);
      x.release();
      return made;
    }();
    EXPECT_EQ(ts::memory_in_use().live_buffers, before + 1);
    EXPECT_EQ(readable(shard.view)(2), 3.0f);
  }
  EXPECT_EQ(ts::memory_in_use().live_buffers, before);
}

TEST(Views, OfComplexNumbersBoolsAndScalars) {
  using complex = std::complex<double>;
  auto const z = ts::device_put(ts::host<2>(std::vector<complex>{{1, 2}, {3, 4}}));
  auto const shown = ts::view_of(z);
  static_assert(std::is_same_v<decltype(shown.view)::value_type, Kokkos::complex<double> const>);
  EXPECT_EQ(readable(shown.view)(1).imag(), 4.0);
  auto const total = ts::view_of(ts::sum(put<ts::P<>, 4, 2>(counted(8))));
  static_assert(decltype(total.view)::rank() == 0);
  EXPECT_EQ(readable(total.view)(), 28.0);
  auto const mask = ts::view_of(ts::device_put(ts::host<2>(std::vector<double>{1, 3})) > 2.0);
  static_assert(std::is_same_v<decltype(mask.view)::value_type, bool const>);
  auto const bits = readable(mask.view);
  EXPECT_TRUE(!bits(0) && bits(1));
}

TEST(Views, OfBlocksThatAreNotFull) {
  using loose = ts::mesh<ts::explicit_axis<dp, 2>, ts::uneven_axis<mp, 4>>;
  auto const mesh = ts::make_mesh<loose>(ts::devices());
  std::vector<float> v(4 * 6);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<4, 6>(v), mesh);
  std::size_t seen = 0;
  for (auto const& shard : ts::views(x)) {
    static_assert(std::is_same_v<decltype(shard.view)::array_layout, Kokkos::LayoutStride>);
    seen += shard.view.size();
    auto const view = readable(shard.view);
    for (std::size_t i = 0; i < shard.view.extent(0); ++i)
      for (std::size_t j = 0; j < shard.view.extent(1); ++j)
        EXPECT_EQ(view(i, j), v[(static_cast<std::size_t>(shard.index[0].start) + i) * 6 +
                                static_cast<std::size_t>(shard.index[1].start) + j]);
  }
  EXPECT_EQ(seen, 24u);
  auto const made = ts::make_array_from_views<ts::P<dp, mp>, ts::shape<4, 6>, float>(mesh, [](auto view, auto index) {
    fill_matrix(view, in_steps{6 * index[0].start + index[1].start, 6});
  });
  EXPECT_EQ(made.to_host(), v);
}

TEST(Views, AreWrittenWhereNobodyElseLooks) {
  auto x = put<ts::P<ts::none, mp>, 4, 4>(counted(16));
  {
    auto const own = ts::writable_views(x);
    ASSERT_EQ(own.size(), 2u);  // the rows of dp are replicas
    for (auto const& shard : own) Kokkos::parallel_for("negate", shard.view.size(), negated<double>{shard.view.data()});
    Kokkos::fence();
    EXPECT_THROW_TEXT(ts::writable_views(x), "another array, View or tensor has this memory");
  }
  expect(x, counted(16, -1));
  auto const other = x;
  EXPECT_THROW_TEXT(ts::writable_views(x), "another array, View or tensor has this memory");
  x.release();
  EXPECT_THROW_TEXT(ts::writable_views(x), "this array has no memory");
}

TEST(Views, ANewArrayIsWrittenInPlace) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const before = ts::memory_in_use().live_buffers;
  int calls = 0;
  auto const x = ts::make_array_from_views<ts::P<dp>, ts::shape<8, 3>, double>(mesh, [&](auto view, auto const& index) {
    ++calls;
    fill_matrix(view, in_steps{3 * index[0].start, 3});
  });
  static_assert(ts::type_text<decltype(x)> == "float64[8@dp,3]");
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(ts::memory_in_use().live_buffers, before + 1);
  expect(x, counted(24));
}

TEST(Views, OfAnyLayoutAreCopied) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  Kokkos::View<float**, Kokkos::LayoutLeft> const left("left", 8, 4);
  number(left);
  expect_same(ts::device_put<ts::P<dp, mp>>(ts::stepped<8, 4>(left), mesh), left);
  auto const open = ts::device_put<ts::P<ts::none, mp>>(left, mesh);
  static_assert(ts::type_text<decltype(open)> == "float32[?,4@mp]" ||
                ts::type_text<decltype(open)> == "float32[?,?@mp]");
  expect_same(open, left);
  Kokkos::View<float[8][4], Kokkos::LayoutRight> const right("right");
  number(right);
  auto const typed = ts::device_put<ts::P<mp>>(right, mesh);
  static_assert(ts::type_text<decltype(typed)> == "float32[8@mp,4]");
  expect_same(typed, right);
  Kokkos::View<float**, Kokkos::LayoutRight> const large("large", 20, 30);
  number(large);
  auto const part = Kokkos::subview(large, std::pair(3, 11), std::pair(2, 6));
  expect_same(ts::device_put<ts::P<dp>>(ts::stepped<8, 4>(part), mesh), part);
  auto const column = Kokkos::subview(large, Kokkos::ALL, 7);
  auto const c = ts::device_put(ts::stepped<20>(column)).to_host();
  auto const seen = readable(column);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(c[i], seen(i));
  Kokkos::View<float**, Kokkos::LayoutStride> const apart("apart", Kokkos::LayoutStride(8, 5, 4, 50));
  number(apart);
  expect_same(ts::device_put<ts::P<ts::axes<dp, mp>>>(ts::stepped<8, 4>(apart), mesh), apart);
  Kokkos::View<std::int16_t> const scalar("scalar");
  Kokkos::deep_copy(scalar, 7);
  auto const s = ts::device_put(scalar);
  static_assert(ts::type_text<decltype(s)> == "int16[]");
  EXPECT_EQ(s.item(), 7);
}

TEST(Views, ResultsAreCopiedInto) {
  auto const x = put<ts::P<dp, mp>, 8, 4>(counted(32));
  Kokkos::View<double**, Kokkos::LayoutLeft> const left("left", 8, 4);
  ts::copy_to(x, left);
  expect_same(x, left);
  Kokkos::View<double**> const large("large", 10, 10);
  auto const part = Kokkos::subview(large, std::pair(1, 9), std::pair(3, 7));
  ts::copy_to(x, part);
  expect_same(x, part);
  EXPECT_EQ(readable(large)(0, 0), 0.0);
  Kokkos::View<double[4][8]> const other("other");
  EXPECT_THROW_TEXT(ts::copy_to(x, other), "has extents (8, 4), the view (4, 8)");
}

TEST(Views, AreAdoptedAndKept) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  Kokkos::View<float**, Kokkos::LayoutRight> view("adopted", 64, 4);
  number(view);
  auto const before = ts::memory_in_use().live_buffers;
  {
    auto const x = ts::adopt<ts::P<dp>>(ts::stepped<64, 4>(view), mesh, view);
    EXPECT_EQ(view.use_count(), 2);
    auto const open = ts::adopt<ts::P<dp>>(view, mesh);
    EXPECT_EQ(view.use_count(), 3);
    EXPECT_EQ(ts::memory_in_use().live_buffers, before);
    float const* const place = view.data();
    view = {};
    EXPECT_EQ(ts::views(x).front().view.data(), place);
    EXPECT_EQ(ts::jit([](auto a) { return a + 1; })(open).to_host()[5], 12.0f);
    auto kept = ts::view_of(ts::reshard<ts::P<>>(x));
    EXPECT_EQ(readable(kept.view)(63, 3), 633.0f);
    auto own = x;
    EXPECT_THROW_TEXT(ts::writable_views(own), "or it was adopted");
  }
  EXPECT_EQ(ts::memory_in_use().live_buffers, before);
}

TEST(Views, WhatIsRefused) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::vector<float> v(32);
  Kokkos::View<float**, Kokkos::LayoutRight> const kept("kept", 8, 4);
  Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const loose(kept.data(), 8, 4);
  EXPECT_THROW_TEXT(ts::adopt(loose), "this view has no share in its memory");
  EXPECT_EQ(ts::adopt(loose, ts::outlives).to_host(), v);
  Kokkos::View<float**, Kokkos::LayoutLeft> const left("left", 8, 4);
  EXPECT_THROW_TEXT(ts::adopt(left), "this data has steps (1, 8)");
  EXPECT_THROW_TEXT((ts::device_put<ts::P<dp>>(ts::stepped<8, 5>(left), mesh)), "the data has extents (8, 4)");
  EXPECT_THROW_TEXT((ts::device_put<ts::P<dp>>(Kokkos::View<float**>("odd", 7, 4), mesh)), "divi");
  EXPECT_THROW_TEXT(ts::device_put(Kokkos::View<float*, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(nullptr, 3)),
                    "null pointer");
  auto x = put<ts::P<>, 4>(counted(4));
  x.release();
  EXPECT_THROW_TEXT(ts::views(x), "this array has no memory");
  EXPECT_THROW_TEXT(ts::view_of(x), "this array has no memory");
  if (!ts::runs_on_host) return;  // memory of the host is adopted where programs run on it
  alignas(16) double parts[5]{};  // complex numbers from the second on
  auto const* const odd = reinterpret_cast<std::complex<double> const*>(parts + 1);
  auto const z = ts::adopt(ts::host<2>(std::span(odd, 2)), ts::outlives);
  EXPECT_THROW_TEXT(ts::view_of(z), "Kokkos::complex asks for more");
}

}  // namespace
