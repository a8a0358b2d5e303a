// SPDX-License-Identifier: Apache-2.0
// Steps that run part by part: which are put together, and that it changes no bit.

#include <tessera/tessera.hpp>

#include <tessera/engine/exec/run/chain.hpp>

#include "support/near.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace ts = tessera;

// c[8, n, n] = a[8, n, n] b[n, n] of two threads' caches of 1 KiB; offsets in elements, slots: argument, result, arena.
constexpr std::int64_t n = 32, whole = 8 * n * n;
struct where {
  int slot = 2;
  std::int64_t offset = 0;
};
ts::detail::product_work product_of(where a, where c, std::int64_t batch = 8) {
  ts::product p;
  p.batch = {{batch, n * n, 0, n * n}};
  p.m = {{n, n, 0, n}};
  p.k = {{n, 1, n, 0}};
  p.n = {{n, 0, 1, 1}};
  p.a_slot = a.slot, p.a_offset = a.offset;
  p.b_slot = 3;
  p.c_slot = c.slot, p.c_offset = c.offset;
  return ts::detail::prepare(p);
}

std::vector<ts::detail::step_chain> chains_of(std::vector<ts::detail::product_work> const& steps,
                                              std::int64_t cache = 1024) {
  std::vector<ts::detail::step_chain> all;
  ts::detail::chain_finder finder(1, 1, 2, cache);
  finder.find(
      0, static_cast<int>(steps.size()), [&](int i) { return &steps[i]; },
      [](int) { return static_cast<ts::fused_work const*>(nullptr); }, [](int) { return false; },
      [&](ts::detail::step_chain const& chain) { all.push_back(chain); });
  return all;
}

TEST(chain, joins_steps_whose_parts_are_independent) {
  auto const found = chains_of({product_of({0}, {2}), product_of({2}, {2, whole}), product_of({2, whole}, {2})});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first, 0);
  EXPECT_EQ(found[0].count, 3);
  EXPECT_EQ(found[0].parts, 8);
}

TEST(chain, ends_where_a_part_would_overwrite_another) {
  auto const found = chains_of({product_of({0}, {2}), product_of({2}, {2, n * n})});
  EXPECT_TRUE(found.empty());
}

TEST(chain, ends_where_a_part_reads_all) {
  auto reader = product_of({0}, {2, whole});
  reader.what.b_slot = 2;  // the first block of what the step before computes
  EXPECT_TRUE(chains_of({product_of({0}, {2}), reader}).empty());
}

TEST(chain, takes_a_result_for_a_donated_argument) {
  EXPECT_TRUE(chains_of({product_of({0}, {2}), product_of({2}, {1})}).empty());
  EXPECT_EQ(chains_of({product_of({2, whole}, {2}), product_of({2}, {1})}).size(), 1u);
}

TEST(chain, needs_as_many_parts_as_threads_share_evenly) {
  EXPECT_TRUE(chains_of({product_of({0}, {2}, 4), product_of({2}, {2, whole}, 4)}).empty());
}

TEST(chain, is_for_more_than_the_caches_hold) {
  EXPECT_TRUE(chains_of({product_of({0}, {2}), product_of({2}, {2, whole})}, 1 << 20).empty());
}

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 8>>;

struct scores {
  constexpr auto operator()(auto q, auto k) const { return ts::einsum<"bqd,bkd->bqk">(q, k); }
};
struct weights {
  constexpr auto operator()(auto s) const { return ts::softmax(s * 0.125f); }
};
struct mixed {
  constexpr auto operator()(auto p, auto v) const { return ts::einsum<"bqk,bkd->bqd">(p, v); }
};
struct attention {
  constexpr auto operator()(auto q, auto k, auto v) const { return mixed{}(weights{}(scores{}(q, k)), v); }
};

struct shift {
  constexpr auto operator()(auto x) const { return x + 1; }
};
struct shifted {
  constexpr auto operator()(auto q, auto k, auto v) const { return shift{}(attention{}(q, k, v)); }
};

// Scores of 8 MiB, and two caches of 2 MiB: scores and weights are one launch. The last product is another, since its
// result may take the place of a donated q.
TEST(chain, has_the_bits_of_single_steps) {
  ONLY_ON_HOST();
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const put = [&](unsigned seed) {
    std::vector<float> host(32 * 256 * 64);
    for (auto& x : host) seed = seed * 1664525u + 1013904223u, x = static_cast<float>(seed >> 8) / 8388608.0f - 1;
    return ts::device_put<ts::P<dp, ts::none, ts::none>>(ts::host<32, 256, 64>(std::move(host)), mesh);
  };
  auto const q = put(1), k = put(2), v = put(3);
  auto const before = ts::launches_so_far().steps();
  auto const result = ts::jit<attention>(q, k, v);
  if (ts::host_threads() <= 2 && ts::detail::this_machine().l2 * ts::host_threads() < (8 << 20)) {
    EXPECT_EQ(ts::launches_so_far().steps() - before, 2);
  }
  auto const together = result.to_host();
  auto const apart = ts::jit<mixed>(ts::jit<weights>(ts::jit<scores>(q, k)), v);
  EXPECT_EQ(together, apart.to_host());
  // Here the products and the weights are one launch, and nobody else reads scores and weights: threads keep them.
  EXPECT_EQ(ts::jit<shifted>(q, k, v).to_host(), ts::jit<shift>(apart).to_host());
}

}  // namespace
