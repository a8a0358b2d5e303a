// SPDX-License-Identifier: Apache-2.0
// Reshards between all pairs of some layouts: values stay where they belong, and moves that follow each other are one step.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;
using ts::none;
struct pp : ts::axis {};
using cube = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 2>, ts::explicit_axis<pp, 2>>;

template <class S>
struct to {
  constexpr auto operator()(auto x) const { return ts::reshard<S>(x); }
};
template <class M, class From, class To>
void moved() {
  auto const values = counted(8 * 16 * 8);
  auto const x = ts::device_put<From>(ts::host<8, 16, 8>(values), ts::make_mesh<M>(ts::devices()));
  auto const y = run<to<To>>(x);
  expect(y, values);
  auto const before = ts::launches_so_far();
  (void)run<to<To>>(x);
  EXPECT_LE((ts::launches_so_far().steps() - before.steps()), ts::runs_on_host ? 1 : 4);  // of 16 copies each
}
template <class M, class... S>
void between_all() {
  auto const from = [&]<class A>(std::type_identity<A>) { (moved<M, A, S>(), ...); };
  (from(std::type_identity<S>{}), ...);
}

TEST(moves, on_two_axes) {
  between_all<grid, ts::P<>, ts::P<dp, mp>, ts::P<mp, dp>, ts::P<none, ts::axes<mp, dp>>, ts::P<ts::axes<dp, mp>>,
              ts::P<dp, none, mp>>();
}
TEST(moves, on_three_axes) {
  between_all<cube, ts::P<dp, mp, pp>, ts::P<pp, dp, mp>, ts::P<none, ts::axes<mp, dp>, pp>,
              ts::P<ts::axes<pp, mp, dp>>>();
}

}  // namespace
