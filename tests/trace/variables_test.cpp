// SPDX-License-Identifier: Apache-2.0
// Variables, containers and calls as C++ programs have them: x += y, x = f(x), std::array of layers, jit inside jit; what
// is called on constants or on data in host memory alone.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;

struct compound {
  constexpr auto operator()(auto x, auto y) const {
    x += y;
    x *= 2;
    x -= 1.0;
    auto z = x;
    z /= y + 3;
    x = z;  // of one type
    return x;
  }
};
std::vector<double> compounded(std::vector<double> const& x, std::vector<double> const& y) {
  std::vector<double> z;
  for (std::size_t i = 0; i < x.size(); ++i) z.push_back(((x[i] + y[i]) * 2 - 1) / (y[i] + 3));
  return z;
}

TEST(Variables, CompoundAssignmentInTracedCodeAndOutside) {
  auto const a = wave(32, 0.5), b = wave(32, 1.5);
  auto const x = put<ts::P<dp>, 8, 4>(a), y = put<ts::P<dp>, 8, 4>(b);
  expect(ts::jit<compound>(x, y), compounded(a, b));
  auto const eager = compound{}(x, y);
  static_assert(std::is_same_v<decltype(eager), decltype(x)>);
  expect(eager, compounded(a, b));
}

template <class L>
struct model {
  L layers;
  static constexpr ts::names<1> names{"layers"};
};
struct twice_each {
  constexpr auto operator()(auto p, auto x) const {
    for (auto& w : p.layers) w = w * 2;
    for (auto const& w : p.layers) x = x + w;
    return std::tuple{p, x};
  }
};

TEST(Variables, ArraysOfArraysStayThat) {
  auto const w = wave(32, 0.5);
  model p{std::array{put<ts::P<dp>, 8, 4>(w), put<ts::P<dp>, 8, 4>(w), put<ts::P<dp>, 8, 4>(w)}};
  auto x = put<ts::P<dp>, 8, 4>(w);
  std::tie(p, x) = ts::jit<twice_each>(p, x);
  std::vector<double> two, seven;
  for (double v : w) {
    two.push_back(2 * v);
    seven.push_back(7 * v);
  }
  for (auto const& layer : p.layers) expect(layer, two);
  expect(x, seven);
  auto const gradients = ts::grad([](auto q) { return ts::sum(q[0] * q[1]); })(p.layers);
  static_assert(std::is_same_v<decltype(gradients), decltype(p.layers) const>);
  expect(gradients[1], two);
  // Leaves of different types make a tuple.
  auto const mixed = ts::jit([](auto q) { return ts::tree_map([](auto const& l) { return l; }, q); })(
      std::array{p.layers[0], p.layers[1]});
  static_assert(std::tuple_size_v<decltype(mixed)> == 2);
}

struct inner {
  constexpr auto operator()(auto x) const { return x * x + 1; }
};
struct outer {
  constexpr auto operator()(auto x) const { return ts::jit<inner>(x) + ts::jit(inner{})(x) * 2; }
};

TEST(Variables, JitInsideJitIsACall) {
  auto const a = wave(32, 0.5);
  auto const x = put<ts::P<dp>, 8, 4>(a);
  std::vector<double> want;
  for (double v : a) want.push_back(3 * (v * v + 1));
  expect(ts::jit<outer>(x), want);
  expect(outer{}(x), want);  // outside each is a program
  std::vector<double> slope;
  for (double v : a) slope.push_back(6 * v);
  expect(ts::grad([](auto z) { return ts::sum(ts::jit<outer>(z)); })(x), slope);
}

TEST(Variables, FunctionsOfConstantsAlone) {
  auto const rows = ts::arange<double, 6>();
  auto const squares = ts::asarray(ts::grad([](auto z) { return ts::sum(z * z); })(rows));
  expect(squares, {0, 2, 4, 6, 8, 10});
  expect(ts::asarray(ts::vmap([](auto z) { return ts::sum(z); })(ts::ones<double, 3, 4>())), {4, 4, 4});
  EXPECT_EQ(ts::asarray(ts::grad([](auto z) { return z * z * z; })(2.0f)).item(), 12);
  expect(ts::jit([](auto z) { return z + ts::vmap([](auto row) { return ts::sum(row); })(ts::ones<double, 6, 4>()); })(
             ts::asarray(rows)),
         {4, 5, 6, 7, 8, 9});
}

TEST(Variables, HostDataAsOperands) {
  std::vector<double> const v{1, 2, 3, 4};
  auto const x = put<ts::P<dp>, 4>(v);
  expect(ts::sin(ts::host<4>(v)), {std::sin(1.), std::sin(2.), std::sin(3.), std::sin(4.)});
  auto const sum = x + ts::host<4>(v);
  static_assert(std::is_same_v<decltype(sum), decltype(x)>);  // laid out as x is
  expect(sum, {2, 4, 6, 8});
  expect(ts::host<4>(v) * x, {1, 4, 9, 16});
  expect(ts::host(v, {2, 2}) + 1.0, {2, 3, 4, 5});
  expect(ts::jit([](auto a, auto b) { return a * b; })(ts::host<4>(v), x), {1, 4, 9, 16});
  expect(ts::grad([](auto a) { return ts::sum(a * a); })(ts::host<4>(v)), {2, 4, 6, 8});
  auto const placed = ts::device_put<ts::P<dp>>(v, x.mesh());
  EXPECT_EQ(placed.shape()[0], 4);
  expect(placed, v);
}

// Fields that share a template parameter.
template <class G>
struct norm {
  G gain, offset;
  static constexpr ts::names<2> names{"gain", "offset"};
};
template <class N, class W>
struct normed_layer {
  N first, last;
  W w;
  static constexpr ts::names<3> names{"first", "last", "w"};
};
struct descend {
  constexpr auto operator()(auto p, auto x) const {
    auto const loss = [](auto p, auto x) {
      return ts::sum(ts::matmul(x * p.first.gain + p.first.offset, p.w) * p.last.gain + p.last.offset);
    };
    return ts::tree_map([](auto old, auto g) { return old - 0.5 * g; }, p, ts::grad(loss)(p, x));
  }
};
TEST(Variables, FieldsThatShareATemplateParameter) {
  auto const x = wave(32, 0.5), w = wave(16, 1.5), g = wave(4, 2.5);
  auto const gain = put<ts::P<ts::none>, 4>(g);
  norm<std::remove_const_t<decltype(gain)>> const one{gain, gain};
  auto const matrix = put<ts::P<ts::none, ts::none>, 4, 4>(w);
  normed_layer<norm<std::remove_const_t<decltype(gain)>>, std::remove_const_t<decltype(matrix)>> const before{one, one,
                                                                                                              matrix};
  auto const after = ts::jit<descend>(before, put<ts::P<dp, ts::none>, 8, 4>(x));
  static_assert(std::is_same_v<decltype(after), decltype(before)>);
  std::vector<double> offset, first;
  for (std::size_t j = 0; j < 4; ++j) {
    double slope = 0;  // of the first offset, in each of the 8 rows
    for (std::size_t k = 0; k < 4; ++k) slope += w[4 * j + k] * g[k];
    first.push_back(g[j] - 0.5 * 8 * slope);
    offset.push_back(g[j] - 0.5 * 8);
  }
  expect(after.last.offset, offset);
  expect(after.first.offset, first);
}

}  // namespace
