// SPDX-License-Identifier: Apache-2.0
// What is said of a kernel before it runs: blocks that it fetches and writes against counting them instance by
// instance, bytes and flops, text and page.

#include <tessera/functions.hpp>
#include <tessera/view/explain_program.hpp>

#include "support/kernel_case.hpp"

#include <random>
#include <string>

namespace {

using namespace kernel_case;

template <class T, std::int64_t... N>
using whole = ts::array_type<T, ts::shape<N...>, ts::P<>, ts::mesh<>>;

struct multiply {
  constexpr void operator()(auto const& x, auto const& y, auto& out) const { out += ts::matmul(x, y); }
};
struct x_at {
  constexpr auto operator()(auto i, auto, auto k) const { return std::tuple{i, k}; }
};
struct y_at {
  constexpr auto operator()(auto, auto j, auto k) const { return std::tuple{k, j}; }
};
struct z_at {
  constexpr auto operator()(auto i, auto j, auto) const { return std::tuple{i, j}; }
};
struct product {
  constexpr auto operator()(auto x, auto y) const {
    return ts::kernel<ts::kernel_grid<4, 4, ts::sequential{2}>,
                      ts::in_block_specs<ts::block_spec<x_at{}, 64, 128>, ts::block_spec<y_at{}, 128, 64>>,
                      ts::out_block_specs<ts::out_block<ts::block_spec<z_at{}, 64, 64>, float, 256, 256>>>(multiply{})(
        x, y);
  }
};
constexpr auto const& of_product = ts::work_of<product, whole<float, 256, 256>, whole<float, 256, 256>>;
static_assert(of_product.flops(ts::step_kind::dot) == 2 * 256 * 256 * 256);
// Each operand is read four times, the result is written once.
static_assert(of_product.bytes() == 4 * (4 + 4 + 1) * 256 * 256);

void expect_line(std::string const& text, std::string const& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "not there: " << part << "\nin:\n" << text;
}
// Of several spaces one, at the beginning of a line none.
std::string single_spaced(std::string const& text) {
  std::string made;
  for (char c : text)
    if (c != ' ' || (!made.empty() && made.back() != ' ' && made.back() != '\n')) made += c;
  return made;
}

TEST(explain_kernel, a_product_in_tiles) {
  std::string const text = ts::explain<product, whole<float, 256, 256>, whole<float, 256, 256>>();
  expect_line(text, "grid 4 x 4 x 2 in order: 32 instances\n");
  std::string const rows = single_spaced(text);
  expect_line(rows, "operand 0 float32[256,256] 64 x 128 32 1048576 4\n");
  expect_line(rows, "operand 1 float32[256,256] 128 x 64 32 1048576 4\n");
  expect_line(rows, "result 0 float32[256,256] 64 x 64 16 262144 1\n");
  expect_line(text, "2097152 bytes read, 262144 written, 33685504 flops\n");  // products, and their sums
  expect_line(text,
              "  blocks of operand 0: dimension 0 down, 1 across\n"
              "    +-------+-------+\n"
              "    | 0,*,0 | 0,*,1 |\n"
              "    +-------+-------+\n"
              "    | 1,*,0 | 1,*,1 |\n");
  std::string const page = ts::explain_html<product, whole<float, 256, 256>, whole<float, 256, 256>>();
  expect_line(page, "<h2>Kernels</h2>");
  expect_line(page, "<title>blocks of operand 1</title>");
  expect_line(page, ">3,3,*</text>");
}

struct add_neighbors {
  constexpr void operator()(auto const& x, auto& out) const {
    out = ts::slice_in_dim<0, 0, 64>(x) + ts::slice_in_dim<0, 1, 65>(x) + ts::slice_in_dim<0, 2, 66>(x);
  }
};
struct overlapping {
  constexpr auto operator()(auto i) const { return std::tuple{64 * i, 0}; }
};
struct row_of_blocks {
  constexpr auto operator()(auto i) const { return std::tuple{i, 0}; }
};
struct stencil {
  constexpr auto operator()(auto x) const {
    return ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<ts::block_spec<overlapping{}, ts::element<66, 1, 1>, 512>>,
                      ts::out_block_specs<ts::out_block<ts::block_spec<row_of_blocks{}, 64, 512>, float, 256, 512>>>(
        add_neighbors{})(x);
  }
};
static_assert(ts::work_of<stencil, whole<float, 256, 512>>.bytes() == 4 * 512 * 4 * (66 + 64));
static_assert(ts::work_of<stencil, whole<float, 256, 512>>.flops() == 2 * 256 * 512);
TEST(explain_kernel, a_stencil) {
  std::string const text = ts::explain<stencil, whole<float, 256, 512>>();
  expect_line(single_spaced(text), "operand 0 float32[256,512] 66 x 512 4 540672 1.03\n");
  expect_line(text, "540672 bytes read, 524288 written, 262144 flops\n");
  expect_line(text, "    | 0 from -1  | 1 from 63  | 2 from 127 | 3 from 191 |\n");
}

struct by_expert {
  constexpr void operator()(auto const&, auto const& x, auto const& w, auto& out) const { out = ts::matmul(x, w); }
};
struct expert_at {
  constexpr auto operator()(auto i, auto, auto expert) const { return std::tuple{expert(i), 0, 0}; }
};
struct tile_at {
  constexpr auto operator()(auto i, auto j) const { return std::tuple{3 * i + j, 0}; }
};
struct grouped {
  constexpr auto operator()(auto t, auto x, auto w) const {
    return ts::kernel<ts::kernel_grid<ts::sequential{2}, ts::sequential{3}>,
                      ts::in_block_specs<ts::scalar_prefetch, ts::block_spec<tile_at{}, 8, 16>,
                                         ts::block_spec<expert_at{}, ts::squeezed, 16, 4>>,
                      ts::out_block_specs<ts::out_block<ts::block_spec<tile_at{}, 8, 4>, float, 48, 4>>>(by_expert{})(
        t, x, w);
  }
};
TEST(explain_kernel, blocks_by_a_table) {
  std::string const text = ts::explain<grouped, whole<std::int32_t, 2>, whole<float, 48, 16>, whole<float, 4, 16, 4>>();
  std::string const rows = single_spaced(text);
  expect_line(rows, "operand 0 int32[2] 2 1 8 1\n");
  expect_line(rows, "operand 1 float32[48,16] 8 x 16 6 3072 1\n");
  expect_line(rows, "operand 2, by a table float32[4,16,4] 1 x 16 x 4 <= 2 <= 512 <= 0.50\n");
  expect_line(text, "at most 3592 bytes read, 768 written, 6144 flops\n");
}

struct first_block {
  constexpr auto operator()(auto const&) const { return std::tuple{0, 0}; }
};
struct by_itself {
  constexpr void operator()(auto const& x, auto& out) const { out = x; }
};
// What is there is read, and the sum is written.
struct sum_of_rows {
  constexpr auto operator()(auto x) const {
    return ts::kernel<ts::kernel_grid<8>, ts::in_block_specs<ts::block_spec<row_of_blocks{}, 4, 16>>,
                      ts::out_block_specs<ts::sum_block<ts::block_spec<first_block{}, 4, 16>, float, 4, 16>>>(
        by_itself{})(x);
  }
};
static_assert(ts::work_of<sum_of_rows, whole<float, 32, 16>>.bytes() == 4 * (32 * 16 + 2 * 8 * 4 * 16));
TEST(explain_kernel, blocks_that_are_added) {
  std::string const text = ts::explain<sum_of_rows, whole<float, 32, 16>>();
  expect_line(single_spaced(text), "result 0, added float32[4,16] 4 x 16 8 2048 8\n");
  expect_line(text, "4096 bytes read, 2048 written, 0 flops\n");
}

// Each block of queries with all keys and values.
struct attention {
  constexpr auto operator()(auto q, auto k, auto v) const { return ts::flash_attention<128, 64>(q, k, v); }
};
struct causal_attention {
  constexpr auto operator()(auto q, auto k, auto v) const { return ts::flash_attention<128, 64>(q, k, v, ts::causal); }
};
TEST(explain_kernel, flash_attention) {
  using heads = whole<float, 1, 512, 2, 64>;
  constexpr auto const& work = ts::work_of<attention, heads, heads, heads>;
  static_assert(work.flops(ts::step_kind::dot) == 2 * 2 * 2 * 512 * 512 * 64);  // two products, two heads
  // No scores go to memory: their bytes alone, written and read once, are more.
  static_assert(work.bytes() < 2 * 4 * 2 * 512 * 512);
  std::string const text = ts::explain<attention, heads, heads, heads>(), rows = single_spaced(text);
  expect_line(text, "grid 1 x 2 x 4: 8 instances\n");
  expect_line(rows, "operand 0 float32[1,512,2,64] 1 x 128 x 1 x 64 8 262144 1\n");
  expect_line(rows, "operand 1 float32[1,512,2,64] 1 x 512 x 1 x 64 8 1048576 4\n");
  expect_line(rows, "operand 2 float32[1,512,2,64] 1 x 512 x 1 x 64 8 1048576 4\n");
  // The number of turns of a causal kernel's loop depends on the block.
  expect_line(ts::explain<causal_attention, heads, heads, heads>(), " written, at least ");
}

// vmap: the batch is in the grid, and operands without it are fetched for each of its elements.
struct batch_of_products {
  constexpr auto operator()(auto x, auto y) const { return ts::vmap<ts::in_axes<0, ts::unmapped>>(product{})(x, y); }
};
TEST(explain_kernel, in_vmap) {
  std::string const text = ts::explain<batch_of_products, whole<float, 3, 256, 256>, whole<float, 256, 256>>();
  expect_line(text, "grid 3 of vmap x 4 x 4 x 2 in order: 96 instances\n");
  std::string const rows = single_spaced(text);
  expect_line(rows, "operand 0 float32[3,256,256] 1 x 64 x 128 96 3145728 4\n");
  expect_line(rows, "operand 1 float32[256,256] 128 x 64 96 3145728 12\n");
}

// Random maps: the count against trying each turn.
TEST(explain_kernel, blocks_are_counted_as_by_trying) {
  int bounds = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    ts::grid_value g;
    g.rank = 1 + below(4);
    g.parallel = below(g.rank + 1);
    for (int d = 0; d < g.rank; ++d) g.extent[d] = 1 + below(5);
    ts::block_value b;
    b.rank = 1 + below(3);
    for (int d = 0; d < b.rank; ++d) {
      auto const any = [&] { return ts::grid_index::of(below(g.rank)); };
      switch (below(5)) {
        case 0: b.at[d] = below(3); break;
        case 1: b.at[d] = any() / (1 + below(3)); break;
        case 2: b.at[d] = any() % (1 + below(3)) + any(); break;
        case 3: b.at[d] = any() * (below(4) - 2) + any(); break;
        default: b.at[d] = any();
      }
    }
    std::int64_t want = 0;
    std::int64_t const turns = g.instances(g.parallel, g.rank);
    std::vector<std::int64_t> held;
    for (std::int64_t i = 0; i < g.instances(); ++i) {
      ts::program_ids ids{};
      g.ids_at(i, 0, g.rank, ids);
      std::vector<std::int64_t> at;
      for (int d = 0; d < b.rank; ++d) at.push_back(b.at[d].at(ids));
      want += i % turns == 0 || at != held;
      held = at;
    }
    auto const got = ts::detail::traffic_of(g, b);
    ASSERT_EQ(got.count, want) << "seed " << seed;
    bounds += got.bound;
  }
  EXPECT_EQ(bounds, 0);
}

}  // namespace
