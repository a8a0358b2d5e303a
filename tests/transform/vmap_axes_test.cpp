// SPDX-License-Identifier: Apache-2.0
// vmap: which dimensions are mapped, types, what is sent, named axes and collectives over them, beside shard_map.

#include "support/on_grid.hpp"

#include <cmath>
#include <numeric>
#include <vector>

namespace {

using namespace on_grid;
struct batch : ts::axis {};

template <class Shape, class S = ts::P<>, class M = grid>
using array_of = ts::array_type<double, Shape, S, M>;
template <class F, class... X>
using result_of = typename ts::trace_of<F, X...>::result;

// Types: the dimension leaves, and comes back where out_axes say, with its layout.
struct by_columns {
  constexpr auto operator()(auto x, auto w) const {
    return ts::vmap<ts::in_axes<1, ts::unmapped>, ts::out_axes<-1>>([](auto column, auto w) {
      static_assert(ts::type_text<decltype(column)> == "float64[8@dp]");
      return ts::matmul(column, w, ts::out_sharding<ts::P<>>);
    })(x, w);
  }
};
static_assert(ts::type_text<result_of<by_columns, array_of<ts::shape<8, 6>, ts::P<dp, mp>>,
                                      array_of<ts::shape<8, 3>, ts::P<dp>>>> == "float64[3,6@mp]");

TEST(vmap_axes, other_dimensions) {
  auto const x = counted(48), w = counted(24, 0.5);
  std::vector<double> want(18);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t c = 0; c < 6; ++c)
      for (std::size_t r = 0; r < 8; ++r) want[k * 6 + c] += x[r * 6 + c] * w[r * 3 + k];
  expect(run<by_columns>(put<ts::P<dp, mp>, 8, 6>(x), put<ts::P<dp>, 8, 3>(w)), want);
}

// Trees in and out; a result that is the same for all.
struct trees {
  constexpr auto operator()(auto pair, auto w) const {
    return ts::vmap<ts::in_axes<0, ts::unmapped>, ts::out_axes<0, ts::unmapped>>([](auto p, auto w) {
      auto const& [a, b] = p;
      return std::tuple{std::tuple{a * b, a + w}, w * 2.0};
    })(pair, w);
  }
};
TEST(vmap_axes, trees) {
  auto const a = put<ts::P<dp>, 4, 2>(counted(8)), b = put<ts::P<dp>, 4, 2>(counted(8, 2));
  auto const w = put<ts::P<>, 2>({10, 20});
  auto const [both, same] = run<trees>(std::tuple{a, b}, w);
  expect(std::get<0>(both), {0, 2, 8, 18, 32, 50, 72, 98});
  expect(std::get<1>(both), {10, 21, 12, 23, 14, 25, 16, 27});
  expect(same, {20, 40});
  static_assert(ts::type_text<std::remove_cvref_t<decltype(same)>> == "float64[2]");
}

// A product with one matrix for all slices is one product, and what differs along a split dimension moves nothing.
struct same_matrix {
  constexpr auto operator()(auto x, auto w) const {
    return ts::vmap<ts::in_axes<0, ts::unmapped>>([](auto row, auto w) { return ts::tanh(ts::matmul(row, w)); })(x, w);
  }
};
struct written_out {
  constexpr auto operator()(auto x, auto w) const { return ts::tanh(ts::matmul(x, w)); }
};
TEST(vmap_axes, one_product_for_all) {
  using x = array_of<ts::shape<8, 6>, ts::P<dp>>;
  using w = array_of<ts::shape<6, 4>, ts::P<ts::none, mp>>;
  static_assert(ts::type_text<result_of<same_matrix, x, w>> == "float64[8@dp,4@mp]");
  static_assert(ts::comm_of<same_matrix, x, w>.bytes() == 0);
  EXPECT_EQ((ts::trace_of<same_matrix, x, w>::traced_size.nodes), (ts::trace_of<written_out, x, w>::traced_size.nodes));
}

// A gradient for each example, and the gradient of their sum.
struct each_gradient {
  constexpr auto operator()(auto w, auto x, auto y) const {
    return ts::vmap<ts::in_axes<ts::unmapped, 0, 0>>(
        ts::grad([](auto w, auto x, auto y) { return ts::square(ts::sum(w * x) - y); }))(w, x, y);
  }
};
struct gradient_of_all {
  constexpr auto operator()(auto w, auto x, auto y) const {
    return ts::grad([&](auto w) {
      return ts::sum(ts::vmap([&](auto x, auto y) { return ts::square(ts::sum(w * x) - y); })(x, y));
    })(w);
  }
};
TEST(vmap_axes, gradients) {
  std::vector<double> const w{1, 2, -1};
  auto const x = counted(24, 0.1), y = counted(8, 0.3);
  std::vector<double> each(24), sum(3);
  for (std::size_t k = 0; k < 8; ++k) {
    double const error = w[0] * x[3 * k] + w[1] * x[3 * k + 1] + w[2] * x[3 * k + 2] - y[k];
    for (std::size_t i = 0; i < 3; ++i) {
      each[3 * k + i] = 2 * error * x[3 * k + i];
      sum[i] += each[3 * k + i];
    }
  }
  auto const all = run<each_gradient>(put<ts::P<>, 3>(w), put<ts::P<dp>, 8, 3>(x), put<ts::P<dp>, 8>(y));
  static_assert(ts::type_text<decltype(all)> == "float64[8@dp,3]");
  expect(all, each);
  expect(run<gradient_of_all>(put<ts::P<>, 3>(w), put<ts::P<dp>, 8, 3>(x), put<ts::P<dp>, 8>(y)), sum);
}

// Collectives over the slices, against what they are on whole arrays.
template <class F>
struct over_batch {
  constexpr auto operator()(auto x) const { return ts::vmap<ts::axis_names<batch>>(F{})(x); }
};
template <class F>
void expect_over_batch(F const&, std::vector<double> const& want) {
  auto const x = counted(16);  // four slices of (2, 2)
  expect(run<over_batch<F>>(put<ts::P<>, 4, 2, 2>(x)), want);
  expect(run<over_batch<F>>(put<ts::P<dp>, 4, 2, 2>(x)), want);
}
TEST(vmap_collectives, psum) {
  expect_over_batch([](auto x) { return ts::psum<batch>(x); },
                    {24, 28, 32, 36, 24, 28, 32, 36, 24, 28, 32, 36, 24, 28, 32, 36});
  expect_over_batch([](auto x) { return x - ts::pmean<batch>(x); },
                    {-6, -6, -6, -6, -2, -2, -2, -2, 2, 2, 2, 2, 6, 6, 6, 6});
  expect_over_batch([](auto x) { return ts::sum(ts::pmax<batch>(x) - ts::pmin<batch>(x)); }, {48, 48, 48, 48});
  expect_over_batch([](auto x) { return ts::psum<batch>(ts::ones_like(x)) + ts::axis_size<batch>(x); },
                    std::vector<double>(16, 8));
}
TEST(vmap_collectives, all_gather) {
  std::vector<double> whole = counted(16), all;
  for (int k = 0; k < 4; ++k) all.insert(all.end(), whole.begin(), whole.end());
  expect_over_batch([](auto x) { return ts::all_gather<batch>(x); }, all);
  expect_over_batch([](auto x) { return ts::all_gather<batch>(x, ts::dim<0>, ts::tiled); }, all);
  std::vector<double> beside;
  for (int k = 0; k < 4; ++k)
    for (int r = 0; r < 2; ++r)
      for (int from = 0; from < 4; ++from)
        for (int c = 0; c < 2; ++c) beside.push_back(4 * from + 2 * r + c);
  expect_over_batch([](auto x) { return ts::all_gather<batch>(x, ts::dim<1>, ts::tiled); }, beside);
}
TEST(vmap_collectives, psum_scatter) {
  // Each slice is repeated to (8, 2), its rows are summed over slices, two for each of them.
  std::vector<double> want;
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4; ++i) want.push_back(24 + 4 * i);
  expect_over_batch([](auto x) { return ts::psum_scatter<batch>(ts::tile<4, 1>(x), ts::dim<0>, ts::tiled); }, want);
  expect_over_batch([](auto x) { return ts::psum_scatter<batch>(ts::reshape<4>(x)); }, {24, 28, 32, 36});
}

#ifndef TESSERA_BY_DAY
TEST(vmap_collectives, all_to_all) {
  // Slice k holds 4k..4k+3; afterwards it holds element k of each.
  expect_over_batch(
      [](auto x) { return ts::all_to_all<batch>(ts::reshape<4>(x), ts::split_dim<0>, ts::concat_dim<0>, ts::tiled); },
      {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
  expect_over_batch([](auto x) { return ts::pswapaxes<batch>(ts::reshape<4>(x), ts::dim<0>); },
                    {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
}
TEST(vmap_collectives, ppermute) {
  expect_over_batch([](auto x) { return ts::ppermute<batch>(ts::sum(x), ts::rotate<1>); }, {54, 6, 22, 38});
  expect_over_batch([](auto x) { return ts::ppermute<batch>(x, ts::perm<ts::send<0, 2>, ts::send<3, 0>>); },
                    {12, 13, 14, 15, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0});
  expect_over_batch([](auto x) { return ts::pshuffle<batch>(ts::sum(x), ts::order<3, 2, 1, 0>); }, {54, 38, 22, 6});
  expect_over_batch([](auto x) { return ts::pbroadcast<batch>(ts::sum(x), ts::source<2>); }, {38, 38, 38, 38});
}
TEST(vmap_collectives, axis_index) {
  expect_over_batch([](auto x) { return ts::sum(x) * 0.0 + ts::axis_index<batch>(x); }, {0, 1, 2, 3});
  expect_over_batch([](auto x) { return x * 0.0 + ts::axis_index<batch>(); },
                    {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
}
// The gradient of each slice's own result by all of what it was made of: psum's transpose is psum, as in JAX.
TEST(vmap_collectives, gradient) {
  expect_over_batch([](auto x) { return ts::grad([](auto v) { return ts::sum(v * ts::psum<batch>(v)); })(x); },
                    {24 + 24, 28 + 28, 32 + 32, 36 + 36, 24 + 24, 28 + 28, 32 + 32, 36 + 36, 24 + 24, 28 + 28, 32 + 32,
                     36 + 36, 24 + 24, 28 + 28, 32 + 32, 36 + 36});
}

// Two names: collectives over one, over both, over the outer one inside the inner vmap.
struct outer : ts::axis {};
struct inner : ts::axis {};
struct all_pairs {
  constexpr auto operator()(auto rows, auto xs) const {
    return ts::vmap<ts::in_axes<0, ts::unmapped>, ts::axis_names<outer>>([](auto row, auto xs) {
      return ts::vmap<ts::in_axes<ts::unmapped, 0>, ts::axis_names<inner>>([](auto row, auto x) {
        auto const pair = ts::sum(row) * x;
        return std::tuple{ts::psum<outer, inner>(pair), ts::psum<outer>(pair) + ts::psum<inner>(x),
                          x * 0.0 + 10 * ts::axis_index<outer>(x) + ts::axis_index<inner>(x)};
      })(row, xs);
    })(rows, xs);
  }
};
struct all_gradients {
  constexpr auto operator()(auto rows) const {
    return ts::vmap<ts::axis_names<outer>>([](auto row) {
      return ts::vmap<ts::axis_names<inner>>(
          [](auto x) { return ts::grad([](auto v) { return ts::psum<outer>(v) * ts::psum<inner>(v * v); })(x); })(row);
    })(rows);
  }
};
TEST(vmap_collectives, of_two_names) {
  auto const rows = put<ts::P<mp>, 2, 3>(counted(6));
  auto const [both, one, index] = run<all_pairs>(rows, put<ts::P<>, 4>(counted(4)));
  expect(both, {90, 90, 90, 90, 90, 90, 90, 90});
  expect(one, {6, 21, 36, 51, 6, 21, 36, 51});
  expect(index, {0, 1, 2, 3, 10, 11, 12, 13});
  // psum<outer>(psum<inner>(v * v)) + 2 v psum<inner>(psum<outer>(v))
  expect(run<all_gradients>(rows), {55, 85, 115, 145, 175, 205});
}

// Slices of what each device has, and devices that have their part of each slice.
struct slices_in_blocks {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<ts::none, dp>>>(
        [](auto block) { return ts::vmap([](auto row) { return row / ts::psum<dp>(ts::sum(row)); })(block); })(x);
  }
};
struct blocks_of_slices {
  constexpr auto operator()(auto x) const {
    return ts::vmap([](auto row) {
      return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) { return block / ts::psum<dp>(ts::sum(block)); })(
          row);
    })(x);
  }
};
struct both_at_once {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<>>>([](auto block) {
      return ts::vmap<ts::axis_names<batch>, ts::out_axes<ts::unmapped>>(
          [](auto row) { return ts::psum<dp, batch>(ts::sum(row)); })(block);
    })(x);
  }
};
TEST(vmap_and_shard_map, inside_each_other) {
  auto const v = counted(24);
  std::vector<double> want(24);
  for (std::size_t r = 0; r < 3; ++r) {
    double const sum = std::accumulate(&v[r * 8], &v[r * 8] + 8, 0.0);
    for (std::size_t c = 0; c < 8; ++c) want[r * 8 + c] = v[r * 8 + c] / sum;
  }
  auto const x = put<ts::P<ts::none, dp>, 3, 8>(v);
  expect(run<slices_in_blocks>(x), want);
  expect(run<blocks_of_slices>(x), want);
  expect(run<both_at_once>(x), {std::accumulate(v.begin(), v.end(), 0.0)});
}

// Called with arrays, and with extents that are known when it runs.
TEST(vmap_axes, called_with_arrays) {
  auto const x = put<ts::P<dp>, 4, 2>(counted(8));
  expect(ts::vmap([](auto row) { return ts::sum(row); })(x), {1, 5, 9, 13});
  expect(ts::jit(ts::vmap([](auto row) { return row * ts::sum(row); }))(x), {0, 1, 10, 15, 36, 45, 78, 91});
}
TEST(vmap_axes, dynamic_extents) {
  auto const values = counted(12);
  auto const x = ts::device_put(ts::host(values, {3, 4}));
  auto const sums = ts::jit([](auto x) { return ts::vmap([](auto row) { return row - ts::max(row); })(x); })(x);
  expect(sums, {-3, -2, -1, 0, -3, -2, -1, 0, -3, -2, -1, 0});
}

// What is refused, and why.
struct other_sizes {
  constexpr auto operator()(auto x, auto y) const {
    return ts::vmap([](auto a, auto b) { return ts::sum(a) + ts::sum(b); })(x, y);
  }
};
struct no_such_dimension {
  constexpr auto operator()(auto x) const {
    return ts::vmap<ts::in_axes<2>>([](auto a) { return a * 2.0; })(x);
  }
};
struct differs_but_unmapped {
  constexpr auto operator()(auto x) const {
    return ts::vmap<ts::out_axes<ts::unmapped>>([](auto a) { return a * 2.0; })(x);
  }
};
struct split_over_manual {
  constexpr auto operator()(auto x) const {
    return ts::vmap([](auto a) {
      return ts::shard_map<ts::in_specs<ts::P<>>, ts::out_specs<ts::P<>>>([](auto b) { return b * 2.0; })(a);
    })(x);
  }
};
template <class F, class... X>
ts::reason reason_of() {
  return ts::trace_of<F, X...>::refused.what.why;
}
TEST(vmap_axes, refusals) {
  using x = array_of<ts::shape<8, 4>, ts::P<dp>>;
  EXPECT_EQ((reason_of<other_sizes, x, array_of<ts::shape<4, 8>, ts::P<dp>>>()), ts::reason::shapes_disagree);
  EXPECT_EQ((reason_of<other_sizes, x, array_of<ts::shape<8, 4>>>()), ts::reason::dims_disagree);
  EXPECT_EQ((reason_of<no_such_dimension, x>()), ts::reason::dim_out_of_range);
  EXPECT_EQ((reason_of<differs_but_unmapped, x>()), ts::reason::result_mapped);
  EXPECT_EQ((reason_of<split_over_manual, x>()), ts::reason::not_mappable);
  EXPECT_NE((ts::why_text<differs_but_unmapped, x>()).find("out_axes<0>"), std::string::npos);
}
#endif

}  // namespace
