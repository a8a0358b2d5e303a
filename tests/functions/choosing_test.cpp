// SPDX-License-Identifier: Apache-2.0
// Choices by conditions and numbers, and functions along a dimension, against JAX.

#include "support/recorded_functions.hpp"

namespace {

using namespace recorded;

TEST(choosing, by_numbers) {
  expect_recorded<whole, int[8][6], float[8][6], float[8][6], float[6]>(
      "choose",
      [](auto i, auto a, auto b, auto c) {
        return ts::choose(i, std::tuple{a, b, c});
      },
      1e-6);
}
TEST(choosing, by_conditions) {
  expect_recorded<float[8][6]>(
      "piecewise",
      [](auto x) {
        return ts::piecewise(
            x, std::tuple{x<-1, x> 0, x > 1}, [](auto u) { return ts::exp(u); }, -1, [](auto u) { return u * u; });
      },
      1e-6);
  expect_recorded<float[8][6]>(
      "piecewise otherwise",
      [](auto x) {
        return ts::piecewise(
            x, std::tuple{x<-1, x> 1}, [](auto u) { return -u; }, [](auto u) { return u * u; },
            [](auto u) { return ts::sin(u); });
      },
      1e-6);
  expect_recorded<int[8][6]>(
      "piecewise integers",
      [](auto x) {
        return ts::piecewise(
            x, std::tuple{x > 0}, [](auto u) { return u * 0.75; }, 2.5);
      },
      0);
}
TEST(choosing, along_a_dimension) {
  expect_recorded<float[8][6]>(
      "apply_along_axis",
      [](auto x) { return ts::apply_along_axis<1>([](auto row) { return row - ts::mean(row); }, x); }, 1e-6);
  expect_recorded<float[8][3][4]>(
      "apply_along_axis 1 of 3",
      [](auto x) {
        return ts::apply_along_axis<1>([](auto row) { return ts::outer(row, ts::slice_in_dim<0, 0, 2>(row)); }, x);
      },
      1e-6);
  expect_recorded<float[8][6]>(
      "apply_along_axis to numbers",
      [](auto x) { return ts::apply_along_axis<-1>([](auto row) { return ts::sum(row); }, x); }, 1e-6);
  expect_recorded<float[8][6], int[8][2], float[8][2]>(
      "put_along_axis", [](auto x, auto i, auto v) { return ts::put_along_axis<1>(x, i, v); }, 0);
  expect_recorded<float[8][6], int[8][2]>(
      "put_along_axis number", [](auto x, auto i) { return ts::put_along_axis<1>(x, i, 5.0); }, 0);
}
TEST(choosing, sends_nothing_where_rows_are_split) {
  using rows = ts::array_type<float, ts::shape<8, 6>, P<dp>, grid>;
  using places = ts::array_type<int, ts::shape<8, 2>, P<dp>, grid>;
  constexpr auto put = [](auto x, auto i) { return ts::put_along_axis<1>(x, i, 5.0); };
  constexpr auto centered = [](auto x) {
    return ts::apply_along_axis<1>([](auto row) { return row - ts::mean(row); }, x);
  };
  static_assert(ts::comm_of<decltype(put), rows, places>.count() == 0);
  static_assert(ts::comm_of<decltype(centered), rows>.count() == 0);
}

}  // namespace
