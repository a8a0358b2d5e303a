// SPDX-License-Identifier: Apache-2.0
// Kernels whose block numbers come out of tables: pages, sparse blocks, groups of rows; against plain loops over whole arrays.
// stand-in at night

#include "support/kernel_case.hpp"
#include "support/throws.hpp"

#include <cmath>
#include <tuple>
#include <vector>

namespace {

using namespace kernel_case;

// One step of decoding: 3 sequences, each with up to 4 pages of 2 positions among 9 pages, 2 heads of 4.
constexpr std::size_t sequences = 3, pages_each = 4, page = 2, pages = 9, heads = 2, size = 4;
struct attend_page {
  constexpr void operator()(ts::KernelProgram auto const& program, auto const&, auto const& lengths, auto const& q,
                            auto const& k, auto const& v, auto& out, auto& most, auto& sum) const {
    auto const at = ts::program_id<2>(program);
    auto const length = ts::dynamic_index_in_dim<0, false>(lengths, ts::program_id<0>(program));
    ts::when(
        at == 0, [](auto& m) { m = ts::full_like(m, -1e9); }, most);
    ts::when(
        at * static_cast<std::int32_t>(page) < length,
        [&](auto& o, auto& m, auto& s) {
          auto const behind = at * static_cast<std::int32_t>(page) + ts::iota<std::int32_t, 1, 1, page>() >= length;
          auto const scores = ts::where(behind, -1e9f, ts::matmul(q, ts::transpose(k)));
          auto const now = ts::maximum(m, ts::max<1>(scores, ts::keepdims));
          auto const weights = ts::exp(scores - now);
          auto const kept = ts::exp(m - now);
          s = s * kept + ts::sum<1>(weights, ts::keepdims);
          o = o * kept + ts::matmul(weights, v);
          m = now;
        },
        out, most, sum);
    ts::when(
        at == ts::num_programs<2>(program) - 1, [](auto& o, auto& s) { o = o / s; }, out, sum);
  }
};
struct attend_pages {
  constexpr auto operator()(auto const& page_table, auto const& lengths, auto const& q, auto const& k,
                            auto const& v) const {
    using own = ts::block_spec<[](auto b, auto h, auto) {
      return std::tuple{b, h, 0, 0};
    },
                               ts::squeezed, ts::squeezed, 1, size>;
    using in_page = ts::block_spec<[](auto b, auto h, auto p, auto table) {
      return std::tuple{table(b, p), 0, h, 0};
    },
                                   ts::squeezed, page, ts::squeezed, size>;
    return ts::kernel<ts::kernel_grid<sequences, heads, ts::sequential{pages_each}>,
                      ts::in_block_specs<ts::scalar_prefetch, ts::block_spec<>, own, in_page, in_page>,
                      ts::out_block_specs<ts::out_block<own, float, sequences, heads, 1, size>>,
                      ts::scratch<float, 1, 1>, ts::scratch<float, 1, 1>>(attend_page{})(page_table, lengths, q, k, v);
  }
};
std::vector<double> attention(numbers const& page_table, numbers const& lengths, std::vector<float> const& q,
                              std::vector<float> const& k, std::vector<float> const& v) {
  std::vector<double> all;
  for (std::size_t b = 0; b < sequences; ++b)
    for (std::size_t h = 0; h < heads; ++h) {
      std::vector<double> out(size);
      double sum = 0;
      for (std::size_t t = 0; t < static_cast<std::size_t>(lengths[b]); ++t) {
        auto const p = static_cast<std::size_t>(page_table[b * pages_each + t / page]);
        std::size_t const row = ((p * page + t % page) * heads + h) * size;
        double score = 0;
        for (std::size_t d = 0; d < size; ++d)
          score += static_cast<double>(q[(b * heads + h) * size + d]) * static_cast<double>(k[row + d]);
        sum += std::exp(score);
        for (std::size_t d = 0; d < size; ++d) out[d] += std::exp(score) * static_cast<double>(v[row + d]);
      }
      for (double x : out) all.push_back(x / sum);
    }
  return all;
}
template <class Got>
void expect(Got const& got, std::vector<double> const& want) {
  auto const g = got.to_host();
  ASSERT_EQ(g.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(static_cast<double>(g[i]), want[i], 2e-5) << i;
}

numbers const some_pages{8, 2, 5, 0, 1, 0, 0, 0, 3, 4, 6, 7}, some_lengths{6, 1, 8};

TEST(prefetch, attention_over_pages) {
  auto const at = table<sequences, pages_each>(some_pages);
  auto const lengths = table<sequences>(some_lengths);
  auto const q = matrix<sequences, heads, 1, size>();
  auto const k = matrix<pages, page, heads, size>(1), v = matrix<pages, page, heads, size>(2);
  std::size_t const n = pages * page * heads * size;
  auto const want = attention(some_pages, some_lengths, wave(sequences * heads * size), wave(n, 1), wave(n, 2));
  expect(attend_pages{}(at, lengths, q, k, v), want);
  expect(ts::jit(attend_pages{})(at, lengths, q, k, v), want);
}

// Rows of block columns: block (i, columns[i][k]) of a sparse matrix is values[i][k].
struct multiply {
  constexpr void operator()(auto const&, auto const& x, auto const& y, auto& out) const { out += ts::matmul(x, y); }
};
struct sparse_product {
  constexpr auto operator()(auto const& columns, auto const& values, auto const& y) const {
    using value = ts::block_spec<[](auto i, auto, auto k) {
      return std::tuple{i, k, 0, 0};
    },
                                 ts::squeezed, ts::squeezed, 4, 3>;
    using row = ts::block_spec<[](auto i, auto j, auto k, auto at) { return std::tuple{at(i, k), j}; }, 3, 5>;
    using to = ts::block_spec<[](auto i, auto j, auto) { return std::tuple{i, j}; }, 4, 5>;
    return ts::kernel<ts::kernel_grid<3, 2, ts::sequential{2}>, ts::in_block_specs<ts::scalar_prefetch, value, row>,
                      ts::out_block_specs<ts::out_block<to, float, 12, 10>>>(multiply{})(columns, values, y);
  }
};
std::vector<double> product_of_blocks(numbers const& columns, std::vector<float> const& values,
                                      std::vector<float> const& y) {
  std::vector<double> z(12 * 10);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t j = 0; j < 10; ++j)
            z[(4 * i + r) * 10 + j] +=
                static_cast<double>(values[((i * 2 + k) * 4 + r) * 3 + c]) *
                static_cast<double>(y[(3 * static_cast<std::size_t>(columns[i * 2 + k]) + c) * 10 + j]);
  return z;
}
TEST(prefetch, product_with_sparse_blocks) {
  numbers const columns{0, 4, 1, 2, 3, 3};
  expect(ts::jit(sparse_product{})(table<3, 2>(columns), matrix<3, 2, 4, 3>(), matrix<15, 10>(1)),
         product_of_blocks(columns, wave(72), wave(150, 1)));
}
// A batch of tables, of values, or of both.
TEST(prefetch, vmapped) {
  numbers const columns{0, 4, 1, 2, 3, 3, 2, 2, 0, 1, 4, 0};
  auto const tables = table<2, 3, 2>(columns);
  auto const values = matrix<2, 3, 2, 4, 3>();
  auto const y = matrix<15, 10>(1);
  auto const of = [&](std::size_t t, std::size_t x) {
    auto const all = wave(144);
    auto const begin = all.begin() + static_cast<std::ptrdiff_t>(72 * x);
    auto const from = columns.begin() + static_cast<std::ptrdiff_t>(6 * t);
    return product_of_blocks(numbers(from, from + 6), {begin, begin + 72}, wave(150, 1));
  };
  auto const both = [](std::vector<double> a, std::vector<double> const& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  auto const one = ts::asarray(ts::host<3, 2>(numbers(columns.begin(), columns.begin() + 6)));
  auto const single = ts::asarray(ts::host<3, 2, 4, 3>(wave(72)));
  expect(ts::jit([](auto t, auto x, auto w) {
           return ts::vmap<ts::in_axes<0, 0, ts::unmapped>>(sparse_product{})(t, x, w);
         })(tables, values, y),
         both(of(0, 0), of(1, 1)));
  expect(ts::jit([](auto t, auto x, auto w) {
           return ts::vmap<ts::in_axes<0, ts::unmapped, ts::unmapped>>(sparse_product{})(t, x, w);
         })(tables, single, y),
         both(of(0, 0), of(1, 0)));
  expect(ts::jit([](auto t, auto x, auto w) {
           return ts::vmap<ts::in_axes<ts::unmapped, 0, ts::unmapped>>(sparse_product{})(t, x, w);
         })(one, values, y),
         both(of(0, 0), of(0, 1)));
}
TEST(prefetch, in_a_scan) {
  numbers const columns{0, 4, 1, 2, 3, 3, 2, 2, 0, 1, 4, 0};
  auto const z = ts::jit([](auto t, auto x, auto w) {
    return std::get<0>(ts::scan(
        [&](auto sum, auto one) {
          return std::tuple{sum + sparse_product{}(one, x, w), 0};
        },
        ts::zeros<float, 12, 10>(), t));
  })(table<2, 3, 2>(columns), matrix<3, 2, 4, 3>(), matrix<15, 10>(1));
  auto want = product_of_blocks(numbers(columns.begin(), columns.begin() + 6), wave(72), wave(150, 1));
  auto const more = product_of_blocks(numbers(columns.begin() + 6, columns.end()), wave(72), wave(150, 1));
  for (std::size_t i = 0; i < want.size(); ++i) want[i] += more[i];
  expect(z, want);
}

// Tiles of rows, in the order of their experts: rows times the weights of the tile's expert.
struct by_expert {
  constexpr void operator()(auto const&, auto const& x, auto const& w, auto& out) const { out = ts::matmul(x, w); }
};
TEST(prefetch, grouped_product) {
  numbers const experts{0, 0, 2, 3, 3};
  constexpr auto f = [](auto expert, auto x, auto w) {
    using rows = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 4, 6>;
    using weights = ts::block_spec<[](auto i, auto of) { return std::tuple{of(i), 0, 0}; }, ts::squeezed, 6, 3>;
    using to = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 4, 3>;
    return ts::kernel<ts::kernel_grid<5>, ts::in_block_specs<ts::scalar_prefetch, rows, weights>,
                      ts::out_block_specs<ts::out_block<to, float, 20, 3>>>(by_expert{})(expert, x, w);
  };
  auto const x = wave(120), w = wave(72, 1);
  std::vector<double> want(60);
  for (std::size_t r = 0; r < 20; ++r)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < 6; ++k)
        want[r * 3 + c] += static_cast<double>(x[r * 6 + k]) *
                           static_cast<double>(w[(static_cast<std::size_t>(experts[r / 4]) * 6 + k) * 3 + c]);
  expect(ts::jit(f)(table<5>(experts), matrix<20, 6>(), matrix<4, 6, 3>(1)), want);
}
// The sum of the rows of each group, and how many tiles it has; groups without tiles are zeros.
struct add_rows {
  constexpr void operator()(auto const&, auto const& x, auto& out, auto& count) const {
    out += x;
    count += ts::ones_like(count);
  }
};
template <bool InOrder>
struct sums_of_groups {
  constexpr auto operator()(auto const& group, auto const& x) const {
    using tile = ts::block_spec<[](auto j, auto i) { return std::tuple{i, j}; }, 2, 4>;
    using to = ts::block_spec<[](auto j, auto i, auto of) { return std::tuple{of(i), j}; }, 2, 4>;
    using one = ts::block_spec<[](auto j, auto i, auto of) { return std::tuple{j, of(i)}; }, 1, 1>;
    using grid = std::conditional_t<InOrder, ts::kernel_grid<2, ts::sequential{6}>, ts::kernel_grid<2, 6>>;
    return ts::kernel<grid, ts::in_block_specs<ts::scalar_prefetch, tile>,
                      ts::out_block_specs<ts::out_block<to, float, 9, 8>, ts::out_block<one, std::int32_t, 2, 5>>>(
        add_rows{})(group, x);
  }
};
std::vector<double> summed_groups(numbers const& groups, std::vector<float> const& x) {
  std::vector<double> z(72);
  for (std::size_t r = 0; r < 12; ++r)
    for (std::size_t c = 0; c < 8; ++c)
      if (std::size_t const to = 2 * static_cast<std::size_t>(groups[r / 2]) + r % 2; to < 9)
        z[to * 8 + c] += static_cast<double>(x[r * 8 + c]);
  return z;
}
TEST(prefetch, results_by_a_table) {
  numbers const groups{1, 1, 1, 4, 2, 2};
  auto const [z, count] = ts::jit(sums_of_groups<true>{})(table<6>(groups), matrix<12, 8>());
  expect(z, summed_groups(groups, wave(96)));
  auto const counted = count.to_host();
  numbers const want{0, 3, 2, 0, 1, 0, 3, 2, 0, 1};
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(counted[i], want[i]) << i;
}
// Written in place: each block one run of memory.
struct copied {
  constexpr void operator()(auto const&, auto const& x, auto& out) const { out = x + 1; }
};
TEST(prefetch, a_permutation_of_blocks) {
  constexpr auto f = [](auto order, auto x) {
    using from = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 2, 4>;
    using to = ts::block_spec<[](auto i, auto at) { return std::tuple{4 - at(i), 0}; }, 2, 4>;
    return ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<ts::scalar_prefetch, from>,
                      ts::out_block_specs<ts::out_block<to, float, 10, 4>>>(copied{})(order, x);
  };
  numbers const order{3, 0, 4, 1};
  auto const x = wave(32);
  std::vector<double> want(40);
  for (std::size_t i = 0; i < 32; ++i)
    want[(4 - static_cast<std::size_t>(order[i / 8])) * 8 + i % 8] = static_cast<double>(x[i]) + 1;
  for (int again = 0; again < 3; ++again) expect(ts::jit(f)(table<4>(order), matrix<8, 4>()), want);
}

TEST(prefetch, a_number_outside_throws) {
  for (std::int32_t wrong : {5, -1, 2000000000}) {
    auto const columns = table<3, 2>({0, 4, 1, 2, 3, wrong});
    auto const x = matrix<3, 2, 4, 3>();
    auto const y = matrix<15, 10>(1);
    std::string const said = "by a table, the map of operand 2 names block " + std::to_string(wrong) +
                             " along dimension 0, where blocks are 0 to 4; program ids (2, 0, 1). Fix: ";
    EXPECT_THROW_TEXT(ts::jit(sparse_product{})(columns, x, y), said);
    EXPECT_THROW_TEXT(sparse_product{}(columns, x, y), said);
    EXPECT_EQ(ts::testing::thrown_text<std::out_of_range>([&] { ts::jit(sparse_product{})(columns, x, y); }).empty(),
              false);
  }
  EXPECT_THROW_TEXT(ts::jit(sums_of_groups<true>{})(table<6>({0, 0, 5, 1, 1, 1}), matrix<12, 8>()),
                    "the map of result 0 names block 5 along dimension 0, where blocks are 0 to 4");
}
TEST(prefetch, two_parallel_writers_of_a_block_throw) {
  EXPECT_THROW_TEXT(
      ts::jit(sums_of_groups<false>{})(table<6>({0, 1, 4, 3, 1, 2}), matrix<12, 8>()),
      "the instances (0, 1) and (0, 4), which may run at the same time, both write block (1, 0) of result 0. Fix: ");
  EXPECT_THROW_TEXT(sums_of_groups<false>{}(table<6>({4, 0, 1, 3, 2, 2}), matrix<12, 8>()), "both write block (2, 0)");
}

// Many tiles on threads.
TEST(prefetch, instances_on_threads) {
  constexpr auto f = [](auto order, auto x) {
    using from = ts::block_spec<[](auto i, auto j, auto at) { return std::tuple{at(i), j}; }, 16, 32>;
    using to = ts::block_spec<[](auto i, auto j) { return std::tuple{i, j}; }, 16, 32>;
    return ts::kernel<ts::kernel_grid<32, 4>, ts::in_block_specs<ts::scalar_prefetch, from>,
                      ts::out_block_specs<ts::out_block<to, float, 512, 128>>>(copied{})(order, x);
  };
  numbers order(32);
  for (std::size_t i = 0; i < 32; ++i) order[i] = static_cast<std::int32_t>(i * 13 % 32);
  auto const x = wave(512 * 128);
  std::vector<double> want(x.size());
  for (std::size_t r = 0; r < 512; ++r)
    for (std::size_t c = 0; c < 128; ++c)
      want[r * 128 + c] = static_cast<double>(x[(r / 16 * 13 % 32 * 16 + r % 16) * 128 + c]) + 1;
  expect(ts::jit(f)(table<32>(order), matrix<512, 128>()), want);
}

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>>;

// Each device along dp has a table of its own; the weights are the same everywhere, or split over mp.
TEST(prefetch, in_shard_map) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  numbers const columns{0, 4, 1, 2, 3, 3, 2, 2, 0, 1, 4, 0};
  auto const tables = ts::device_put<ts::P<dp>>(ts::host<6, 2>(columns), mesh);
  auto const values = ts::device_put<ts::P<dp>>(ts::host<6, 2, 4, 3>(wave(144)), mesh);
  auto const y = ts::device_put<ts::P<>>(ts::host<15, 10>(wave(150, 1)), mesh);
  auto const z = ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<dp>, ts::P<>>, ts::out_specs<ts::P<dp>>>(
      [](auto t, auto x, auto w) { return sparse_product{}(t, x, w); })(tables, values, y);
  auto const all = wave(144);
  auto want =
      product_of_blocks(numbers(columns.begin(), columns.begin() + 6), {all.begin(), all.begin() + 72}, wave(150, 1));
  auto const more =
      product_of_blocks(numbers(columns.begin() + 6, columns.end()), {all.begin() + 72, all.end()}, wave(150, 1));
  want.insert(want.end(), more.begin(), more.end());
  expect(z, want);
}
TEST(prefetch, results_by_a_table_in_shard_map) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  numbers const groups{1, 1, 1, 4, 2, 2, 0, 3, 3, 3, 1, 2};
  auto const table = ts::device_put<ts::P<dp>>(ts::host<12>(groups), mesh);
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<24, 16>(wave(384)), mesh);
  auto const [z, count] = ts::jit([](auto t, auto v) {
    return ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<dp, mp>>,
                         ts::out_specs<ts::P<dp, mp>, ts::P<ts::none, ts::axes<dp, mp>>>>(sums_of_groups<true>{})(t, v);
  })(table, x);
  auto const all = wave(384);
  std::vector<double> want(18 * 16), counts(2 * 20);
  for (std::size_t d = 0; d < 2; ++d)
    for (std::size_t m = 0; m < 2; ++m) {
      std::vector<float> part;
      for (std::size_t r = 0; r < 12; ++r)
        for (std::size_t c = 0; c < 8; ++c) part.push_back(all[(12 * d + r) * 16 + 8 * m + c]);
      numbers const own(groups.begin() + static_cast<std::ptrdiff_t>(6 * d),
                        groups.begin() + static_cast<std::ptrdiff_t>(6 * d + 6));
      auto const sums = summed_groups(own, part);
      for (std::size_t r = 0; r < 9; ++r)
        for (std::size_t c = 0; c < 8; ++c) want[(9 * d + r) * 16 + 8 * m + c] = sums[r * 8 + c];
      for (std::size_t j = 0; j < 2; ++j)
        for (std::int32_t g : own) counts[j * 20 + (2 * d + m) * 5 + static_cast<std::size_t>(g)] += 1;
    }
  expect(z, want);
  expect(count, counts);
}
// Split over explicit axes along heads, which are plain program ids.
TEST(prefetch, split_over_explicit_axes) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::size_t const n = pages * page * heads * size;
  auto const at = ts::device_put<ts::P<>>(ts::host<sequences, pages_each>(some_pages), mesh);
  auto const lengths = ts::device_put<ts::P<>>(ts::host<sequences>(some_lengths), mesh);
  auto const q =
      ts::device_put<ts::P<ts::none, mp>>(ts::host<sequences, heads, 1, size>(wave(sequences * heads * size)), mesh);
  auto const k = ts::device_put<ts::P<ts::none, ts::none, mp>>(ts::host<pages, page, heads, size>(wave(n, 1)), mesh);
  auto const v = ts::device_put<ts::P<ts::none, ts::none, mp>>(ts::host<pages, page, heads, size>(wave(n, 2)), mesh);
  auto const z = ts::jit(attend_pages{})(at, lengths, q, k, v);
  static_assert(std::is_same_v<decltype(z)::type, decltype(q)::type>);
  expect(z, attention(some_pages, some_lengths, wave(sequences * heads * size), wave(n, 1), wave(n, 2)));
}

}  // namespace
