// SPDX-License-Identifier: Apache-2.0
// Arguments in another order, or of another kind, than this library has: values before functions, sizes and names of axes as
// values, numbers for keys; and functions of loops and branches that do not take what they get.

#include <tessera/tessera.hpp>

#include <tuple>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

constexpr auto total = [](auto a) { return ts::sum(a); };
constexpr auto same = [](auto a) { return a; };
constexpr auto first = [](auto a, auto) { return a; };
constexpr auto nothing = [](auto a) { (void)ts::sum(a); };
constexpr auto small = [](auto a) { return ts::sum(a) < 3; };
constexpr auto pair = [](auto c, auto r) { return std::make_tuple(c + r, r); };

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const v(32);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(v), mesh);
  auto const row = ts::zeros<float, 4>();
  (void)ts::cond(true, same, same, row);
  (void)ts::while_loop(small, same, row);
#if TESSERA_MISUSE == 1
  // expect: functions stand before the values that they begin with. Fix: fori_loop(0, 10, body, init)
  (void)ts::jit([](auto a) { return ts::fori_loop(0, 10, a, first); })(x);
#elif TESSERA_MISUSE == 2
  // expect: functions stand before the values that they begin with.
  (void)ts::fori_loop(0, 10, row, first);
#elif TESSERA_MISUSE == 3
  // expect: functions stand before the values that they begin with.
  (void)ts::while_loop(small, row, same);
#elif TESSERA_MISUSE == 4
  // expect: functions stand before the values that they begin with.
  (void)ts::while_loop(row, small, same);
#elif TESSERA_MISUSE == 5
  // expect: functions stand before the values that they begin with.
  (void)ts::scan(row, pair, row);
#elif TESSERA_MISUSE == 6
  // expect: functions stand before the values that they begin with.
  (void)ts::scan(row, row, pair);
#elif TESSERA_MISUSE == 7
  // expect: functions stand before the values that they begin with.
  (void)ts::cond(true, row, same, same);
#elif TESSERA_MISUSE == 8
  // expect: the axes and sizes of a mesh are its type. Fix: struct dp : tessera::axis {};
  auto const m = ts::make_mesh({4, 2}, {"dp", "mp"});
  (void)ts::device_put<ts::P<dp>>(x, m);
#elif TESSERA_MISUSE == 9
  // expect: the axes and sizes of a mesh are its type.
  (void)ts::make_mesh({4, 2});
#elif TESSERA_MISUSE == 10
  // expect: the axes and sizes of a mesh are its type.
  (void)ts::make_mesh(ts::devices());
#elif TESSERA_MISUSE == 11
  // expect: an axis of a mesh has a kind and a size. Fix: mesh<explicit_axis<dp, 4>, auto_axis<mp, 2>>.
  (void)ts::mesh<dp, mp>{};
#elif TESSERA_MISUSE == 12
  // expect: what stands here is neither an array nor a number.
  (void)x.at(0).set(v);
#elif TESSERA_MISUSE == 13
  // expect: mesh axes are types and stand in angle brackets.
  (void)ts::psum<"dp">(x);
#elif TESSERA_MISUSE == 14
  // expect: the number of parts and the dimension stand in angle brackets. Fix: split<2>(x)
  (void)ts::split(x, 2);
#elif TESSERA_MISUSE == 15
  // expect: random numbers are drawn from a key and the values of their distribution. Fix: auto const key = random::key(0);
  (void)ts::random::normal(0, ts::shape<3>{});
#elif TESSERA_MISUSE == 16
  // expect: random numbers are drawn from a key and the values of their distribution.
  (void)ts::random::uniform<float, 8, 4>(0);
#elif TESSERA_MISUSE == 17
  // expect: which arguments a gradient is by stands in angle brackets. Fix: grad<0, 1>(f).
  (void)ts::value_and_grad(total, 0)(x);
#elif TESSERA_MISUSE == 18
  // expect: which arguments a gradient is by stands in angle brackets.
  (void)ts::grad(total, {0, 1})(x);
#elif TESSERA_MISUSE == 19
  // expect: the traced function cannot be called with these arguments.
  (void)ts::cond(true, same, same);
#elif TESSERA_MISUSE == 20
  // expect: the traced function cannot be called with these arguments.
  (void)ts::jit([](auto a) { return ts::cond(true, first, same, a); })(x);
#elif TESSERA_MISUSE == 21
  // expect: what stands here is neither an array nor a number.
  (void)ts::cond(true, nothing, same, row);
#elif TESSERA_MISUSE == 22
  // expect: the traced function cannot be called with these arguments.
  (void)ts::switch_(1, std::tuple{same, same});
#elif TESSERA_MISUSE == 23
  // expect: the traced function cannot be called with these arguments.
  (void)ts::while_loop(small, first, row);
#elif TESSERA_MISUSE == 24
  // expect: what stands here is neither an array nor a number.
  (void)ts::while_loop(nothing, same, row);
#elif TESSERA_MISUSE == 25
  // expect: what stands here is neither an array nor a number.
  (void)ts::jit([](auto a) { return ts::while_loop(small, nothing, a); })(x);
#elif TESSERA_MISUSE == 26
  // expect: the traced function cannot be called with these arguments.
  (void)ts::fori_loop(0, 3, same, row);
#elif TESSERA_MISUSE == 27
  // expect: the traced function cannot be called with these arguments.
  (void)ts::jit([](auto a) { return ts::fori_loop(0, 3, same, a); })(x);
#elif TESSERA_MISUSE == 28
  // expect: the traced function cannot be called with these arguments.
  (void)ts::map(first, row);
#elif TESSERA_MISUSE == 29
  // expect: the traced function cannot be called with these arguments.
  (void)ts::jit([](auto a) { return ts::map(first, a); })(row);
#elif TESSERA_MISUSE == 30
  // expect: the traced function cannot be called with these arguments.
  (void)ts::associative_scan(same, row);
#elif TESSERA_MISUSE == 31
  // expect: the traced function cannot be called with these arguments.
  (void)ts::jit([](auto a) { return ts::associative_scan(same, a); })(row);
#endif
}
