// SPDX-License-Identifier: Apache-2.0
// What Python and C++ write otherwise than this library: one sentence for each, in eager and in traced code.

#include <tessera/tessera.hpp>

#include <cmath>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

// A user's own functions, of names that the library has too, win without ts::.
template <class X, class Y>
auto dot(X const& x, Y const& y) {
  return ts::sum(x * y);
}
template <class X>
auto mean(X const& x) {
  return ts::sum(x) / 32;
}

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const v(32);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(v), mesh);
  (void)dot(x, mean(x));
  (void)ts::device_put(v, ts::named_sharding{mesh, ts::P<dp>{}});
#if TESSERA_MISUSE == 1
  // expect: dimensions are template arguments here. Fix: sum<0>(x)
  (void)ts::sum(x, 0);
#elif TESSERA_MISUSE == 2
  // expect: dimensions are template arguments here.
  (void)ts::jit([](auto a) { return ts::transpose(a, {1, 0}); })(x);
#elif TESSERA_MISUSE == 3
  // expect: dimensions are template arguments here.
  (void)ts::concatenate({x, x}, 0);
#elif TESSERA_MISUSE == 4
  // expect: shapes and numbers of elements are template arguments here. Fix: reshape<8, 4>(x)
  (void)ts::reshape(x, {32});
#elif TESSERA_MISUSE == 5
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::random::normal(ts::random::key(0), {8, 4});
#elif TESSERA_MISUSE == 6
  // expect: mesh axes are types and stand in angle brackets.
  (void)ts::jit(ts::shard_map<ts::out_specs<ts::P<>>>([](auto a) { return ts::psum(a, "dp"); }))(x);
#elif TESSERA_MISUSE == 7
  // expect: functions of namespace std take C++ numbers, neither arrays nor traced values. Fix: ts::sin(x)
  (void)std::sin(x);
#elif TESSERA_MISUSE == 8
  // expect: functions of namespace std take C++ numbers, neither arrays nor traced values.
  (void)ts::jit([](auto a) { return std::pow(std::exp(a) + 1, 2); })(x);
#elif TESSERA_MISUSE == 9
  // expect: an array has no []. Fix: x.at(0).get()
  (void)ts::jit([](auto a) { return a[0] + a[1]; })(x);
#elif TESSERA_MISUSE == 10
  // expect: an array has no [].
  (void)x[0];
#elif TESSERA_MISUSE == 11
  // expect: nothing says on which mesh. Fix: device_put<P<dp>>(x, mesh)
  (void)ts::device_put<ts::P<dp>>(ts::host<8, 4>(v));
#elif TESSERA_MISUSE == 12
  // expect: device_put takes the spec in angle brackets, and the mesh.
  (void)ts::device_put(ts::host<8, 4>(v), mesh, ts::P<dp>{});
#elif TESSERA_MISUSE == 13
  // expect: one mesh axis would split two dimensions of the same array.
  (void)ts::named_sharding{mesh, ts::P<dp, dp>{}};
#elif TESSERA_MISUSE == 14
  // expect: the operation is not defined for this element type.
  (void)ts::grad([](auto a) { return ts::sum(a); })(ts::astype<int>(x));
#elif TESSERA_MISUSE == 15
  // expect: both operands split the contracted dimension over the same axes
  (void)ts::vdot(x, x);
#elif TESSERA_MISUSE == 16
  // expect: a number of C++ cannot become an array.
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += x.at(i, 0).get();
#elif TESSERA_MISUSE == 17
  // expect: a number of C++ cannot become an array.
  (void)ts::jit([](auto a) {
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum -= ts::max(ts::sin(a));
    return a - sum;
  })(x);
#elif TESSERA_MISUSE == 18
  // expect: an array has no [].
  (void)ts::jit([](auto a) {
    float product = 1;
    for (int i = 0; i < 8; ++i) product *= a[i];
    return a / product;
  })(x);
#elif TESSERA_MISUSE == 19
  // expect: traced code captured an array: it has no value while the function is traced.
  (void)ts::jit([] { return ts::reshard<ts::P<dp>, grid>(ts::arange<float, 8>()); })();
#elif TESSERA_MISUSE == 20
  // expect: in traced code the bounds of a span are part of its type. Fix: x.at(span<1, 3>()).get()
  (void)ts::jit([](auto a) { return a.at(ts::span(1, 3)).get(); })(x);
#elif TESSERA_MISUSE == 21
  // expect: in traced code the bounds of a span are part of its type.
  (void)ts::jit([](auto a, auto i) { return ts::sum(a.at(ts::span(i, i + 4)).set(1.f)); })(x, ts::asarray(1));
#elif TESSERA_MISUSE == 22
  // expect: in traced code the bounds of a span are part of its type.
  (void)ts::zeros<float, 8>().at(ts::span(0, 2)).get();
#endif
}
