// SPDX-License-Identifier: Apache-2.0
// Systems with several right-hand sides, split over devices: each device solves for its own, and nothing is sent.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;
using ts::P;

constexpr auto definite = [](auto a) { return ts::matmul(a, ts::transpose(a)) + ts::eye<4, 4, 0, double>() * 4.0; };
constexpr auto solved = [](auto a, auto b) { return ts::solve(definite(a), b); };
constexpr auto left = [](auto a, auto b) {
  return ts::triangular_solve(definite(a), b, ts::left_side, ts::lower_triangle, ts::transpose_a);
};
constexpr auto right = [](auto a, auto b) { return ts::triangular_solve(definite(a), b, ts::unit_diagonal); };
template <class F>
constexpr auto slopes =
    [](auto a, auto b) { return ts::grad<0, 1>([](auto a, auto b) { return ts::sum(ts::sin(F{}(a, b))); })(a, b); };

template <class F, class B, class Whole>
void same(F const&, B const& b, Whole const& whole) {
  auto const a = put<P<>, 4, 4>(0.6);
  auto const got = ts::jit<F>(a, b);
  static_assert(std::is_same_v<typename decltype(got)::type, typename B::type>);
  static_assert(ts::comm_of<F, decltype(a), B>.count() == 0);
  auto const want = ts::jit<F>(a, whole).to_host();
  expect(got, {want.begin(), want.end()}, 1e-12);
  using slope = decltype(slopes<F>);
  auto const [ga, gb] = ts::jit<slope>(a, b);
  auto const [wa, wb] = ts::jit<slope>(a, whole);
  near(ga, wa, 1e-11);
  auto const wide = wb.to_host();
  expect(gb, {wide.begin(), wide.end()}, 1e-11);
  static_assert(ts::comm_of<slope, decltype(a), B>.count() <= 1);  // the sum of a's gradient
}

TEST(split_vectors, each_device_solves_for_its_own) {
  auto const values = wave(4 * 8, 1.1);
  same(solved, put<P<ts::none, dp>, 4, 8>(values), put<P<>, 4, 8>(values));
  same(left, put<P<ts::none, ts::axes<dp, mp>>, 4, 8>(values), put<P<>, 4, 8>(values));
  same(right, put<P<mp>, 8, 4>(values), put<P<>, 8, 4>(values));
}

TEST(split_vectors, of_batches_and_over_auto_axes) {
  auto const a = put<P<dp>, 4, 4, 4>(0.6);
  auto const values = wave(4 * 4 * 6, 1.1);
  constexpr auto batches = [](auto a, auto b) { return ts::solve(a + ts::eye<4, 4, 0, double>() * 4.0, b); };
  auto const b = put<P<dp, ts::none, mp>, 4, 4, 6>(values);
  auto const got = ts::jit(batches)(a, b);
  static_assert(ts::type_text<decltype(got)> == "float64[4@dp,4,6@mp]");
  auto const want = ts::jit(batches)(put<P<>, 4, 4, 4>(0.6), put<P<>, 4, 4, 6>(values)).to_host();
  expect(got, {want.begin(), want.end()}, 1e-12);

  using automatic = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
  auto const mesh = ts::make_mesh<automatic>(ts::devices());
  auto const over_auto = ts::jit(batches)(ts::device_put<P<dp>>(ts::host<4, 4, 4>(wave(64, 0.6)), mesh),
                                          ts::device_put<P<dp, ts::none, mp>>(ts::host<4, 4, 6>(values), mesh));
  expect(over_auto, {want.begin(), want.end()}, 1e-12);
  EXPECT_EQ(over_auto.sharding().spec().value, (ts::spec_value_of<automatic, P<dp, ts::none, mp>>));
}

}  // namespace
