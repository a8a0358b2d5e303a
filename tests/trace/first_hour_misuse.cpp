// SPDX-License-Identifier: Apache-2.0
// Mistakes of somebody's first program: one error for each, with the sentence that mends it.

#include <tessera/tessera.hpp>

#include <array>
#include <iostream>
#include <tuple>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

std::vector<float> data;

struct layer {
  constexpr auto operator()(auto x, auto w) const {
    auto y = ts::matmul(x, w);
    y += 2;
    y = ts::jit([](auto z) { return z * z; })(y);
#if TESSERA_MISUSE == 1
    // expect: the traced function is not constexpr, or calls what is not.
    // expect-fix: debug_print for std::cout
    // points-at: auto y = ts::jit<layer>(x, w);
    std::cout << "y = " << y << '\n';
#elif TESSERA_MISUSE == 2
    // expect: the traced function is not constexpr, or calls what is not.
    // points-at: auto y = ts::jit<layer>(x, w);
    std::vector<float>{1, 2, 3}.swap(data);
#elif TESSERA_MISUSE == 3
    // expect: a variable keeps its type (lhs), and what is assigned to it has another (rhs).
    // expect-fix: rhs<float, 8, 4>::P<dp>
    y = ts::reshard<ts::P<dp>>(y);
#elif TESSERA_MISUSE == 4
    // expect: a variable keeps its type (lhs), and what is assigned to it has another (rhs).
    auto sum = ts::zeros<float, 8, 4>();
    sum = sum + y;
    y += sum;
#elif TESSERA_MISUSE == 5
    // expect: both operands split the contracted dimension over the same axes
    for (int i = 0; i < 2; ++i) y = ts::matmul(ts::matmul(y, w), w.T());
    std::array const both{y, y};
    auto const [first, second] = both;
    y = first + second;
#elif TESSERA_MISUSE == 6
    // expect: a traced value stands where C++ decides at once
    while (ts::sum(y) > 0) y -= 1;
#endif
    return y;
  }
};

#if TESSERA_MISUSE == 7
// expect: a mesh axis is a type of its own. Fix: struct A : tessera::axis {};
// points-at: ts::make_mesh<ts::mesh<ts::explicit_axis<pp, 8>>>(runtime.devices());
struct pp {};
#else
struct pp : ts::axis {};
#endif

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  ts::make_mesh<ts::mesh<ts::explicit_axis<pp, 8>>>(runtime.devices());
  std::vector<float> const v(32);
  auto x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(v), mesh);
  auto w = ts::device_put<ts::P<ts::none, mp>>(ts::host<4, 4>(std::vector<float>(16)), mesh);
  auto y = ts::jit<layer>(x, w);
#if TESSERA_MISUSE == 8
  // expect: a variable keeps its type (lhs), and what is assigned to it has another (rhs).
  x = y;
#elif TESSERA_MISUSE == 9
  // expect: a variable keeps its type (lhs), and what is assigned to it has another (rhs).
  x += y;
#elif TESSERA_MISUSE == 10
  // expect: there is not one entry for each argument
  ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>([](auto a, auto) { return a; }))(x, w);
#elif TESSERA_MISUSE == 11
  // expect: there is not one entry for each argument
  ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>, ts::P<dp>>>([](auto a) { return a; })(x);
#elif TESSERA_MISUSE == 12
  // expect: there is not one entry for each argument
  ts::vmap<ts::in_axes<0, 0>>([](auto row) { return row; })(x);
#elif TESSERA_MISUSE == 13
  // expect: the traced function cannot be called with these arguments.
  ts::jit<layer>(x);
#endif
  (void)y;
}
