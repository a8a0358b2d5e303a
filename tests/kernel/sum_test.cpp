// SPDX-License-Identifier: Apache-2.0
// Results to which the instances of a kernel add blocks, against loops in the order of the instances: equal to the last
// bit.
// stand-in

#include "support/kernel_case.hpp"

#include <complex>
#include <tuple>
#include <vector>

namespace {

using namespace kernel_case;

template <class Got, class T>
void expect_same(Got const& got, std::vector<T> const& want) {
  auto const g = got.to_host();
  ASSERT_EQ(g.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(g[i], want[i]) << i;
}

struct copied {
  constexpr void operator()(auto const& x, auto& out) const { out = x; }
};
struct row_at {
  constexpr auto operator()(auto i) const { return std::tuple{i, 0}; }
};
struct one_block {
  constexpr auto operator()(auto const&) const { return std::tuple{0, 0}; }
};
// All rows into one.
struct sum_of_rows {
  constexpr auto operator()(auto const& x) const {
    return ts::kernel<ts::kernel_grid<40>, ts::in_block_specs<ts::block_spec<row_at{}, 1, 8>>,
                      ts::out_block_specs<ts::sum_block<ts::block_spec<one_block{}, 1, 8>, float, 1, 8>>>(copied{})(x);
  }
};
std::vector<float> added_rows(std::vector<float> const& x, std::size_t first, std::size_t rows) {
  std::vector<float> z(8);
  for (std::size_t r = first; r < first + rows; ++r)
    for (std::size_t c = 0; c < 8; ++c) z[c] += x[8 * r + c];
  return z;
}
TEST(sum_block, of_all_instances) {
  auto const x = matrix<40, 8>();
  expect_same(ts::jit(sum_of_rows{})(x), added_rows(wave(320), 0, 40));
  expect_same(sum_of_rows{}(x), added_rows(wave(320), 0, 40));
}
TEST(sum_block, vmapped) {
  auto want = added_rows(wave(960), 0, 40);
  for (std::size_t b = 1; b < 3; ++b)
    for (float v : added_rows(wave(960), 40 * b, 40)) want.push_back(v);
  expect_same(ts::jit([](auto x) { return ts::vmap(sum_of_rows{})(x); })(matrix<3, 40, 8>()), want);
}

// Rows by number: those of a table, or counts of numbers. Blocks of one row, and of two in sequence.
struct rows_at {
  constexpr auto operator()(auto i, auto k, auto at) const { return std::tuple{at(i, k), 0}; }
};
struct in_order {
  constexpr auto operator()(auto i, auto k) const { return std::tuple{3 * i + k, 0}; }
};
struct with_table {
  constexpr void operator()(auto const&, auto const& x, auto& out) const { out += 2 * x; }
};
struct with_table_and_base {
  constexpr void operator()(auto const&, auto const& x, auto const&, auto& out) const { out += 2 * x; }
};
constexpr auto scattered =
    ts::kernel<ts::kernel_grid<20, ts::sequential{3}>,
               ts::in_block_specs<ts::scalar_prefetch, ts::block_spec<in_order{}, 1, 8>>,
               ts::out_block_specs<ts::sum_block<ts::block_spec<rows_at{}, 1, 8>, float, 7, 8>>>(with_table{});
constexpr auto scattered_into =
    ts::kernel<ts::kernel_grid<20, ts::sequential{3}>,
               ts::in_block_specs<ts::scalar_prefetch, ts::block_spec<in_order{}, 1, 8>, ts::block_spec<>>,
               ts::out_block_specs<ts::sum_block<ts::block_spec<rows_at{}, 1, 8>, float, 7, 8>>, ts::alias<2, 0>>(
        with_table_and_base{});
numbers places() {
  numbers at;
  for (int i = 0; i < 60; ++i) at.push_back((i / 2 * i + i / 7) % 6);  // two of three in sequence are often the same
  return at;
}
std::vector<float> with_rows(std::vector<float> z) {
  auto const at = places();
  auto const x = wave(480);
  for (std::size_t i = 0; i < 20; ++i) {
    std::vector<float> block(8);
    for (std::size_t k = 0; k < 3; ++k) {
      auto const row = static_cast<std::size_t>(at[3 * i + k]);
      for (std::size_t c = 0; c < 8; ++c) block[c] += 2 * x[8 * (3 * i + k) + c];
      if (k < 2 && at[3 * i + k + 1] == at[3 * i + k]) continue;
      for (std::size_t c = 0; c < 8; ++c) z[8 * row + c] += block[c], block[c] = 0;
    }
  }
  return z;
}
TEST(sum_block, by_a_table) {
  expect_same(ts::jit([](auto t, auto x) { return scattered(t, x); })(table<20, 3>(places()), matrix<60, 8>()),
              with_rows(std::vector<float>(56)));  // no instance adds to the last row
}
TEST(sum_block, that_begins_as_an_operand) {
  auto const base = matrix<7, 8>(1);
  auto const f = [](auto t, auto x, auto b) { return scattered_into(t, x, b); };
  expect_same(ts::jit(f)(table<20, 3>(places()), matrix<60, 8>(), base), with_rows(wave(56, 1)));
  expect_same(base, wave(56, 1));
}

// Blocks that reach over the end, beside a result that is written once; whole numbers and complex ones.
struct both_kinds {
  constexpr void operator()(ts::KernelProgram auto const& program, auto const& x, auto& own, auto& sum,
                            auto& count) const {
    own = -x;
    sum = ts::sum<0>(x, ts::keepdims);
    count += 1 + 0 * count + ts::program_id<0>(program);
  }
};
struct at_both {
  constexpr auto operator()(auto i, auto j) const { return std::tuple{i, j}; }
};
struct across {
  constexpr auto operator()(auto, auto j) const { return std::tuple{0, j}; }
};
struct by_half {
  constexpr auto operator()(auto i, auto) const { return i / 2; }
};
template <class T>
constexpr auto three =
    ts::kernel<ts::kernel_grid<3, 4>, ts::in_block_specs<ts::block_spec<at_both{}, 4, 3>>,
               ts::out_block_specs<ts::out_block<ts::block_spec<at_both{}, 4, 3>, T, 10, 11>,
                                   ts::sum_block<ts::block_spec<across{}, 1, 3>, T, 1, 11>,
                                   ts::sum_block<ts::block_spec<by_half{}, 1>, std::int32_t, 2>>>(both_kinds{});
template <class T>
void three_results() {
  std::vector<T> given(110), negative(110), sums(11);
  for (std::size_t i = 0; i < 110; ++i)
    given[i] = static_cast<T>(static_cast<float>(i % 13) * 0.25f), negative[i] = -given[i];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t c = 0; c < 11; ++c) {
      T block{};
      for (std::size_t r = 4 * i; r < std::min<std::size_t>(4 * i + 4, 10); ++r) block += given[11 * r + c];
      sums[c] += block;
    }
  auto const [own, sum, count] = ts::jit([](auto x) { return three<T>(x); })(ts::asarray(ts::host<10, 11>(given)));
  expect_same(own, negative);
  expect_same(sum, sums);
  expect_same(count, std::vector<std::int32_t>{4 * 1 + 4 * 2, 4 * 3});
}
TEST(sum_block, beside_other_results) {
  three_results<float>();
  three_results<double>();
  three_results<std::complex<float>>();
}
// Many instances with large blocks, so that their blocks are added in several parts.
struct large {
  constexpr auto operator()(auto const& x) const {
    return ts::kernel<ts::kernel_grid<96>, ts::in_block_specs<ts::block_spec<row_at{}, 1, 65536>>,
                      ts::out_block_specs<ts::sum_block<ts::block_spec<one_block{}, 1, 65536>, float, 1, 65536>>>(
        copied{})(x);
  }
};
TEST(sum_block, in_several_parts) {
  auto const given = wave(96 * 65536);
  std::vector<float> want(65536);
  for (std::size_t r = 0; r < 96; ++r)
    for (std::size_t c = 0; c < 65536; ++c) want[c] += given[65536 * r + c];
  auto const x = ts::asarray(ts::host<96, 65536>(given));
  for (int again = 0; again < 3; ++again) expect_same(ts::jit(large{})(x), want);
}

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>>;

// A dimension of the grid that is split, and over which blocks are added: a sum over devices of their sums.
struct columns {
  constexpr auto operator()(auto const& x) const {
    return ts::kernel<ts::kernel_grid<8, 2>, ts::in_block_specs<ts::block_spec<at_both{}, 2, 4>>,
                      ts::out_block_specs<ts::sum_block<ts::block_spec<across{}, 2, 4>, float, 2, 8>>>(copied{})(x);
  }
};
struct columns_into {
  constexpr auto operator()(auto const& x, auto const& base) const {
    return ts::kernel<ts::kernel_grid<8, 2>,
                      ts::in_block_specs<ts::block_spec<at_both{}, 2, 4>, ts::block_spec<across{}, 2, 4>>,
                      ts::out_block_specs<ts::sum_block<ts::block_spec<across{}, 2, 4>, float, 2, 8>>, ts::alias<1, 0>>(
        [](auto const& rows, auto const&, auto& out) { out = rows; })(x, base);
  }
};
TEST(sum_block, over_explicit_axes) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const a = wave(128), b = wave(16, 1);
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<16, 8>(a), mesh);
  auto const base = ts::device_put<ts::P<ts::none, mp>>(ts::host<2, 8>(b), mesh);
  std::vector<double> want(16);
  for (std::size_t i = 0; i < 128; ++i) want[i % 16] += a[i];
  auto const f = [](auto y) { return columns{}(y); };
  auto const got = ts::jit(f)(x);
  static_assert(ts::type_text<std::remove_const_t<decltype(got)>> == "float32[2,8@mp]");
  constexpr auto const& sent = ts::comm_of<decltype(f), decltype(x)>;
  static_assert(sent.count(ts::collective::all_reduce) == 1 && sent.bytes_over<mp>() == 0);
  expect(got, want);
  expect(columns{}(x), want);
  for (std::size_t i = 0; i < 16; ++i) want[i] += b[i];
  expect(ts::jit([](auto y, auto z) { return columns_into{}(y, z); })(x, base), want);
}

}  // namespace
