// SPDX-License-Identifier: Apache-2.0
// expect: to compute on arrays over Auto axes takes a planner, which does not exist yet.
// expect-fix: make the mesh's axes explicit_axis
// points-at: ts::jit([](auto a) { return a + a; })(x);
// A program over a mesh with an Auto axis.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
#ifdef TESSERA_MISUSE
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::auto_axis<mp, 2>>;
#else
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
#endif

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const data(4096);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(data), mesh);
  ts::jit([](auto a) { return a + a; })(x);
}
