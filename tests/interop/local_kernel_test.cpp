// SPDX-License-Identifier: Apache-2.0
// Kernels of a user's, Kokkos inside, as steps of programs: in shard_map, beside communication, in loops, vmap and grad.

#include <tessera/kokkos.hpp>

#include "support/on_device.hpp"
#include "support/on_grid.hpp"
#include "support/throws.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

using namespace on_device;
using namespace on_grid;

struct doubled {
  static constexpr std::string_view name = "doubled";
  template <class Space, class X, class Y>
  void operator()(Space const& space, X x, Y y) const {
    using policy = Kokkos::RangePolicy<Space>;
    static_assert(X::rank() == 1 && std::is_const_v<typename X::value_type>);
    static_assert(std::is_same_v<typename X::array_layout, Kokkos::LayoutRight>);
    static_assert(std::is_same_v<typename Y::memory_space, ts::execution_memory>);
    Kokkos::parallel_for(
        "doubled", policy(space, 0, static_cast<int>(x.extent(0))), KOKKOS_LAMBDA(int i) { y(i) = 2 * x(i); });
  }
};
// Serial works where arrays are in host memory; elsewhere it is refused.
struct doubled_where_asked : doubled {
  using execution_space = std::conditional_t<ts::runs_on_host, Kokkos::Serial, ts::execution_space>;
};

TEST(LocalKernel, OnWholeArraysEagerlyAndInAProgram) {
  std::vector<float> const v{1, 2, 3, 4, 5};
  auto const x = ts::device_put(ts::host<5>(v));
  std::vector<float> const want{2, 4, 6, 8, 10};
  EXPECT_EQ(ts::local_kernel<doubled>(x).to_host(), want);
  auto const y = ts::jit([](auto a) { return ts::local_kernel<doubled>(a + 1) - 2; })(x);
  static_assert(ts::type_text<decltype(y)> == "float32[5]");
  EXPECT_EQ(y.to_host(), want);
  EXPECT_EQ(ts::jit([](auto a) { return ts::local_kernel<doubled_where_asked>(a); })(x).to_host(), want);
  auto open = ts::device_put(ts::host(v, {5}));  // float32[?], also where its memory could be the result's
  EXPECT_EQ(ts::jit([](auto a) { return ts::local_kernel<doubled>(a); })(std::move(open)).to_host(), want);
}

// Five points of each inner element; the halo has one row above and one below.
struct five_points {
  template <class Space, class X, class Above, class Below, class Y>
  void operator()(Space const& space, X x, Above above, Below below, Y y) const {
    using policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;
    auto const rows = static_cast<int>(x.extent(0)), columns = static_cast<int>(x.extent(1));
    Kokkos::parallel_for(
        "five points", policy(space, {0, 0}, {rows, columns}), KOKKOS_LAMBDA(int i, int j) {
          auto const up = i > 0 ? x(i - 1, j) : above(0, j), down = i + 1 < rows ? x(i + 1, j) : below(0, j);
          auto const left = j > 0 ? x(i, j - 1) : 0, right = j + 1 < columns ? x(i, j + 1) : 0;
          y(i, j) = (up + down + left + right + x(i, j)) / 5;
        });
  }
};
struct smoothed {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::in_specs<ts::P<dp, ts::none>>, ts::out_specs<ts::P<dp, ts::none>>>([](auto u) {
      auto const above =
          ts::ppermute<dp>(ts::slice_in_dim<0, 3, 4>(u), ts::perm<ts::send<0, 1>, ts::send<1, 2>, ts::send<2, 3>>);
      auto const below =
          ts::ppermute<dp>(ts::slice_in_dim<0, 0, 1>(u), ts::perm<ts::send<1, 0>, ts::send<2, 1>, ts::send<3, 2>>);
      return ts::local_kernel<five_points>(u, above, below);
    })(x);
  }
};
std::vector<double> smooth_by_hand(std::vector<double> const& x, int rows, int columns) {
  std::vector<double> y(x.size());
  auto const at = [&](int i, int j) { return i < 0 || j < 0 || i >= rows || j >= columns ? 0.0 : x[i * columns + j]; };
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      y[i * columns + j] = (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1) + at(i, j)) / 5;
  return y;
}

TEST(LocalKernel, AStencilBetweenHaloAndSum) {
  auto const v = wave(16 * 6, 1);
  auto const x = put<ts::P<dp, ts::none>, 16, 6>(v);
  auto const y = ts::jit<smoothed>(x);
  static_assert(ts::type_text<decltype(y)> == "float64[16@dp,6]");
  expect(y, smooth_by_hand(v, 16, 6));
  // Again and again, each time after the halo of the last one.
  auto const many = ts::jit([](auto u) {
    for (int i = 0; i < 4; ++i) u = smoothed{}(u * 1.5);
    return std::tuple{u, ts::sum(u)};
  })(x);
  auto want = v;
  for (int i = 0; i < 4; ++i) {
    for (double& w : want) w *= 1.5;
    want = smooth_by_hand(want, 16, 6);
  }
  expect(std::get<0>(many), want);
  auto const looped = ts::jit([](auto u) {
    return ts::fori_loop(
        0, 4, [](auto, auto w) { return smoothed{}(w * 1.5); }, u);
  })(x);
  expect(looped, want);
}

// Several results of other shapes and element types than the operand's.
struct column_ends {
  static constexpr std::string_view name = "column_ends";
  template <class Space, class X, class Y, class Count>
  void operator()(Space const& space, X x, Y low, Y high, Count count) const {
    each(
        space, x.extent(1), KOKKOS_LAMBDA(int j) {
          low(j) = high(j) = x(0, j);
          for (std::size_t i = 1; i < x.extent(0); ++i) {
            low(j) = x(i, j) < low(j) ? x(i, j) : low(j);
            high(j) = x(i, j) > high(j) ? x(i, j) : high(j);
          }
          if (j == 0) count() = static_cast<std::int8_t>(x.extent(0) * x.extent(1));
        });
  }
};
TEST(LocalKernel, ResultsOfTheirOwnTypes) {
  auto const v = wave(8 * 4, 2);
  auto const x = put<ts::P<ts::none, mp>, 8, 4>(v);
  auto const [low, high, count] = ts::jit([](auto a) {
    using out = ts::out_specs<ts::P<mp>, ts::P<mp>, ts::P<mp>>;
    return ts::shard_map<ts::in_specs<ts::P<ts::none, mp>>, out>([](auto u) {
      auto const [l, h, n] = ts::local_kernel<column_ends, ts::block_type<double, 2>, ts::block_type<double, 2>,
                                              ts::block_type<std::int8_t>>(u);
      return std::tuple{l, h, ts::reshape<1>(n)};
    })(a);
  })(x);
  static_assert(ts::type_text<decltype(count)> == "int8[2@mp]");
  auto const l = low.to_host(), h = high.to_host();
  for (std::size_t j = 0; j < 4; ++j) {
    double least = v[j], most = v[j];
    for (std::size_t i = 1; i < 8; ++i) {
      least = std::min(least, v[i * 4 + j]);
      most = std::max(most, v[i * 4 + j]);
    }
    EXPECT_EQ(l[j], least);
    EXPECT_EQ(h[j], most);
  }
  EXPECT_EQ(count.to_host()[1], 16);
}

// Operands that lie otherwise are brought into rows; numbers of C++ are Views without dimensions.
struct plus_row {
  template <class Space, class X, class Row, class Scale, class Y>
  void operator()(Space const& space, X x, Row row, Scale scale, Y y) const {
    each(
        space, x.extent(0), KOKKOS_LAMBDA(int i) {
          for (std::size_t j = 0; j < x.extent(1); ++j) y(i, j) = x(i, j) + scale() * row(j);
        });
  }
};
TEST(LocalKernel, OperandsThatLieOtherwise) {
  auto const v = wave(6 * 4, 1), w = wave(6, 3);
  auto const x = ts::device_put(ts::host<6, 4>(v));
  auto const row = ts::device_put(ts::host<6>(w));
  auto const y = ts::jit(
      [](auto a, auto r, auto by) { return ts::local_kernel<plus_row>(ts::transpose(a), r, by * 2.0); })(x, row, 0.5);
  auto const got = y.to_host();
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 6; ++j) EXPECT_DOUBLE_EQ(got[i * 6 + j], v[j * 4 + i] + w[j]);
  // Of an array whose columns are data of the host.
  auto const z = ts::jit([](auto a) { return ts::local_kernel<doubled>(ts::reshape<ts::infer>(ts::transpose(a))); })(x);
  EXPECT_DOUBLE_EQ(z.to_host()[1], 2 * v[4]);
}

#ifndef TESSERA_BY_DAY
struct whole_numbers {
  template <class Space, class X, class Y>
  void operator()(Space const& space, X x, Y y) const {
    each(
        space, x.extent(0), KOKKOS_LAMBDA(int i) { y(i) = x(i); });
  }
};
template <class T>
void same_elements(std::vector<T> const& v) {
  auto const x = ts::device_put(ts::host<3>(v));
  auto const y = ts::jit([](auto a) { return ts::local_kernel<whole_numbers>(a); })(x);
  static_assert(std::is_same_v<decltype(x), decltype(y)>);
  auto const got = y.to_host();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(got[i] == v[i]);
}
TEST(LocalKernel, EveryElementType) {
  same_elements<std::int8_t>({-1, 2, 3});
  same_elements<std::uint16_t>({1, 65535, 3});
  same_elements<std::uint32_t>({1, 4294967295u, 3});
  same_elements<std::int64_t>({1, -(std::int64_t{1} << 60), 3});
  same_elements<ts::bfloat16>({ts::bfloat16(1.5f), ts::bfloat16(-2.0f), ts::bfloat16(0.0f)});
  same_elements<ts::complex128>({{1, 2}, {3, -4}, {0, 1}});
}

TEST(LocalKernel, InVmapOnceForEachElement) {
  auto const v = wave(3 * 5, 1);
  auto const x = ts::device_put(ts::host<3, 5>(v));
  auto const y = ts::jit(ts::vmap([](auto row) { return ts::local_kernel<doubled>(row); }))(x);
  expect(y, [&] {
    auto w = v;
    for (double& e : w) e *= 2;
    return w;
  }());
}

// x^3, with a gradient that it says itself.
struct cubed_vjp {
  template <class Space, class X, class G, class GX>
  void operator()(Space const& space, X x, G g, GX gx) const {
    each(
        space, x.extent(0), KOKKOS_LAMBDA(int i) { gx(i) = 3 * x(i) * x(i) * g(i); });
  }
};
struct cubed {
  using vjp = cubed_vjp;
  template <class Space, class X, class Y>
  void operator()(Space const& space, X x, Y y) const {
    each(
        space, x.extent(0), KOKKOS_LAMBDA(int i) { y(i) = x(i) * x(i) * x(i); });
  }
};
struct product_vjp {
  template <class Space, class X, class Y, class G, class GX, class GY>
  void operator()(Space const& space, X x, Y y, G g, GX gx, GY gy) const {
    each(
        space, x.extent(0), KOKKOS_LAMBDA(int i) {
          gx(i) = g(i) * y(i);
          gy(i) = g(i) * x(i);
        });
  }
};
struct product {
  using vjp = product_vjp;
  template <class Space, class X, class Y, class Z>
  void operator()(Space const& space, X x, Y y, Z z) const {
    each(
        space, x.extent(0), KOKKOS_LAMBDA(int i) { z(i) = x(i) * y(i); });
  }
};
TEST(LocalKernel, GradientsAreKernelsOfTheUsers) {
  auto const v = wave(8, 1);
  auto const x = put<ts::P<dp>, 8>(v);
  auto const slope = ts::jit([](auto a) {
    return ts::grad([](auto b) {
      auto const inner = ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(
          [](auto u) { return ts::local_kernel<cubed>(u * 2.0); });
      return ts::sum(inner(b));
    })(a);
  })(x);
  auto want = v;
  for (double& w : want) w = 24 * w * w;
  expect(slope, want);
  auto const whole = ts::device_put(ts::host<8>(v));
  auto const both = ts::jit([](auto a) {
    return ts::grad([](auto b) { return ts::sum(ts::local_kernel<product>(b, ts::sin(b))); })(a);
  })(whole);
  for (std::size_t i = 0; i < 8; ++i) want[i] = std::sin(v[i]) + v[i] * std::cos(v[i]);
  expect(both, want);
}

// What a kernel throws comes out of the call.
struct throwing {
  void operator()(auto const&, auto, auto) const { throw std::runtime_error("no more"); }
};
TEST(LocalKernel, WhatItThrowsComesOut) {
  auto const x = put<ts::P<dp>, 8>(1.0);
  auto const run = ts::jit([](auto a) {
    return ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(
        [](auto u) { return ts::local_kernel<throwing>(u); })(a);
  });
  EXPECT_THROW_TEXT(run(x), "no more");
}

// All on the thread that runs the program, however many blocks there are and however large they are.
struct thread_noted {
  void operator()(auto const& space, auto, auto y) const {
    Kokkos::deep_copy(space, y, std::hash<std::thread::id>()(std::this_thread::get_id()));
  }
};
TEST(LocalKernel, RunsOnTheProgramsThread) {
  auto const x = put<ts::P<dp>, 1 << 16>(1.0);
  auto const ids = ts::jit([](auto a) {
    return ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(
        [](auto u) { return ts::local_kernel<thread_noted, ts::block_type<std::uint64_t, ts::dynamic>>(u); })(a);
  })(x);
  auto const own = std::hash<std::thread::id>()(std::this_thread::get_id());
  for (auto id : ids.to_host()) ASSERT_EQ(id, own);
}
#endif

}  // namespace
