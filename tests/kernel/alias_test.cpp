// SPDX-License-Identifier: Apache-2.0
// Kernels whose results begin with an operand's values, against plain loops over whole arrays.
// stand-in at night

#include "support/kernel_case.hpp"

#include <tuple>
#include <vector>

namespace {

using namespace kernel_case;

std::vector<double> exact(std::vector<float> const& x) { return {x.begin(), x.end()}; }

// Blocks of 2 x 4 of a cache of 10 x 4 get new rows; the others stay.
struct written {
  constexpr void operator()(auto const&, auto const& rows, auto const&, auto& out) const { out = rows; }
};
struct write_rows {
  constexpr auto operator()(auto const& at, auto const& rows, auto const& cache) const {
    using from = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 2, 4>;
    using to = ts::block_spec<[](auto i, auto where) { return std::tuple{where(i), 0}; }, 2, 4>;
    return ts::kernel<ts::kernel_grid<3>, ts::in_block_specs<ts::scalar_prefetch, from, ts::block_spec<>>,
                      ts::out_block_specs<ts::out_block<to, float, 10, 4>>, ts::alias<2, 0>>(written{})(at, rows,
                                                                                                        cache);
  }
};
std::vector<double> with_rows(numbers const& at, std::vector<float> const& rows, std::vector<float> const& cache) {
  auto all = exact(cache);
  for (std::size_t i = 0; i < at.size() * 8; ++i)
    all[static_cast<std::size_t>(at[i / 8]) * 8 + i % 8] = static_cast<double>(rows[i]);
  return all;
}
TEST(alias, blocks_that_are_not_written_keep_the_operand) {
  numbers const at{4, 0, 3};
  auto const cache = matrix<10, 4>(1);
  auto const want = with_rows(at, wave(24), wave(40, 1));
  expect(write_rows{}(table<3>(at), matrix<6, 4>(), cache), want);
  expect(ts::jit(write_rows{})(table<3>(at), matrix<6, 4>(), cache), want);
  expect(cache, exact(wave(40, 1)));
}
TEST(alias, a_map_that_leaves_blocks_out) {
  constexpr auto f = [](auto const& x) {
    using block = ts::block_spec<[](auto i) { return std::tuple{2 * i + 1, 0}; }, 2, 4>;
    return ts::kernel<ts::kernel_grid<2>, ts::in_block_specs<block>,
                      ts::out_block_specs<ts::out_block<block, float, 10, 4>>, ts::alias<0, 0>>(
        [](auto const& rows, auto& out) { out = 2 * rows; })(x);
  };
  auto want = exact(wave(40));
  for (std::size_t i = 0; i < 40; ++i)
    if (i / 8 == 1 || i / 8 == 3) want[i] *= 2;
  expect(ts::jit(f)(matrix<10, 4>()), want);
}

// Adds to what an operand holds; a block that is named again goes on from there. 9 rows in blocks of 2.
struct added {
  constexpr void operator()(auto const&, auto const& rows, auto const&, auto& out) const { out += rows; }
};
struct add_rows {
  constexpr auto operator()(auto const& at, auto const& rows, auto const& sums) const {
    using from = ts::block_spec<[](auto j, auto i) { return std::tuple{i, j}; }, 2, 4>;
    using to = ts::block_spec<[](auto j, auto i, auto where) { return std::tuple{where(i), j}; }, 2, 4>;
    return ts::kernel<ts::kernel_grid<2, ts::sequential{6}>,
                      ts::in_block_specs<ts::scalar_prefetch, from, ts::block_spec<>>,
                      ts::out_block_specs<ts::out_block<to, float, 9, 8>>, ts::alias<2, 0>>(added{})(at, rows, sums);
  }
};
std::vector<double> with_sums(numbers const& at, std::vector<float> const& rows, std::vector<double> all) {
  for (std::size_t r = 0; r < 12; ++r)
    for (std::size_t c = 0; c < 8; ++c)
      if (std::size_t const to = 2 * static_cast<std::size_t>(at[r / 2]) + r % 2; to < 9)
        all[to * 8 + c] += static_cast<double>(rows[r * 8 + c]);
  return all;
}
TEST(alias, sums_that_begin_with_an_operand) {
  numbers const at{1, 4, 1, 1, 2, 4};
  expect(ts::jit(add_rows{})(table<6>(at), matrix<12, 8>(), matrix<9, 8>(1)),
         with_sums(at, wave(96), exact(wave(72, 1))));
}
TEST(alias, in_a_scan_and_vmapped) {
  numbers const at{1, 4, 1, 1, 2, 4, 0, 3, 2, 0, 0, 1};
  numbers const first(at.begin(), at.begin() + 6), second(at.begin() + 6, at.end());
  auto const sums = ts::jit([](auto t, auto x, auto y) {
    return std::get<0>(ts::scan([&](auto sum, auto one) { return std::tuple{add_rows{}(one, x, sum), 0}; }, y, t));
  })(table<2, 6>(at), matrix<12, 8>(), matrix<9, 8>(1));
  expect(sums, with_sums(second, wave(96), with_sums(first, wave(96), exact(wave(72, 1)))));
  auto want = with_sums(first, wave(96), exact(wave(72, 1)));
  auto const more = with_sums(second, wave(96), exact(wave(72, 1)));
  want.insert(want.end(), more.begin(), more.end());
  expect(ts::jit([](auto t, auto x, auto y) {
           return ts::vmap<ts::in_axes<0, ts::unmapped, ts::unmapped>>(add_rows{})(t, x, y);
         })(table<2, 6>(at), matrix<12, 8>(), matrix<9, 8>(1)),
         want);
}
// Each block is written and what it held is not read: nothing is copied.
TEST(alias, results_written_wholly) {
  constexpr auto f = [](auto const& x) {
    using block = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 2, 4>;
    return ts::kernel<ts::kernel_grid<5>, ts::in_block_specs<block>,
                      ts::out_block_specs<ts::out_block<block, float, 10, 4>>, ts::alias<0, 0>>(
        [](auto const& rows, auto& out) { out = rows + 1; })(x);
  };
  auto want = exact(wave(40));
  for (double& v : want) v += 1;
  expect(ts::jit(f)(matrix<10, 4>()), want);
}
// Two results, of which the second begins with the first operand, and scratch memory.
TEST(alias, one_of_two_results) {
  constexpr auto f = [](auto const& x) {
    using block = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 2, 4>;
    return ts::kernel<ts::kernel_grid<ts::sequential{2}>, ts::in_block_specs<block>,
                      ts::out_block_specs<ts::out_block<block, float, 4, 4>, ts::out_block<block, float, 6, 4>>,
                      ts::scratch<float, 2, 4>, ts::alias<0, 1>>([](auto const& rows, auto& a, auto& b, auto& sum) {
      sum += rows;
      a += sum;
      b += 1;
    })(x);
  };
  auto const x = wave(24);
  std::vector<double> sums;
  auto want = exact(x);
  for (std::size_t i = 0; i < 16; ++i) {
    sums.push_back(want[i] + (i < 8 ? 0 : want[i - 8]));
  }
  for (std::size_t i = 0; i < 16; ++i) want[i] += 1;
  auto const [a, b] = ts::jit(f)(matrix<6, 4>());
  expect(a, sums);
  expect(b, want);
}

// The last block of 3 rows in blocks of 2: what the function sees behind the end is 0.
TEST(alias, zeros_behind_the_end) {
  constexpr auto f = [](auto const& x) {
    using block = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 2, 4>;
    return ts::kernel<ts::kernel_grid<ts::sequential{2}>, ts::in_block_specs<ts::block_spec<>>,
                      ts::out_block_specs<ts::out_block<block, float, 3, 4>>, ts::alias<0, 0>>(
        [](auto const&, auto& out) { out += ts::sum(out); })(x);
  };
  auto want = exact(wave(12, 1));
  double sums[2]{};
  for (std::size_t i = 0; i < 12; ++i) sums[i / 8] += want[i];
  for (std::size_t i = 0; i < 12; ++i) want[i] += sums[i / 8];
  expect(ts::jit(f)(matrix<3, 4>(1)), want);
}

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>>;

// Each device along dp adds by a table of its own, to sums that are the same on all.
TEST(alias, in_shard_map) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  numbers const at{1, 4, 1, 1, 2, 4, 0, 3, 2, 0, 0, 1};
  auto const tables = ts::device_put<ts::P<dp>>(ts::host<12>(at), mesh);
  auto const x = ts::device_put<ts::P<>>(ts::host<12, 8>(wave(96)), mesh);
  auto const y = ts::device_put<ts::P<>>(ts::host<9, 8>(wave(72, 1)), mesh);
  auto want = with_sums(numbers(at.begin(), at.begin() + 6), wave(96), exact(wave(72, 1)));
  auto const more = with_sums(numbers(at.begin() + 6, at.end()), wave(96), exact(wave(72, 1)));
  want.insert(want.end(), more.begin(), more.end());
  expect(ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<>, ts::P<>>, ts::out_specs<ts::P<dp>>>(add_rows{}))(tables,
                                                                                                                 x, y),
         want);
}
// Split over explicit axes, the operand and the result alike.
TEST(alias, split_over_explicit_axes) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  numbers const at{1, 4, 1, 1, 2, 4};
  auto const where = ts::device_put<ts::P<>>(ts::host<6>(at), mesh);
  auto const x = ts::device_put<ts::P<ts::none, mp>>(ts::host<12, 8>(wave(96)), mesh);
  auto const y = ts::device_put<ts::P<ts::none, mp>>(ts::host<9, 8>(wave(72, 1)), mesh);
  constexpr auto f = [](auto t, auto rows, auto sums) {
    using from = ts::block_spec<[](auto j, auto i) { return std::tuple{i, j}; }, 2, 4>;
    using all = ts::block_spec<[](auto j, auto) { return std::tuple{0, j}; }, 9, 4>;
    using to = ts::block_spec<[](auto j, auto i, auto held) { return std::tuple{held(i), j}; }, 2, 4>;
    return ts::kernel<ts::kernel_grid<2, ts::sequential{6}>, ts::in_block_specs<ts::scalar_prefetch, from, all>,
                      ts::out_block_specs<ts::out_block<to, float, 9, 8>>, ts::alias<2, 0>>(added{})(t, rows, sums);
  };
  auto const z = ts::jit(f)(where, x, y);
  static_assert(std::is_same_v<decltype(z)::type, decltype(y)::type>);
  expect(z, with_sums(at, wave(96), exact(wave(72, 1))));
}

// An operand that is moved into a call of jit: its memory becomes the result's, if the function reads what the result
// held and not the operand's block.
void const* memory(auto const& x) { return x.addressable_shards()[0].data; }
// The same values in memory that nobody else holds.
auto twin(auto const& x) {
  return ts::jit([](auto v) { return v * 1; })(x);
}
struct row_pair {
  constexpr auto operator()(auto i) const { return std::tuple{i, 0}; }
};
template <class Body>
struct by_blocks {  // of 11 rows, two at a time
  constexpr auto operator()(auto const& x, auto const& slope) const {
    using block = ts::block_spec<row_pair{}, 2, 4>;
    return ts::kernel<ts::kernel_grid<6>, ts::in_block_specs<block, block>,
                      ts::out_block_specs<ts::out_like<block, decltype(x)>>, ts::alias<0, 0>>(Body{})(x, slope);
  }
};
struct from_result {
  constexpr void operator()(auto const&, auto const& slope, auto& x) const { x -= 0.5 * slope; }
};
struct from_operand {
  constexpr void operator()(auto const& given, auto const& slope, auto& x) const { x = given - 0.5 * slope; }
};
struct from_both {
  constexpr void operator()(auto const& given, auto const& slope, auto& x) const {
    x = 0.25 * x - 0.5 * slope;
    x += 0.75 * given;
  }
};
TEST(alias, given_memory_becomes_the_results) {
  auto want = exact(wave(44));
  for (std::size_t i = 0; i < 44; ++i) want[i] -= 0.5 * static_cast<double>(wave(44, 1)[i]);
  auto const check = [&](auto const& f, bool in_place) {
    auto const x = matrix<11, 4>(), slope = matrix<11, 4>(1);
    auto given = twin(x);
    void const* const before = memory(given);
    auto made = ts::jit(f)(std::move(given), slope);
    EXPECT_EQ(memory(made) == before, in_place);
    expect(made, want);
    expect(ts::jit(f)(x, slope), want);  // kept
    expect(x, exact(wave(44)));
  };
  check(by_blocks<from_result>{}, true);
  check(by_blocks<from_operand>{}, false);
  check(by_blocks<from_both>{}, false);
  // The operand is also read elsewhere: as another operand, and behind the kernel.
  auto const x = matrix<11, 4>();
  auto twice = twin(x), later = twin(x);
  auto want_half = exact(wave(44));
  for (double& v : want_half) v *= 0.5;
  expect(ts::jit([](auto a) { return by_blocks<from_result>{}(a, a); })(std::move(twice)), want_half);
  auto const [stepped, sum] = ts::jit([](auto a, auto slope) {
    return std::tuple{by_blocks<from_result>{}(a, slope), ts::sum(a)};
  })(std::move(later), matrix<11, 4>(1));
  expect(stepped, want);
  double total = 0;
  for (float v : wave(44)) total += static_cast<double>(v);
  EXPECT_NEAR(sum.item(), total, 1e-5);
}
// Rows that a table names, and rows that are added: the other rows stay where they are.
TEST(alias, given_memory_of_rows_by_a_table) {
  numbers const at{4, 0, 3};
  auto cache = twin(matrix<10, 4>(1));
  void const* const before = memory(cache);
  auto const made = ts::jit(write_rows{})(table<3>(at), matrix<6, 4>(), std::move(cache));
  EXPECT_EQ(memory(made), before);
  expect(made, with_rows(at, wave(24), wave(40, 1)));
  auto sums = twin(matrix<9, 8>(1));
  void const* const held = memory(sums);
  numbers const places{1, 4, 1, 1, 2, 4};
  auto const added_up = ts::jit(add_rows{})(table<6>(places), matrix<12, 8>(), std::move(sums));
  EXPECT_EQ(memory(added_up), held);
  expect(added_up, with_sums(places, wave(96), exact(wave(72, 1))));
}
TEST(alias, given_memory_of_several_devices) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  constexpr auto f = [](auto x, auto slope) {
    using block = ts::block_spec<row_pair{}, 2, 4>;
    return ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<block, block>,
                      ts::out_block_specs<ts::out_like<block, decltype(x)>>, ts::alias<0, 0>>(from_result{})(x, slope);
  };
  auto x = twin(ts::device_put<ts::P<dp>>(ts::host<8, 4>(wave(32)), mesh));
  auto const slope = ts::device_put<ts::P<dp>>(ts::host<8, 4>(wave(32, 1)), mesh);
  void const* const before = memory(x);
  auto const made = ts::jit(f)(std::move(x), slope);
  EXPECT_EQ(memory(made), before);
  auto want = exact(wave(32));
  for (std::size_t i = 0; i < 32; ++i) want[i] -= 0.5 * static_cast<double>(wave(32, 1)[i]);
  expect(made, want);
}

}  // namespace
