// SPDX-License-Identifier: Apache-2.0
// Layouts that values cannot have, of arrays, trees and results; meshes that say no devices; transformations given their arguments.

#include <tessera/tessera.hpp>

#include <tuple>

namespace ts = tessera;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using agrid = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;

TESSERA_TREE(layer, w, b);

constexpr auto total = [](auto a) { return ts::sum(a * a); };
constexpr auto both = [](auto a) { return std::tuple{ts::sum(a), a}; };

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  auto const x = ts::device_put<P<dp>>(ts::zeros<float, 8, 4>(), mesh);
  auto const y = ts::device_put<P<dp>>(ts::zeros<float, 8, 4>(), ts::make_mesh<agrid>(runtime.devices()));
  (void)ts::jit<ts::out_shardings<P<dp>>>(both)(x);
  (void)ts::jit<ts::in_shardings<P<dp>>>([](auto a, auto n) { return a * n; })(x, ts::sum(x));
  (void)ts::jit<ts::out_shardings<P<>>>(total)(x);
  (void)y;
#if TESSERA_MISUSE == 1
  // expect: the spec has more entries than the array has dimensions.
  (void)ts::jit<ts::out_shardings<P<mp>>>(total)(x);
#elif TESSERA_MISUSE == 2
  // expect: the spec has more entries than the array has dimensions.
  (void)ts::jit<ts::out_shardings<P<mp>>>(total)(y);
#elif TESSERA_MISUSE == 3
  // expect: the spec has more entries than the array has dimensions.
  (void)ts::jit<ts::out_shardings<P<mp>, P<dp>>>(both)(x);
#elif TESSERA_MISUSE == 4
  // expect: the spec has more entries than the array has dimensions.
  (void)ts::jit<ts::in_shardings<P<dp>>>([](auto n) { return n + 1; })(ts::device_put<P<>>(ts::zeros<float>(), mesh));
#elif TESSERA_MISUSE == 5
  // expect: the spec has more entries than the array has dimensions.
  (void)ts::device_put<P<ts::none, ts::none, mp>>(x, mesh);
#elif TESSERA_MISUSE == 6
  // expect: the spec has more entries than the array has dimensions.
  (void)ts::device_put<layer<P<mp>, P<mp>>>(layer{ts::zeros<float, 8>(), ts::zeros<float>()}, mesh);
#elif TESSERA_MISUSE == 7
  // expect: a dimension does not divide by the mesh axes that split it.
  (void)ts::device_put<P<dp>>(layer{x, std::tuple{ts::zeros<float, 8>(), ts::zeros<float, 7>()}}, mesh);
#elif TESSERA_MISUSE == 8
  // expect: the type of a mesh has no devices. Fix: auto const m = make_mesh<grid>(devices()), and m in its place
  (void)ts::device_put<P<dp>>(x, grid{});
#elif TESSERA_MISUSE == 9
  // expect: the axes and sizes of a mesh are its type.
  (void)ts::make_mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>(runtime.devices());
#elif TESSERA_MISUSE == 10
  // expect: a transformation takes the function, and what it gives takes the values.
  (void)ts::hessian(total, x);
#elif TESSERA_MISUSE == 11
  // expect: the type of a mesh has no devices.
  (void)ts::device_put(x, grid{});
#elif TESSERA_MISUSE == 12
  // expect: the type of a mesh has no devices.
  (void)ts::device_put(std::vector<float>(8), P<dp>{}, grid{});
#elif TESSERA_MISUSE == 13
  // expect: the type of a mesh has no devices.
  (void)ts::asarray(ts::zeros<float, 8, 4>(), grid{});
#elif TESSERA_MISUSE == 14
  // expect: the type of a mesh has no devices.
  (void)ts::asarray(1.0f, grid{});
#elif TESSERA_MISUSE == 15
  // expect: the type of a mesh has no devices.
  ts::use_mesh const on{grid{}};
#elif TESSERA_MISUSE == 16
  // expect: the type of a mesh has no devices.
  ts::set_mesh(grid{});
#elif TESSERA_MISUSE == 17
  // expect: the type of a mesh has no devices.
  (void)ts::named_sharding{grid{}, P<dp>{}};
#elif TESSERA_MISUSE == 18
  // expect: the type of a mesh has no devices.
  (void)ts::named_sharding{grid{}, P<dp>{}, ts::on_host{}};
#elif TESSERA_MISUSE == 19
  // expect: device_put takes the spec in angle brackets, and the mesh.
  (void)ts::asarray(ts::zeros<float, 8, 4>(), mesh);
#endif
}
