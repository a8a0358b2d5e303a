// SPDX-License-Identifier: Apache-2.0
// Programs whose sizes are known only when they start: the training step of examples/digits against the same step with
// sizes in its types, kernels that were compiled for any size, and refusals in the words of the compiler.

#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/tessera.hpp>

#include "../../examples/digits/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using namespace digits;

using any_grid = ts::mesh<ts::explicit_axis<dp, ts::dynamic>, ts::explicit_axis<mp, ts::dynamic>>;

std::vector<float> values(std::int64_t count, int seed) {
  std::vector<float> v(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = 0.02f * static_cast<float>((i * 37 + static_cast<std::size_t>(seed) * 11) % 41) + 0.1f;
  return v;
}
std::vector<std::int32_t> labels_of(std::int64_t count) {
  std::vector<std::int32_t> v(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<std::int32_t>((i * 7 + 3) % 10);
  return v;
}

// Batch and Hidden: numbers, or dynamic with the numbers of this call.
template <std::int64_t Batch, std::int64_t Hidden, class Mesh>
auto arguments(Mesh const& mesh, std::int64_t batch, std::int64_t hidden) {
  auto w1 = ts::device_put<ts::P<ts::none, mp>>(ts::host<64, Hidden>(values(64 * hidden, 1)), mesh);
  auto b1 = ts::device_put<ts::P<mp>>(ts::host<Hidden>(values(hidden, 2)), mesh);
  auto w2 = ts::device_put<ts::P<mp, ts::none>>(ts::host<Hidden, 10>(values(10 * hidden, 3)), mesh);
  auto b2 = ts::device_put<ts::P<ts::none>>(ts::host<10>(values(10, 4)), mesh);
  auto images = ts::device_put<ts::P<dp, ts::none>>(ts::host<Batch, 64>(values(64 * batch, 5)), mesh);
  auto labels = ts::device_put<ts::P<dp>>(ts::host<Batch>(labels_of(batch)), mesh);
  auto mask = ts::device_put<ts::P<dp>>(ts::host<Batch>(values(batch, 6)), mesh);
  return std::tuple{std::tuple{block<decltype(w1), decltype(b1), decltype(w2), decltype(b2)>{w1, b1, w2, b2}}, images,
                    labels, mask};
}
auto any_arguments(ts::extents_list sizes, std::int64_t batch, std::int64_t hidden) {
  return arguments<ts::dynamic, ts::dynamic>(ts::make_mesh<any_grid>(ts::devices(), sizes), batch, hidden);
}

struct step_from {
  template <class P, class X, class L, class M>
  auto operator()(P const& p, X const& x, L const& l, M const& m) const {
    return ts::jit<train_step>(p, ts::jit<first_state>(p), x, l, m, 1e-2f);
  }
};

// What a step sends, as polynomials in dp, mp, the width and the batch.
struct cost_of_step {
  using all = decltype(any_arguments({}, 0, 0));
  using parameters = std::tuple_element_t<0, all>;
  using state = decltype(ts::jit<first_state>(std::declval<parameters>()));
  static constexpr auto value =
      ts::comm_of<train_step, parameters, state, std::tuple_element_t<1, all>, std::tuple_element_t<2, all>,
                  std::tuple_element_t<3, all>, float>.named({"hidden", "batch"});
};
static_assert(cost_of_step::value.count<mp>(ts::collective::all_reduce) == 1);
static_assert(cost_of_step::value.count<dp>(ts::collective::all_reduce) == 6);
static_assert(cost_of_step::value.count() == cost_of_step::value.count(ts::collective::all_reduce));

TEST(dynamic_sizes, what_is_sent_is_a_polynomial) {
  EXPECT_EQ(describe(cost_of_step::value.bytes_over<mp>()), "80*batch/dp - 80*batch/(dp*mp)");
  // The gradients of w1, b1 and w2 are split over mp; b2's, the loss and the count of rows are not.
  EXPECT_EQ(describe(cost_of_step::value.bytes_over<dp>()), "96 + 600*hidden/mp - 96/dp - 600*hidden/(dp*mp)");
  EXPECT_NE(ts::explain(cost_of_step::value).find("80*batch/dp - 80*batch/(dp*mp)"), std::string::npos);
}

template <std::int64_t Dp, std::int64_t Mp, std::int64_t Batch, std::int64_t Hidden>
void gives_what_static_sizes_give() {
  using grid = ts::mesh<ts::explicit_axis<dp, Dp>, ts::explicit_axis<mp, Mp>>;
  auto const want =
      std::apply(step_from{}, arguments<Batch, Hidden>(ts::make_mesh<grid>(ts::devices()), Batch, Hidden));
  auto& counted = ts::local_communicator().counted();
  counted.reset();
  auto const got = std::apply(step_from{}, any_arguments({Dp, Mp}, Batch, Hidden));
  constexpr auto cost = cost_of_step::value.at({Dp, Mp, Hidden, Batch});
  EXPECT_EQ(counted.calls(), cost.count());
  EXPECT_EQ(counted.bytes(), cost.bytes());
  EXPECT_EQ(counted.bytes_over(0), cost.template bytes_over<dp>());
  EXPECT_EQ(counted.bytes_over(1), cost.template bytes_over<mp>());
  EXPECT_EQ(std::get<2>(got).item(), std::get<2>(want).item());
  auto const& p = std::get<0>(std::get<0>(got));
  auto const& q = std::get<0>(std::get<0>(want));
  EXPECT_EQ(p.w1.to_host(), q.w1.to_host());
  EXPECT_EQ(p.b1.to_host(), q.b1.to_host());
  EXPECT_EQ(p.w2.to_host(), q.w2.to_host());
  EXPECT_EQ(p.b2.to_host(), q.b2.to_host());
  EXPECT_EQ(std::string(ts::typeof_(p.w1)), "float32[64,?@mp]");
}

TEST(dynamic_sizes, train_bit_for_bit_as_static_ones) {
  gives_what_static_sizes_give<4, 2, 32, 16>();
  gives_what_static_sizes_give<1, 3, 10, 24>();
}

TEST(dynamic_sizes, run_kernels_that_were_compiled_for_any_size) {
  for (ts::extents_list const& sizes : {ts::extents_list{4, 2}, {8, 1}, {1, 8}, {1, 1}, {2, 3}}) {
    auto const all = any_arguments(sizes, 48, 96);
    auto const state = ts::jit<first_state>(std::get<0>(all));
    using trace =
        ts::trace_of<train_step, ts::signature_of<std::decay_t<decltype(std::get<0>(all))>>,
                     ts::signature_of<std::decay_t<decltype(state)>>, ts::signature_of<decltype(std::get<1>(all))>,
                     ts::signature_of<decltype(std::get<2>(all))>, ts::signature_of<decltype(std::get<3>(all))>,
                     ts::signature_of<float>>;
    std::vector<ts::array_value> facts;
    ts::tree_each(
        [&](auto const& x) {
          if constexpr (requires { x.stored(); }) facts.push_back(x.stored().facts);
        },
        std::tuple{std::get<0>(all), state, std::get<1>(all), std::get<2>(all), std::get<3>(all)});
    for (std::size_t i = facts.size(); i < trace::traced_size.inputs; ++i)
      facts.push_back(trace::program.nodes[trace::program.inputs[i]].facts);
    auto const& mesh = std::get<1>(all).mesh().value();
    ts::detail::run_time_program const program(ts::canonical(trace::record(mesh, facts.data()).recorded), true, true,
                                               ts::detail::kernels_for_any_size<trace>::value);
    int fused = 0;
    for (int s = 0; s < program.planned.view().step_count; ++s) {
      if (program.planned.view().steps[s].kind != ts::step_kind::fused) continue;
      ++fused;
      auto const& kernel = program.kernels[s];
      EXPECT_TRUE(kernel.strip || kernel.launch) << "step " << s << " on " << std::get<1>(all).mesh();
    }
    EXPECT_GT(fused, 3);
  }
}

#ifndef TESSERA_BY_DAY
// What is refused when it runs is refused in the words of the same call with sizes in its types.
template <class F, class... Static>
struct refused_alike {
  template <class... X>
  static void check(X const&... x) {
    auto const want = ts::why_text<F, Static...>();
    ASSERT_FALSE(want.empty());
    try {
      (void)ts::jit<F>(x...);
      ADD_FAILURE() << "accepted: " << want;
    } catch (ts::refused_error const& e) {
      EXPECT_EQ(std::string(e.what()), want);
    }
  }
};

using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
template <class Spec, std::int64_t... Extents>
using of = ts::array_type<float, ts::shape<Extents...>, Spec, grid>;
using rows = ts::P<dp, ts::none>;
using whole = ts::P<ts::none, ts::none>;

template <class Spec>
auto any_array(std::int64_t n, std::int64_t m) {
  auto const v = values(n * m, 1);
  return ts::device_put<Spec>(ts::host(v, {n, m}), ts::make_mesh<any_grid>(ts::devices(), {4, 2}));
}

struct add {
  constexpr auto operator()(auto x, auto y) const { return x + y; }
};
struct product {
  constexpr auto operator()(auto x, auto y) const { return ts::exp(ts::matmul(x, y)); }
};
struct joined {
  constexpr auto operator()(auto x, auto y) const { return ts::concatenate<1>(x, y); }
};
struct folded {
  constexpr auto operator()(auto x) const { return ts::reshape<ts::infer, 5>(x); }
};
struct cut {
  constexpr auto operator()(auto x) const { return ts::slice_in_dim<0, 4, 12>(x); }
};
struct spread {
  constexpr auto operator()(auto x) const { return ts::reshard<ts::P<ts::none, dp>>(x); }
};
struct slope {
  constexpr auto operator()(auto x, auto y) const {
    return ts::grad([](auto a, auto b) { return ts::sum(a * b); })(x, y);
  }
};

TEST(dynamic_sizes, are_refused_in_the_same_words) {
  auto const a = any_array<rows>(8, 4), b = any_array<rows>(12, 4);
  auto const c = any_array<whole>(6, 5);
  refused_alike<add, of<rows, 8, 4>, of<rows, 12, 4>>::check(a, b);
  refused_alike<slope, of<rows, 8, 4>, of<rows, 12, 4>>::check(a, b);
  refused_alike<product, of<rows, 8, 4>, of<whole, 6, 5>>::check(a, c);
  refused_alike<joined, of<rows, 8, 4>, of<rows, 12, 4>>::check(a, b);
  refused_alike<folded, of<whole, 8, 4>>::check(any_array<whole>(8, 4));
  refused_alike<cut, of<rows, 8, 4>>::check(a);
  refused_alike<spread, of<whole, 6, 5>>::check(c);
}

struct dims_of_one {
  constexpr auto operator()(auto x) const { return std::tuple{ts::ravel(x), ts::reshape<ts::infer, 4>(x)}; }
};
TEST(dynamic_sizes, merged_dimensions_keep_their_axes) {
  auto const v = values(96, 1);
  auto const mesh = ts::make_mesh<any_grid>(ts::devices(), {4, 2});
  auto const x = ts::device_put<ts::P<dp>>(ts::host<ts::dynamic, 3, 4>(v), mesh);
  auto const [flat, pairs] = ts::jit<dims_of_one>(x);
  EXPECT_EQ(std::string(ts::typeof_(flat)), "float32[?@dp]");
  EXPECT_EQ(std::string(ts::typeof_(pairs)), "float32[?@dp,4]");
  EXPECT_EQ(flat.to_host(), v);
  EXPECT_EQ(pairs.to_host(), v);
}

struct diagonals {
  constexpr auto operator()(auto x) const {
    auto const below = ts::diagonal<-1>(x);
    auto const slope = ts::grad([](auto a) { return ts::sum(ts::diagonal(a) * ts::diagonal<1>(a).at(0).get()); })(x);
    return std::tuple{below, ts::diagonal(x), ts::diagonal<2>(x), ts::diag<1>(below), slope};
  }
};
TEST(dynamic_sizes, of_diagonals) {
  for (auto [n, m] : {std::pair<std::int64_t, std::int64_t>{5, 4}, {4, 5}, {3, 3}}) {
    auto const v = values(n * m, 3);
    auto const at = [&, m = m](std::int64_t i, std::int64_t j) { return v[i * m + j]; };
    std::vector<float> below, middle, above;
    for (std::int64_t i = 0; i + 1 < n && i < m; ++i) below.push_back(at(i + 1, i));
    for (std::int64_t i = 0; i < n && i < m; ++i) middle.push_back(at(i, i));
    for (std::int64_t i = 0; i < n && i + 2 < m; ++i) above.push_back(at(i, i + 2));
    auto const x = ts::device_put<whole>(ts::host(v, {n, m}), ts::make_mesh<any_grid>(ts::devices(), {4, 2}));
    auto const [one, two, three, square, slope] = ts::jit<diagonals>(x);
    EXPECT_EQ(std::string(ts::typeof_(one)), "float32[?]");
    EXPECT_EQ(one.to_host(), below);
    EXPECT_EQ(two.to_host(), middle);
    EXPECT_EQ(three.to_host(), above);
    std::vector<float> wide((below.size() + 1) * (below.size() + 1));
    for (std::size_t i = 0; i < below.size(); ++i) wide[i * (below.size() + 1) + i + 1] = below[i];
    EXPECT_EQ(square.to_host(), wide);
    EXPECT_EQ(slope.to_host()[0], at(0, 1));
  }
}

// The places of numpy's start:stop:step in n elements.
std::vector<std::size_t> places(std::int64_t start, std::int64_t stop, std::int64_t step, std::int64_t n) {
  bool const down = step < 0;
  auto const bound = [&](std::int64_t i) {
    if (i < 0) i += n;
    return down ? std::clamp<std::int64_t>(i, -1, n - 1) : std::clamp<std::int64_t>(i, 0, n);
  };
  std::int64_t const last = stop == ts::to_end ? (down ? -1 : n) : bound(stop);
  std::vector<std::size_t> at;
  for (auto i = start == ts::to_end ? (down ? n - 1 : 0) : bound(start); down ? i > last : i < last; i += step)
    at.push_back(static_cast<std::size_t>(i));
  return at;
}
template <std::int64_t Start, std::int64_t Stop, std::int64_t Step>
void spans_of(std::size_t n) {
  std::vector<float> given(n);
  for (std::size_t i = 0; i < n; ++i) given[i] = static_cast<float>(i) + 1;
  auto const at = places(Start, Stop, Step, static_cast<std::int64_t>(n));
  std::vector<float> part, values, with = given, sums = given;
  for (std::size_t k = 0; k < at.size(); ++k) {
    part.push_back(given[at[k]]);
    values.push_back(10 * static_cast<float>(k) + 50);
    with[at[k]] = values[k];
    sums[at[k]] += values[k];
  }
  auto const x = ts::asarray(given), v = ts::asarray(values);
  constexpr auto here = ts::span<Start, Stop, Step>();
  EXPECT_EQ(x.at(here).get().to_host(), part) << n;
  EXPECT_EQ(x.at(here).set(v).to_host(), with) << n;
  EXPECT_EQ(ts::jit([](auto a, auto b) { return a.at(ts::span<Start, Stop, Step>()).add(b); })(x, v).to_host(), sums)
      << n;
}
TEST(dynamic_sizes, spans_of_every_step) {
  for (std::size_t n : {4, 7, 8}) {
    spans_of<0, ts::to_end, 2>(n);
    spans_of<1, ts::to_end, 3>(n);
    spans_of<-3, -1, 1>(n);
    spans_of<ts::to_end, ts::to_end, -1>(n);
    spans_of<6, 0, -2>(n);
    spans_of<-1, -9, -3>(n);
    spans_of<9, 2, -3>(n);
    spans_of<-2, 0, -1>(n);
  }
}
#endif

}  // namespace
