// SPDX-License-Identifier: Apache-2.0
// Arrays, specs, meshes and shardings made as Python makes them: by a call of the class, with names and sizes as values.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const v(32);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(v), mesh);
  (void)ts::device_put(1.f, ts::named_sharding(mesh, ts::P<>()));
#if TESSERA_MISUSE == 1
  // expect: an array is made by a function. Fix: asarray({1, 2, 3}), asarray(vector)
  (void)ts::array{1, 2, 3};
#elif TESSERA_MISUSE == 2
  // expect: an array is made by a function.
  constexpr auto y = ts::array(4.0);
  (void)(ts::sin(y) + x);
#elif TESSERA_MISUSE == 3
  // expect: an array is made by a function.
  auto const y = ts::array({{1.f, 2.f}, {3.f, 4.f}});
  ts::device_get(y);
#elif TESSERA_MISUSE == 4
  // expect: mesh axes are types and stand in angle brackets. Fix: struct dp : tessera::axis {}; psum<dp>(x), P<dp>{}.
  (void)ts::P("dp");
#elif TESSERA_MISUSE == 5
  // expect: mesh axes are types and stand in angle brackets.
  (void)ts::device_put(ts::host<8, 4>(v), ts::named_sharding(mesh, ts::P("dp", nullptr)));
#elif TESSERA_MISUSE == 6
  // expect: mesh axes are types and stand in angle brackets.
  (void)ts::P(dp{}, mp{});
#elif TESSERA_MISUSE == 7
  // expect: mesh axes are types and stand in angle brackets.
  (void)ts::device_put(ts::host<8, 4>(v), ts::named_sharding(mesh, "dp"));
#elif TESSERA_MISUSE == 8
  // expect: the axes and sizes of a mesh are its type. Fix: struct dp : tessera::axis {};
  (void)ts::mesh({4, 2}, {"dp", "mp"});
#elif TESSERA_MISUSE == 9
  // expect: the axes and sizes of a mesh are its type.
  (void)ts::mesh(ts::devices(), {"dp"});
#elif TESSERA_MISUSE == 10
  // expect: the axes and sizes of a mesh are its type.
  (void)ts::make_mesh<4, 2>(ts::devices());
#elif TESSERA_MISUSE == 11
  // expect: the axes and sizes of a mesh are its type.
  (void)ts::make_mesh<dp, mp>(ts::devices());
#elif TESSERA_MISUSE == 12
  // expect: what is made with a layout names it as out_sharding. Fix: zeros<float, 8, 4>(out_sharding<P<dp>>)
  (void)ts::zeros<float, 8, 4>(ts::P<dp>{});
#elif TESSERA_MISUSE == 13
  // expect: what is made with a layout names it as out_sharding.
  (void)ts::full<float, 8, 4>(1.f, mesh);
#elif TESSERA_MISUSE == 14
  // expect: what is made with a layout names it as out_sharding.
  (void)ts::ones<float, 8>(ts::devices()[0]);
#elif TESSERA_MISUSE == 15
  // expect: the axis of a pmap is a type. Fix: struct dp : tessera::axis {}; pmap<axis_names<dp>>(f).
  (void)ts::pmap([](auto a) { return ts::psum<dp>(a); }, "dp");
#elif TESSERA_MISUSE == 16
  // expect: slice takes its bounds as types. Fix: x.at(span(0, 4)).get(), slice(x, starts<0, 2>, limits<4, 4>).
  (void)x.at(ts::slice(0, 4)).get();
#elif TESSERA_MISUSE == 17
  // expect: slice takes its bounds as types.
  (void)ts::slice(x, {0, 2}, {4, 4});
#elif TESSERA_MISUSE == 18
  // expect: which dimensions a product contracts stands in angle brackets.
  (void)ts::jit([](auto a, auto b) { return ts::dot_general(a, b, {{1}, {0}}); })(x, ts::ones<float, 4, 4>());
#elif TESSERA_MISUSE == 19
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::full({8, 4}, 2.5f);
#elif TESSERA_MISUSE == 20
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::jit([](auto a) { return a + ts::full<float>({8, 4}, 2); })(x);
#elif TESSERA_MISUSE == 21
  // expect: a pointer does not say how many elements there are.
  (void)ts::host<8, 4>(v.data());
#elif TESSERA_MISUSE == 22
  // expect: a pointer does not say how many elements there are.
  (void)ts::host(v.data(), {8, 4});
#elif TESSERA_MISUSE == 23
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::host(v, 8, 4);
#elif TESSERA_MISUSE == 24
  // expect: the axes and sizes of a mesh are its type.
  (void)ts::make_mesh<4, 2>();
#elif TESSERA_MISUSE == 25
  // expect: the axes and sizes of a mesh are its type.
  (void)ts::make_mesh<grid>(8);
#endif
}
