// SPDX-License-Identifier: Apache-2.0
// A layout as the last argument of functions that take none, or take it as out_sharding: one sentence for each way to say
// a layout, in eager and in traced code, for functions of one value, two and three.
// clang-lines: 45  a static_assert in a traced body is shown with the whole way into the trace

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  std::vector<float> v(32);
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(v), mesh);
#if TESSERA_MISUSE == 1
  // expect: this function takes no layout, or not so. Fix: reshard<P<dp>>(exp(x)); out_sharding<P<dp>> is the last argument of
  (void)ts::exp(x, ts::out_sharding<ts::P<dp>>);
#elif TESSERA_MISUSE == 2
  // expect: this function takes no layout, or not so.
  (void)ts::jit([](auto a) { return ts::sum<0>(a, ts::out_sharding<ts::P<>>); })(x);
#elif TESSERA_MISUSE == 3
  // expect: this function takes no layout, or not so.
  (void)ts::jit([](auto a) { return ts::softmax(a, ts::out_sharding<ts::P<dp>>); })(x);
#elif TESSERA_MISUSE == 4
  // expect: this function takes no layout, or not so.
  (void)ts::jit([](auto a) { return ts::add(a, ts::sin(a), ts::out_sharding<ts::P<dp>>); })(x);
#elif TESSERA_MISUSE == 5
  // expect: this function takes no layout, or not so.
  (void)ts::where(x > 0, x, x, ts::out_sharding<ts::P<dp>>);
#elif TESSERA_MISUSE == 6
  // expect: this function takes no layout, or not so.
  (void)ts::jit([](auto a) { return ts::astype<double>(a, ts::out_sharding<ts::P<dp>>); })(x);
#elif TESSERA_MISUSE == 7
  // expect: this function takes no layout, or not so.
  (void)ts::jit([](auto a) { return ts::mean<1>(a, ts::P<dp>{}); })(x);
#elif TESSERA_MISUSE == 8
  // expect: this function takes no layout, or not so.
  (void)ts::transpose(x, ts::named_sharding{mesh, ts::P<dp>{}});
#elif TESSERA_MISUSE == 9
  // expect: this function takes no layout, or not so.
  (void)ts::arange<float, 8>(ts::P<dp>{});
#elif TESSERA_MISUSE == 10
  // expect: this function takes no layout, or not so.
  (void)ts::jit([](auto a) { return ts::reshape<32>(a, ts::P<dp>{}); })(x);
#elif TESSERA_MISUSE == 11
  // expect: device_put takes the spec in angle brackets, and the mesh.
  (void)ts::asarray(v, ts::P<dp>{});
#elif TESSERA_MISUSE == 12
  // expect: device_put takes the spec in angle brackets, and the mesh.
  (void)ts::asarray({1.f, 2.f}, mesh);
#elif TESSERA_MISUSE == 13
  // expect: device_put takes the spec in angle brackets, and the mesh.
  (void)ts::asarray({{1.f, 2.f}, {3.f, 4.f}}, ts::out_sharding<ts::P<dp>, grid>);
#elif TESSERA_MISUSE == 14
  // expect: this function takes no layout, or not so.
  (void)ts::concatenate<0>(x, x, ts::out_sharding<ts::P<dp>>);
#elif TESSERA_MISUSE == 15
  // expect: this function takes no layout, or not so.
  (void)ts::jit([](auto a) { return ts::stack(a, a, ts::P<dp>{}); })(x);
#elif TESSERA_MISUSE == 16
  // expect: this function takes no layout, or not so.
  (void)ts::gelu(x, ts::out_sharding<ts::P<dp>>);
#elif TESSERA_MISUSE == 17
  // expect: a constant takes the layout of the values that it meets. Fix: x + constant({1.f, 2.f})
  (void)ts::constant({1.f, 2.f}, ts::P<dp>{});
#elif TESSERA_MISUSE == 18
  // expect: a constant takes the layout of the values that it meets.
  (void)ts::constant<ts::P<dp>, grid>({{1.f}, {2.f}});
#elif TESSERA_MISUSE == 19
  // expect: a constant takes the layout of the values that it meets.
  (void)ts::constant(std::array{1.f, 2.f}, ts::out_sharding<ts::P<dp>, grid>);
#elif TESSERA_MISUSE == 20
  // expect: a constant is made of numbers that are known while compiling.
  (void)ts::constant(1.f, 2.f);
#elif TESSERA_MISUSE == 21
  // expect: device_put takes the spec in angle brackets, and the mesh.
  (void)ts::asarray<ts::P<dp>>(v, mesh);
#elif TESSERA_MISUSE == 22
  // expect: device_put takes the spec in angle brackets, and the mesh.
  (void)ts::asarray<ts::P<dp>, grid>({1.f, 2.f});
#elif TESSERA_MISUSE == 23
  // expect: specs stand in angle brackets, P<...> around their axes.
  (void)ts::reshard(x, grid{});
#elif TESSERA_MISUSE == 24
  // expect: specs stand in angle brackets, P<...> around their axes.
  (void)ts::reshard<ts::P<mp>>(x, grid{});
#endif
}
