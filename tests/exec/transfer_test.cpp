// SPDX-License-Identifier: Apache-2.0
// Transfers against loops that visit one element at a time.
// optimized
// stand-in

#include <tessera/engine/exec/move/transfer_run.hpp>

#include "support/near.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

namespace ts = tessera;

namespace {

std::mt19937 engine{7};
int pick(int low, int high) { return std::uniform_int_distribution<int>{low, high}(engine); }

struct shape {
  std::vector<std::int64_t> extents;
  std::int64_t size() const {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
  }
};

// Row-major strides after a random permutation, with gaps: what views of views look like.
std::vector<std::int64_t> scattered(shape const& s, bool gaps) {
  std::vector<std::size_t> order(s.extents.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), engine);
  std::vector<std::int64_t> strides(order.size());
  std::int64_t step = 1;
  for (auto d : order) {
    strides[d] = step;
    step *= s.extents[d] + (gaps ? pick(0, 2) : 0);
  }
  return strides;
}
std::int64_t span_of(shape const& s, std::vector<std::int64_t> const& strides) {
  std::int64_t last = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) last += (s.extents[d] - 1) * strides[d];
  return last + 1;
}

template <class T>
T combined(ts::monoid m, T x, T y) {
  switch (m) {
    case ts::monoid::sum: return static_cast<T>(x + y);
    case ts::monoid::product: return static_cast<T>(x * y);
    case ts::monoid::max: return x > y ? x : y;
    case ts::monoid::min: return x < y ? x : y;
    case ts::monoid::logical_and: return static_cast<T>(x && y);
    default: return static_cast<T>(x || y);
  }
}

template <class T>
void expect_like_loops(shape const& kept, shape const& reduced, ts::monoid m) {
  shape all = kept;
  all.extents.insert(all.extents.end(), reduced.extents.begin(), reduced.extents.end());
  auto in_strides = scattered(all, true);
  for (auto& s : in_strides)
    if (pick(0, 9) == 0) s = 0;  // a broadcast
  auto const out_strides = scattered(kept, true);
  std::vector<T> in(static_cast<std::size_t>(span_of(all, in_strides))),
      out(static_cast<std::size_t>(span_of(kept, out_strides)), T(77));
  bool const logical = m == ts::monoid::logical_and || m == ts::monoid::logical_or;
  for (auto& x : in) x = static_cast<T>(logical ? pick(0, 1) : m == ts::monoid::product ? pick(1, 2) : pick(-8, 8));
  auto expected = out;
  ts::transfer t;
  t.element = ts::dtype_of<T>();
  t.combine = m;
  for (std::size_t d = 0; d < kept.extents.size(); ++d) t.keep(kept.extents[d], in_strides[d], out_strides[d]);
  for (std::size_t d = 0; d < reduced.extents.size(); ++d)
    t.reduce(reduced.extents[d], in_strides[kept.extents.size() + d]);
  for (std::int64_t i = 0; i < kept.size(); ++i) {
    std::int64_t from = 0, to = 0, rest = i;
    for (std::size_t d = kept.extents.size(); d-- > 0; rest /= kept.extents[d]) {
      from += rest % kept.extents[d] * in_strides[d];
      to += rest % kept.extents[d] * out_strides[d];
    }
    T result{};
    for (std::int64_t r = 0; r < reduced.size(); ++r) {
      std::int64_t at = from, left = r;
      for (std::size_t d = reduced.extents.size(); d-- > 0; left /= reduced.extents[d])
        at += left % reduced.extents[d] * in_strides[kept.extents.size() + d];
      T const x = in[at];
      result = r == 0 ? x : combined(m, result, x);
    }
    expected[to] = result;
  }
  support::run_near(t, support::near(out), in);
  EXPECT_EQ(out, expected);
}

shape random_shape(int max_rank, int budget) {
  shape s;
  for (int d = pick(0, max_rank); d > 0; --d) {
    int const e = pick(0, 3) == 0 ? 1 : pick(1, std::max(1, std::min(budget, 70)));
    s.extents.push_back(e);
    budget = std::max(1, budget / e);
  }
  return s;
}

}  // namespace

TEST(transfer, copies_of_random_views) {
  for (int i = 0; i < 200; ++i) {
    shape const s = random_shape(5, 20000);
    expect_like_loops<float>(s, {}, ts::monoid::none);
    expect_like_loops<double>(s, {}, ts::monoid::none);
    expect_like_loops<std::int32_t>(s, {}, ts::monoid::none);
  }
}

TEST(transfer, runs_past_the_caches) {
  std::vector<char> from(9000);
  for (auto& c : from) c = static_cast<char>(pick(0, 100));
  for (int i = 0; i < 300; ++i) {
    int const at = pick(0, 130), start = pick(0, 130), size = i < 100 ? pick(0, 200) : pick(0, 8000);
    std::vector<char> expected(9000, 77);
    auto const source = from.begin() + start;
    std::copy(source, source + size, expected.begin() + at);
    auto const bytes = [](char* p) { return reinterpret_cast<std::byte*>(p); };
    for (std::byte const* next :
         {static_cast<std::byte const*>(nullptr), static_cast<std::byte const*>(bytes(from.data()))}) {
      std::vector<char> out(9000, 77);
      ts::detail::stream_run(bytes(out.data() + at), bytes(from.data() + start), static_cast<std::size_t>(size), next);
      ts::detail::stream_end();
      ASSERT_EQ(out, expected) << size;
    }
  }
}

TEST(transfer, sums_of_any_number_of_rows) {
  for (std::int64_t rows = 1; rows < 22; ++rows)
    for (std::int64_t const columns : {1, 63, 64, 197}) {
      expect_like_loops<float>({{columns}}, {{rows}}, ts::monoid::sum);
      expect_like_loops<double>({{columns}}, {{rows}}, ts::monoid::max);
    }
}

TEST(transfer, reductions_of_random_views) {
  for (int i = 0; i < 200; ++i) {
    shape const kept = random_shape(3, 400), reduced = random_shape(3, 400);
    for (auto m : {ts::monoid::sum, ts::monoid::max, ts::monoid::min}) {
      expect_like_loops<float>(kept, reduced, m);
      expect_like_loops<std::int64_t>(kept, reduced, m);
    }
    expect_like_loops<double>(random_shape(2, 20), random_shape(2, 20), ts::monoid::product);
    expect_like_loops<std::int32_t>(kept, reduced, ts::monoid::logical_and);
    expect_like_loops<std::int32_t>(kept, reduced, ts::monoid::logical_or);
  }
}

TEST(transfer, large_copies_and_transpositions) {
  expect_like_loops<float>({{300, 500}}, {}, ts::monoid::none);
  expect_like_loops<double>({{7, 129, 131}}, {}, ts::monoid::none);
  expect_like_loops<float>({{70000}}, {}, ts::monoid::none);
}

TEST(transfer, long_reductions_are_cut_and_joined) {
  expect_like_loops<double>({}, {{300000}}, ts::monoid::sum);
  expect_like_loops<std::int64_t>({}, {{3, 100000}}, ts::monoid::sum);
  expect_like_loops<std::int32_t>({{3}}, {{100000}}, ts::monoid::max);
  expect_like_loops<std::int64_t>({{600}}, {{4000}}, ts::monoid::sum);
}

TEST(transfer, an_empty_reduction_gives_the_identity) {
  float out = 7;
  ts::transfer t;
  t.combine = ts::monoid::sum;
  t.reduce(0, 1);
  std::vector<float> const nothing;
  support::run_near(t, support::near(&out, sizeof out), nothing);
  EXPECT_EQ(out, 0);
  t.combine = ts::monoid::max;
  support::run_near(t, support::near(&out, sizeof out), nothing);
  EXPECT_EQ(out, -std::numeric_limits<float>::infinity());
}

TEST(transfer, nothing_is_written_for_an_empty_result) {
  float out = 7;
  ts::transfer t;
  t.keep(0, 1, 1);
  t.keep(5, 0, 0);
  ts::run(t, reinterpret_cast<std::byte*>(&out), nullptr);
  EXPECT_EQ(out, 7);
}

TEST(transfer, halves_accumulate_in_float) {
  std::vector<ts::bfloat16> in(4096, ts::bfloat16(1.0f));
  ts::bfloat16 out(0.0f);
  ts::transfer t;
  t.element = ts::dtype::bfloat16;
  t.combine = ts::monoid::sum;
  t.reduce(4096, 1);
  support::run_near(t, support::near(&out, sizeof out), in);
  EXPECT_EQ(static_cast<float>(out), 4096.0f);
}

TEST(transfer, nan_wins_maximum_and_minimum) {
  std::vector<float> in(100, 1.0f);
  in[37] = std::numeric_limits<float>::quiet_NaN();
  for (auto m : {ts::monoid::max, ts::monoid::min}) {
    float out = 0;
    ts::transfer t;
    t.combine = m;
    t.reduce(100, 1);
    support::run_near(t, support::near(&out, sizeof out), in);
    EXPECT_TRUE(out != out);
  }
}

TEST(transfer, sums_do_not_depend_on_repetition) {
  std::vector<float> in(1 << 20);
  for (auto& x : in) x = std::uniform_real_distribution<float>{-1, 1}(engine);
  ts::transfer t;
  t.combine = ts::monoid::sum;
  t.reduce(static_cast<std::int64_t>(in.size()), 1);
  float first = 0, again = 0;
  support::run_near(t, support::near(&first, sizeof first), in);
  for (int i = 0; i < 20; ++i) {
    support::run_near(t, support::near(&again, sizeof again), in);
    EXPECT_EQ(first, again);
  }
}
