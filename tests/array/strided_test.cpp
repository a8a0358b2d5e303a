// SPDX-License-Identifier: Apache-2.0
// Arrays made of memory that others laid out, copied or taken as it is, and copied back with any steps.

#include <tessera/array/adopt.hpp>
#include <tessera/tessera.hpp>

#include "support/near.hpp"
#include "support/on_grid.hpp"
#include "support/throws.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

namespace {

using namespace on_grid;

std::vector<float> counting(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}
template <class X>
std::vector<float> values(X const& x) {
  return x.to_host();
}

// As std::mdspan is: what the library asks of one.
template <class T, std::size_t... E>
struct small_mdspan {
  struct extents_type {
    using rank_type = std::size_t;
    static constexpr std::size_t rank() { return sizeof...(E); }
    static constexpr std::size_t static_extent(std::size_t d) { return std::array{E...}[d]; }
    std::array<long, sizeof...(E)> sizes;
    long extent(std::size_t d) const { return sizes[d]; }
  };
  struct mapping_type {
    std::array<long, sizeof...(E)> steps;
    bool strided = true;
    bool is_strided() const { return strided; }
    long stride(std::size_t d) const { return steps[d]; }
  };
  using element_type = T;
  using accessor_type = void;
  using data_handle_type = T*;
  T* first;
  extents_type sizes;
  mapping_type steps;
  T* data_handle() const { return first; }
  extents_type const& extents() const { return sizes; }
  mapping_type const& mapping() const { return steps; }
};

TEST(Strided, ColumnsBecomeRows) {
  auto const v = counting(32);  // 8 x 4 by columns
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::stepped<8, 4>(v, {1, 8}), ts::make_mesh<grid>(ts::devices()));
  static_assert(ts::type_text<decltype(x)> == "float32[8@dp,4@mp]");
  auto const got = values(x);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(got[i * 4 + j], v[j * 8 + i]);
}

TEST(Strided, AnyStepsOnEveryLayout) {
  auto const v = counting(200);
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const check = [&](auto const& x, std::array<std::size_t, 2> steps, std::size_t first) {
    auto const got = values(x);
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(got[i * 4 + j], v[first + i * steps[0] + j * steps[1]]);
  };
  std::span<float const> const all(v), later = all.subspan(7);
  check(ts::device_put<ts::P<dp>>(ts::stepped<8, 4>(all, {20, 3}), mesh), {20, 3}, 0);
  check(ts::device_put<ts::P<ts::none, dp>>(ts::stepped<8, 4>(later, {3, 25}), mesh), {3, 25}, 7);
  check(ts::device_put<ts::P<ts::axes<dp, mp>>>(ts::stepped(all, {8, 4}, {5, 40}), mesh), {5, 40}, 0);
  check(ts::device_put<ts::P<mp, dp>>(ts::stepped<8, 4>(all, {0, 1}), mesh), {0, 1}, 0);  // one row eight times
  check(ts::device_put(ts::stepped<8, 4>(all, {4, 1})), {4, 1}, 0);
  check(ts::device_put(ts::stepped<8, 4>(all, {4, 1}), ts::named_sharding{mesh, ts::P<mp>{}}), {4, 1}, 0);
}

TEST(Strided, StepsBackwards) {
  auto const v = counting(12);
  ts::strided_view<float, ts::shape<3, 4>> const back{v.data() + 11, {3, 4}, {-4, -1}};
  auto const got = values(ts::device_put(back));
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(got[i], v[11 - i]);
}

TEST(Strided, UnevenBlocks) {
  using loose = ts::mesh<ts::uneven_axis<dp, 4>>;
  auto const v = counting(60);
  auto const x = ts::device_put<ts::P<dp>>(ts::stepped<6, 5>(v, {1, 10}), ts::make_mesh<loose>(ts::devices()));
  auto const got = values(x);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(got[i * 5 + j], v[j * 10 + i]);
  std::vector<float> out(60, -1.0f);
  ts::copy_to(x, small_mdspan<float, 6, 5>{out.data(), {{6, 5}}, {{1, 6}}});
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(out[j * 6 + i], got[i * 5 + j]);
  EXPECT_EQ(out[30], -1.0f);
}

TEST(Strided, AnMdspanInAndOut) {
  auto v = counting(24);
  small_mdspan<float, 6, std::size_t(-1)> const columns{v.data(), {{6, 4}}, {{1, 6}}};
  auto const x = ts::device_put<ts::P<mp>>(columns, ts::make_mesh<grid>(ts::devices()));
  static_assert(ts::type_text<decltype(x)> == "float32[6@mp,?]");
  auto const y = ts::device_put<ts::P<mp>>(ts::stepped<6, 4>(columns), ts::make_mesh<grid>(ts::devices()));
  static_assert(ts::type_text<decltype(y)> == "float32[6@mp,4]");
  EXPECT_EQ(values(x), values(y));
  EXPECT_EQ(values(y)[1], 6.0f);
  std::vector<float> out(24);
  ts::copy_to(y, small_mdspan<float, 6, 4>{out.data(), {{6, 4}}, {{1, 6}}});
  EXPECT_EQ(out, v);
  ts::copy_to(y, small_mdspan<float, 6, 4>{out.data(), {{6, 4}}, {{4, 1}}});
  EXPECT_EQ(out, values(y));
}

TEST(Strided, WhatIsRefused) {
  auto v = counting(24);
  EXPECT_THROW_TEXT((ts::stepped<8, 4>(v, {1, 8})), "lead out of the 24 elements");
  EXPECT_THROW_TEXT((ts::stepped(v, {4}, {-1})), "lead out of the 24 elements");
  EXPECT_THROW_TEXT((ts::stepped(v, {std::int64_t{1} << 62, 8}, {std::int64_t{1} << 62, 1})),
                    "lead out of the 24 elements");
  small_mdspan<float, 6, 4> const rows{v.data(), {{6, 4}}, {{4, 1}}};
  EXPECT_THROW_TEXT((ts::stepped<6, 5>(rows)), "says (6, 5), and the data has extents (6, 4)");
  EXPECT_THROW_TEXT(ts::stepped((small_mdspan<float, 6, 4>{v.data(), {{6, 4}}, {{4, 1}, false}})),
                    "not a fixed step apart");
  EXPECT_THROW_TEXT(ts::device_put((small_mdspan<float, 6, 4>{nullptr, {{6, 4}}, {{4, 1}}})), "is a null pointer");
  auto const x = ts::device_put(rows);
  EXPECT_THROW_TEXT(ts::copy_to(x, (small_mdspan<float, 4, 6>{v.data(), {{4, 6}}, {{6, 1}}})),
                    "has extents (6, 4), the view (4, 6)");
  EXPECT_THROW_TEXT(ts::copy_to(x, (small_mdspan<float, 6, 4>{v.data(), {{6, 4}}, {{0, 1}}})),
                    "several elements in one place");
}

TEST(Adopt, KeepsTheMemoryAndSharesIt) {
  ONLY_ON_HOST();
  auto const before = ts::memory_in_use().live_buffers;
  auto v = std::make_shared<std::vector<float>>(counting(64 * 4));
  std::weak_ptr<std::vector<float>> const watched = v;
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  {
    auto x = ts::adopt<ts::P<dp>>(ts::host<64, 4>(*v), mesh, v);
    static_assert(ts::type_text<decltype(x)> == "float32[64@dp,4]");
    EXPECT_EQ(ts::memory_in_use().live_buffers, before);
    EXPECT_EQ(reinterpret_cast<float const*>(x.id()), v->data());
    v.reset();
    auto const shard = x.addressable_shards()[3];  // position (1, 1): rows 16 to 31
    EXPECT_EQ(shard.data[0], 64.0f);
    auto const y = ts::jit([](auto a) { return a + 1; })(x);
    EXPECT_EQ(values(y)[255], 256.0f);
    EXPECT_EQ(values(x), counting(256));
    x.release();
    EXPECT_FALSE(watched.expired());  // the shard has it
    EXPECT_EQ(shard.data[1], 65.0f);
  }
  EXPECT_TRUE(watched.expired());
}

TEST(Adopt, AContainerThatIsMovedIn) {
  ONLY_ON_HOST();
  auto v = counting(10);
  float const* const place = v.data();
  auto const x = ts::adopt(ts::host<10>(v), std::move(v));
  EXPECT_EQ(reinterpret_cast<float const*>(x.id()), place);
  EXPECT_EQ(values(ts::jit([](auto a) { return a * 2; })(x))[9], 18.0f);
}

// Also where a call takes its arguments over.
TEST(Adopt, IsNeverWritten) {
  ONLY_ON_HOST();
  auto const v = counting(256);
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto x = ts::adopt<ts::P<dp>>(ts::host<64, 4>(v), mesh, ts::outlives);
  auto const y = ts::jit([](auto a) { return a * 2; })(std::move(x));
  EXPECT_EQ(v, counting(256));
  EXPECT_EQ(values(y)[255], 510.0f);
  EXPECT_NE(reinterpret_cast<float const*>(y.id()), v.data());
}

// Nothing is read behind its end: address sanitizer would say so.
TEST(Adopt, MemoryEndsWithTheLastElement) {
  ONLY_ON_HOST();
  for (std::size_t const n : {1, 3, 5, 17, 33}) {
    std::vector<float> v(n, 1.0f);
    v.shrink_to_fit();
    auto const x = ts::adopt(ts::host(v, {static_cast<std::int64_t>(n)}), ts::outlives);
    EXPECT_EQ(static_cast<float>(ts::sum(x * 2)), 2.0f * static_cast<float>(n));
    EXPECT_EQ(values(ts::exp(x) - x)[n - 1], std::exp(1.0f) - 1.0f);
    EXPECT_EQ(values(ts::device_put<ts::P<>>(x)).size(), n);
  }
}

TEST(Adopt, WhatIsRefused) {
  ONLY_ON_HOST();
  auto const v = counting(65 * 4);
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const keep = ts::outlives;
  EXPECT_THROW_TEXT((ts::adopt<ts::P<ts::none, mp>>(ts::host<65, 4>(v), mesh, keep)), "Fix: device_put copies it");
  EXPECT_THROW_TEXT((ts::adopt<ts::P<dp>>(ts::host<4, 4>(std::span(v).first(16)), mesh, keep)),
                    "at multiples of 64 bytes");
  EXPECT_THROW_TEXT((ts::adopt<ts::P<>>(ts::stepped<8, 4>(v, {1, 8}), mesh, keep)), "this data has steps (1, 8)");
  auto const* const odd = reinterpret_cast<float const*>(reinterpret_cast<std::byte const*>(v.data()) + 2);
  EXPECT_THROW_TEXT(ts::adopt(ts::host<8>(std::span(odd, 8)), keep),
                    "begins at an address that is no place of a float32");
  EXPECT_THROW_TEXT(ts::adopt(ts::host<8>(std::span<float const>(static_cast<float const*>(nullptr), 8)), keep),
                    "null pointer");
}

}  // namespace
