// SPDX-License-Identifier: Apache-2.0
// pmap: each device's slice, collectives by the axis' name, trees, unmapped arguments and results, gradients.

#include "support/on_grid.hpp"

#include <tuple>
#include <vector>

namespace {

using namespace on_grid;
struct batch : ts::axis {};

template <std::int64_t... E>
auto host_array(std::vector<double> const& values) {
  return ts::device_put(ts::host<E...>(values));
}

TEST(pmap, slices) {
  auto const x = host_array<8, 2, 3>(counted(48));
  auto const doubled = ts::pmap([](auto slice) {
    static_assert(ts::type_text<decltype(slice)> == "float64[2,3]{V:pmap_axis}");
    return slice * 2.0;
  })(x);
  static_assert(ts::type_text<decltype(doubled)> == "float64[8@pmap_axis,2,3]");
  expect(doubled, counted(48, 2));
}

TEST(pmap, collectives_by_name) {
  auto const x = host_array<4, 2>(counted(8));
  auto const centered = ts::pmap<ts::axis_names<batch>>([](auto row) { return row - ts::pmean<batch>(row); })(x);
  expect(centered, {-3, -3, -1, -1, 1, 1, 3, 3});
  auto const total =
      ts::pmap<ts::axis_names<batch>, ts::out_axes<ts::unmapped>>([](auto row) { return ts::psum<batch>(row); })(x);
  static_assert(ts::type_text<decltype(total)> == "float64[2]");
  expect(total, {12, 16});
  auto const turned = ts::pmap<ts::axis_names<batch>>(
      [](auto row) { return ts::ppermute<batch>(row, ts::rotate<1>) + ts::axis_index<batch>() * 100; })(x);
  expect(turned, {6, 7, 100, 101, 202, 203, 304, 305});
}

TEST(pmap, trees_and_other_dimensions) {
  auto const x = host_array<3, 2>(counted(6));
  auto const w = host_array<3>({10, 20, 30});
  auto const [sums, columns] = ts::pmap<ts::in_axes<1, ts::unmapped>, ts::out_axes<0, 1>>([](auto column, auto w) {
    return std::tuple{ts::sum(column * w), std::tuple{column, column + w}};
  })(x, w);
  expect(sums, {0 + 40 + 120, 10 + 60 + 150});
  expect(std::get<0>(columns), counted(6));
  expect(std::get<1>(columns), {10, 11, 22, 23, 34, 35});
}

constexpr auto loss = [](auto w, auto x) { return ts::mean(ts::square(ts::matmul(x, w))); };

// Data parallelism as it was written with pmap: each device's gradient, averaged.
TEST(pmap, averaged_gradients) {
  auto const x = host_array<8, 2, 3>(wave(48, 0.7));
  auto const w = host_array<3>({0.5, -1, 2});
  auto const by_devices = ts::pmap<ts::axis_names<batch>, ts::in_axes<ts::unmapped, 0>, ts::out_axes<ts::unmapped>>(
      [](auto w, auto x) { return ts::pmean<batch>(ts::grad(loss)(ts::pvary<batch>(w), x)); })(w, x);
  auto const whole = ts::grad(loss)(w, ts::jit([](auto x) { return ts::reshape<16, 3>(x); })(x));
  auto const want = whole.to_host();
  expect(by_devices, {want.begin(), want.end()});
}

TEST(pmap, inside_jit) {
  using line = ts::mesh<ts::explicit_axis<batch, 8>>;
  auto const x = ts::device_put<ts::P<batch>>(ts::host<8, 2>(counted(16)), ts::make_mesh<line>(ts::devices()));
  auto const y = ts::jit([](auto x) {
    return ts::pmap<ts::axis_names<batch>>([](auto row) { return row + ts::psum<batch>(ts::sum(row)); })(x) * 2.0;
  })(x);
  std::vector<double> want = counted(16, 2);
  for (double& v : want) v += 240;
  expect(y, want);
}

}  // namespace
