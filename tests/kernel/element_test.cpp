// SPDX-License-Identifier: Apache-2.0
// Kernels whose operands are read in blocks that overlap, against plain loops over whole arrays.
// stand-in at night

#include "support/kernel_case.hpp"
#include "support/throws.hpp"

#include <tuple>
#include <vector>

namespace {

using namespace kernel_case;

// Sums of the 3 x 3 elements around each element of a matrix, in tiles of 4 x 8.
struct sums_around {
  constexpr void operator()(auto const& x, auto& out) const {
    auto const over = ts::slice_in_dim<0, 0, 4>(x) + ts::slice_in_dim<0, 1, 5>(x) + ts::slice_in_dim<0, 2, 6>(x);
    out = ts::slice_in_dim<1, 0, 8>(over) + ts::slice_in_dim<1, 1, 9>(over) + ts::slice_in_dim<1, 2, 10>(over);
  }
};
struct tile_at {
  constexpr auto operator()(auto i, auto j) const { return std::tuple{i, j}; }
};
struct first_of_tile {
  constexpr auto operator()(auto i, auto j) const { return std::tuple{4 * i, 8 * j}; }
};
template <auto Rows, auto Columns, std::int64_t H, std::int64_t W>
constexpr auto around = [](auto const& x) {
  using from = ts::block_spec<first_of_tile{}, Rows, Columns>;
  using to = ts::block_spec<tile_at{}, 4, 8>;
  return ts::kernel<ts::kernel_grid<(H + 3) / 4, (W + 7) / 8>, ts::in_block_specs<from>,
                    ts::out_block_specs<ts::out_block<to, float, H, W>>>(sums_around{})(x);
};
// Rows and columns begin `shift` elements before those of the result.
std::vector<double> summed(std::vector<float> const& x, int rows, int columns, int h, int w, int shift) {
  std::vector<double> all;
  for (int i = 0; i < h; ++i)
    for (int j = 0; j < w; ++j) {
      double sum = 0;
      for (int r = i - shift; r < i - shift + 3; ++r)
        for (int c = j - shift; c < j - shift + 3; ++c)
          if (r >= 0 && r < rows && c >= 0 && c < columns)
            sum += static_cast<double>(x[static_cast<std::size_t>(r * columns + c)]);
      all.push_back(sum);
    }
  return all;
}

TEST(element, blocks_that_overlap) {
  constexpr auto f = around<ts::element<6>, ts::element<10>, 12, 16>;
  expect(f(matrix<14, 18>()), summed(wave(14 * 18), 14, 18, 12, 16, 0));
  expect(ts::jit([](auto x) { return around<ts::element<6>, ts::element<10>, 12, 16>(2 * x); })(matrix<14, 18>()), [] {
    auto all = summed(wave(14 * 18), 14, 18, 12, 16, 0);
    for (double& v : all) v *= 2;
    return all;
  }());
}
TEST(element, zeros_around_an_array) {
  constexpr auto f = around<ts::element<6, 1, 1>, ts::element<10, 1, 1>, 12, 16>;
  expect(ts::jit(f)(matrix<12, 16>()), summed(wave(12 * 16), 12, 16, 12, 16, 1));
  // The last tiles of the result are cut; they read more zeros.
  constexpr auto g = around<ts::element<6, 1, 3>, ts::element<10, 1, 6>, 10, 11>;
  expect(ts::jit(g)(matrix<10, 11>()), summed(wave(110), 10, 11, 10, 11, 1));
  // One dimension in place, one with zeros.
  constexpr auto one = around<ts::element<6, 2, 0>, ts::element<10, 2, 0>, 4, 8>;
  expect(ts::jit(one)(matrix<4, 8>()), summed(wave(32), 4, 8, 4, 8, 2));
}
TEST(element, blocks_that_are_zeros_only) {
  constexpr auto f = [](auto const& x) {
    using from = ts::block_spec<[](auto i) { return i * 3; }, ts::element<3, 6, 6>>;
    using to = ts::block_spec<[](auto i) { return i; }, 3>;
    return ts::kernel<ts::kernel_grid<6>, ts::in_block_specs<from>, ts::out_block_specs<ts::out_block<to, float, 18>>>(
        [](auto const& block, auto& out) { out = block + 1; })(x);
  };
  auto const x = wave(7);
  std::vector<double> want(18, 1.0);
  for (std::size_t i = 0; i < 7; ++i) want[i + 6] += static_cast<double>(x[i]);
  expect(ts::jit(f)(matrix<7>()), want);
}
TEST(element, vmapped) {
  constexpr auto f = around<ts::element<6, 1, 1>, ts::element<10, 1, 1>, 12, 16>;
  auto const all = wave(2 * 12 * 16);
  auto want = summed({all.begin(), all.begin() + 192}, 12, 16, 12, 16, 1);
  auto const more = summed({all.begin() + 192, all.end()}, 12, 16, 12, 16, 1);
  want.insert(want.end(), more.begin(), more.end());
  expect(ts::jit(ts::vmap(f))(matrix<2, 12, 16>()), want);
}

// Slices that begin where a table says: the first elements of ragged rows.
TEST(element, first_elements_from_a_table) {
  constexpr auto f = [](auto const& starts, auto const& x) {
    using from = ts::block_spec<[](auto i, auto at) { return std::tuple{at(i), 0}; }, ts::element<3, 0, 2>, 4>;
    using to = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 3, 4>;
    return ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<ts::scalar_prefetch, from>,
                      ts::out_block_specs<ts::out_block<to, float, 12, 4>>>(
        [](auto const&, auto const& rows, auto& out) { out = 2 * rows; })(starts, x);
  };
  std::vector<std::int32_t> const starts{0, 5, 1, 9};
  auto const x = wave(40);
  std::vector<double> want;
  for (std::int32_t s : starts)
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 4; ++c)
        if (std::size_t const row = static_cast<std::size_t>(s) + r; row < 10)
          want.push_back(2 * static_cast<double>(x[row * 4 + c]));
        else
          want.push_back(0);
  expect(ts::jit(f)(ts::asarray(ts::host<4>(starts)), matrix<10, 4>()), want);
  EXPECT_THROW_TEXT(ts::jit(f)(ts::asarray(ts::host<4>(std::vector<std::int32_t>{0, 10, 1, 9})), (matrix<10, 4>())),
                    "the map of operand 1 names element 10 along dimension 0, where blocks begin at 0 to 9");
}

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>>;

TEST(element, in_shard_map) {
  constexpr auto f = around<ts::element<6, 1, 1>, ts::element<10, 1, 1>, 12, 16>;
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const all = wave(2 * 12 * 16);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<24, 16>(all), mesh);
  auto want = summed({all.begin(), all.begin() + 192}, 12, 16, 12, 16, 1);
  auto const more = summed({all.begin() + 192, all.end()}, 12, 16, 12, 16, 1);
  want.insert(want.end(), more.begin(), more.end());
  expect(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(f)(x), want);
}
// First elements of rows from tables that devices have for themselves.
struct where_table_says {
  constexpr auto operator()(auto, auto first) const { return first(0); }
};
TEST(element, tables_of_devices) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::vector<std::int32_t> const starts{0, 5, 7, 2};
  auto const table = ts::device_put<ts::P<ts::axes<dp, mp>>>(ts::host<4>(starts), mesh);
  auto const x = ts::device_put<ts::P<>>(ts::host<8>(wave(8)), mesh);
  auto const z = ts::jit([](auto t, auto y) {
    return ts::shard_map<ts::in_specs<ts::P<ts::axes<dp, mp>>, ts::P<>>, ts::out_specs<ts::P<ts::axes<dp, mp>>>>(
        [](auto at, auto v) {
          using from = ts::block_spec<where_table_says{}, ts::element<3, 0, 2>>;
          return ts::kernel<ts::kernel_grid<1>, ts::in_block_specs<ts::scalar_prefetch, from>,
                            ts::out_block_specs<ts::out_block<ts::block_spec<>, float, 3>>>(
              [](auto const&, auto const& rows, auto& out) { out = rows + 1; })(at, v);
        })(t, y);
  })(table, x);
  auto const all = wave(8);
  std::vector<double> want;
  for (std::int32_t s : starts)
    for (std::size_t r = static_cast<std::size_t>(s); r < static_cast<std::size_t>(s) + 3; ++r)
      want.push_back(r < 8 ? 1 + static_cast<double>(all[r]) : 1);
  expect(z, want);
}
// A dimension of the grid that no overlapping block depends on may be split.
TEST(element, split_over_explicit_axes) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<ts::P<ts::none, mp>>(ts::host<10, 8>(wave(80)), mesh);
  auto const z = ts::jit([](auto y) {
    using from = ts::block_spec<[](auto i, auto j) { return std::tuple{2 * i, j}; }, ts::element<4>, 2>;
    using to = ts::block_spec<[](auto i, auto j) { return std::tuple{i, j}; }, 2, 2>;
    return ts::kernel<ts::kernel_grid<4, 4>, ts::in_block_specs<from>,
                      ts::out_block_specs<ts::out_block<to, float, 8, 8>>>(
        [](auto const& v, auto& out) { out = ts::slice_in_dim<0, 0, 2>(v) + ts::slice_in_dim<0, 2, 4>(v); })(y);
  })(x);
  auto const all = wave(80);
  std::vector<double> want;
  for (std::size_t i = 0; i < 64; ++i) want.push_back(static_cast<double>(all[i]) + static_cast<double>(all[i + 16]));
  expect(z, want);
}

}  // namespace
