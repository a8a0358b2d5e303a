// SPDX-License-Identifier: Apache-2.0
// expect: to compute on arrays over Auto axes takes a planner, which does not exist yet.
// expect-fix: make the mesh's axes explicit_axis
// points-at: (void)table.at(tokens).get();
// Rows picked of an array over an Auto axis, outside of any jit.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
#ifdef TESSERA_MISUSE
using line = ts::mesh<ts::auto_axis<dp, 4>>;
#else
using line = ts::mesh<ts::explicit_axis<dp, 4>>;
#endif

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<line>(runtime.devices());
  std::vector<float> const data(32);
  auto const table = ts::device_put<ts::P<>>(ts::host<8, 4>(data), mesh);
  auto const tokens = ts::device_put<ts::P<>>(ts::host<6>(std::vector<int>(6, 1)), mesh);
  (void)table.at(tokens).get();
}
