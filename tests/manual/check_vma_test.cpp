// SPDX-License-Identifier: Apache-2.0
// shard_map with check_vma<false>: types say nothing of varying axes, results are believed, gradients are JAX's.

#include <tessera/tessera.hpp>

#include "support/oracle/oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using floats = std::vector<float>;
using oracle::tensor;

tensor const whole = oracle::scattered({8, 4}, -1, 1, 5);

template <class S>
auto put(tensor const& t = whole) {
  return ts::device_put<S>(ts::host<8, 4>(floats(t.data.begin(), t.data.end())), ts::make_mesh<grid>(ts::devices()));
}
// 8 x 4 by dp, mp, and seen as [dp, 2, mp, 2].
tensor summed_over_dp(tensor const& t) { return oracle::sum(oracle::reshape(t, {4, 2, 4}), {0}); }
void near(floats const& got, tensor const& want) {
  ASSERT_EQ(got.size(), want.data.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], want.data[i], 1e-5 * (1 + std::fabs(want.data[i]))) << i;
}

using ts::check_vma;
constexpr auto gathered =
    ts::shard_map<ts::in_specs<ts::P<dp, mp>>, ts::out_specs<ts::P<ts::none, mp>>, check_vma<false>>([](auto x) {
      static_assert(ts::type_text<decltype(x)> == "float32[2,2]");
      auto const all = ts::all_gather<dp>(x, ts::dim<0>, ts::tiled);
      static_assert(ts::type_text<decltype(all)> == "float32[8,2]");
      return all;
    });
constexpr auto summed_twice = ts::shard_map<ts::out_specs<ts::P<ts::none, mp>>, check_vma<false>>([](auto x) {
  auto const once = ts::psum<dp>(x);
  static_assert(ts::type_text<decltype(once)> == "float32[2,2]");
  return ts::psum<dp>(once);
});
// A value that is the same everywhere meets one that is not, without a word in the types.
constexpr auto scaled =
    ts::shard_map<ts::in_specs<ts::P<dp, mp>, ts::P<>>, ts::out_specs<ts::P<dp, mp>>, check_vma<false>>(
        [](auto x, auto w) {
          static_assert(ts::type_text<decltype(w)> == "float32[8,4]");
          return x * ts::sum(w);
        });
// The sum of squares of what a function gives.
template <class F>
struct loss_of {
  constexpr auto operator()(auto... x) const { return ts::sum(ts::square(F{}(x...))); }
};
template <class F>
constexpr auto loss(F const&) {
  return loss_of<F>{};
}

TEST(check_vma, what_a_spec_leaves_out_is_believed) {
  auto const x = put<ts::P<dp, mp>>();
  auto const y = gathered(x);
  static_assert(ts::type_text<decltype(y)> == "float32[8,4@mp]");
  EXPECT_EQ(y.to_host(), x.to_host());
  auto const four = summed_twice(x);
  static_assert(ts::type_text<decltype(four)> == "float32[2,4@mp]");
  near(four.to_host(), oracle::multiply(summed_over_dp(whole), 4.0));
}
TEST(check_vma, of_results_that_differ_the_first_device_s_is_taken) {
  auto const x = put<ts::P<dp, mp>>();
  auto const first = ts::shard_map<ts::out_specs<ts::P<ts::none, mp>>, check_vma<false>>([](auto v) { return v; })(x);
  near(first.to_host(), oracle::slice(whole, {0, 0}, {2, 4}, {1, 1}));
  auto const next = ts::shard_map<ts::out_specs<ts::P<ts::none, mp>>, check_vma<false>>(
      [](auto v) { return ts::ppermute<dp>(v, ts::rotate<-1>) + 1; })(x);
  near(next.to_host(), oracle::add(oracle::slice(whole, {2, 0}, {4, 4}, {1, 1}), 1.0));
  auto const where = ts::shard_map<ts::out_specs<ts::P<mp>>, check_vma<false>>(
      [](auto v) { return ts::full<ts::int32, 1>(3) + ts::axis_index<dp, mp>(v); })(x);
  static_assert(ts::type_text<decltype(where)> == "int32[2@mp]");
  EXPECT_EQ(where.to_host(), (std::vector<int>{3, 4}));
  auto const used = ts::jit([](auto v) {  // and the program goes on with it
    return v * 2 + ts::sum<0>(ts::shard_map<ts::out_specs<ts::P<>>, check_vma<false>>([](auto b) { return b; })(v));
  })(put<ts::P<dp>>());
  near(used.to_host(),
       oracle::add(oracle::multiply(whole, 2.0), oracle::sum(oracle::slice(whole, {0, 0}, {2, 4}, {1, 1}), {0})));
}
TEST(check_vma, gradients_from_outside_are_those_of_the_whole) {
  auto const x = put<ts::P<dp, mp>>();
  near(ts::grad(loss(gathered))(x).to_host(), oracle::multiply(whole, 2.0));
  auto const sums = oracle::reshape(summed_over_dp(whole), {1, 2, 4});
  near(ts::grad(loss(summed_twice))(x).to_host(),
       oracle::reshape(oracle::broadcast_to(oracle::multiply(sums, 32.0), {4, 2, 4}), {8, 4}));
  auto const w = put<ts::P<>>(oracle::scattered({8, 4}, -1, 1, 6));
  auto const by_w = ts::grad<1>(loss(scaled))(x, w);
  static_assert(ts::type_text<decltype(by_w)> == "float32[8,4]");
  auto const total = oracle::sum(oracle::scattered({8, 4}, -1, 1, 6), {0, 1}).item();
  auto const squares = oracle::sum(oracle::multiply(whole, whole), {0, 1}).item();
  near(by_w.to_host(), oracle::full({8, 4}, 2 * total * squares));
}
// Each device differentiates what it computes; nothing is summed unless the program says so.
TEST(check_vma, gradients_inside_are_each_device_s_own) {
  auto const x = put<ts::P<dp>>();
  auto const w = put<ts::P<>>();
  auto const by_device = ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<>>, ts::out_specs<ts::P<dp>>, check_vma<false>>(
      [](auto v, auto p) { return ts::grad([v](auto q) { return ts::sum(v * ts::sum<0>(q)); })(p); })(x, w);
  static_assert(ts::type_text<decltype(by_device)> == "float32[32@dp,4]");
  auto const rows = oracle::sum(oracle::reshape(whole, {4, 2, 4}), {1});
  near(by_device.to_host(),
       oracle::reshape(oracle::broadcast_to(oracle::reshape(rows, {4, 1, 4}), {4, 8, 4}), {32, 4}));
  // As in JAX: a sum over devices counts once for each of them on the way back.
  auto const of_sum = ts::shard_map<ts::out_specs<ts::P<dp>>, check_vma<false>>(
      [](auto v) { return ts::grad([](auto q) { return ts::sum(ts::psum<dp>(q)); })(v); })(x);
  near(of_sum.to_host(), oracle::full({8, 4}, 4));
}
// Over one of two axes, and inside a region that is checked.
TEST(check_vma, holds_for_the_axes_of_its_region) {
  auto const x = put<ts::P<dp, mp>>();
  auto const y = ts::shard_map<ts::out_specs<ts::P<dp>>, ts::axis_names<dp>>([](auto v) {
    static_assert(ts::type_text<decltype(v)> == "float32[2,4@mp]{V:dp}");
    return ts::shard_map<ts::in_specs<ts::P<ts::none, mp>>, ts::out_specs<ts::P<>>, ts::axis_names<mp>,
                         check_vma<false>>([](auto b) {
      static_assert(ts::type_text<decltype(b)> == "float32[2,2]{V:dp}");
      return ts::all_gather<mp>(b, ts::dim<1>, ts::tiled);
    })(v);
  })(x);
  static_assert(ts::type_text<decltype(y)> == "float32[8@dp,4]");
  EXPECT_EQ(y.to_host(), x.to_host());
}

}  // namespace
