// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program over Auto axes: planned while compiling, planned again when it runs to the same steps and messages, and run to the
// oracle's answer.

#include "support/op_case.hpp"

#include <cmath>

namespace planned_programs {

using namespace op_case;
using oracle::tensor;
using ts::unconstrained;

template <std::int64_t Dp, std::int64_t Mp>
using loose = ts::mesh<ts::auto_axis<dp, Dp>, ts::auto_axis<mp, Mp>>;

// Rows of x, one after the other: the last state, from the mean of all.
template <class X>
constexpr auto rows_in_turn(X const& x) {
  auto const turn = [](auto state, auto row) {
    auto const next = ts::tanh(state + row);
    return std::tuple{next, next * 0.5f};
  };
  return std::get<0>(ts::scan(turn, ts::mean<0>(x), x));
}
inline tensor rows_in_turn(tensor const& x) {
  tensor state = oracle::mean(x, {0});
  for (std::int64_t i = 0; i < x.extents[0]; ++i)
    state = oracle::tanh(state + oracle::squeeze(oracle::slice(x, {i, 0}, {i + 1, x.extents[1]}), 0));
  return state;
}
// Six rows of x, here and there.
template <int Rows, class X>
constexpr auto some_rows(X const& x) {
  return ts::take<0>(x, ts::remainder(ts::arange<6>() * 5, Rows));
}
template <int Rows>
tensor some_rows(tensor const& x) {
  std::vector<tensor> rows;
  for (int k = 0; k < 6; ++k) {
    std::int64_t const i = 5 * k % Rows;
    rows.push_back(oracle::slice(x, {i, 0}, {i + 1, x.extents[1]}));
  }
  return oracle::concatenate(rows, 0);
}

inline void expect_same(ts::plan_view const& x, ts::plan_view const& y) {
  ASSERT_EQ(x.message_count, y.message_count);
  for (int i = 0; i < x.message_count; ++i) {
    EXPECT_EQ(x.messages[i].kind, y.messages[i].kind) << i;
    EXPECT_EQ(x.messages[i].axes, y.messages[i].axes) << i;
    EXPECT_EQ(x.messages[i].bytes, y.messages[i].bytes) << i;
  }
  ASSERT_EQ(x.step_count, y.step_count);
  for (int s = 0; s < x.step_count; ++s) EXPECT_EQ(x.steps[s].kind, y.steps[s].kind) << s;
  ASSERT_EQ(x.local.node_count, y.local.node_count);
  for (int id = 0; id < x.local.node_count; ++id) EXPECT_TRUE(x.local[id].facts == y.local[id].facts) << id;
  EXPECT_EQ(x.arena_bytes, y.arena_bytes);
}

// Layouts: those in which the arguments lie when it is called.
template <class Mesh, class In, class Out, class... Layouts, class F, class Want, class... X>
void check(F, Want const& want, X const&... x) {
  constexpr auto step = ts::jit<In, Out>(F{});
  auto const mesh = ts::make_mesh<Mesh>(ts::local_devices());
  auto const run = [&](auto const&... put) {
    using T =
        ts::trace_of<std::remove_const_t<decltype(step)>, ts::signature_of<std::remove_cvref_t<decltype(put)>>...>;
    auto const again = ts::detail::plan_traced(T::program.view());
    expect_same(ts::detail::planned<T>::value.view(), again.view());
    return step(put...).to_host();
  };
  auto const got = run(place<Layouts>(mesh, x)...);
  tensor const wanted = want(x.values...);
  ASSERT_EQ(got.size(), wanted.data.size());
  for (std::size_t i = 0; i < wanted.data.size(); ++i)
    ASSERT_NEAR(got[i], wanted.data[i], 1e-4 * (1 + std::fabs(wanted.data[i]))) << i;
}

}  // namespace planned_programs
