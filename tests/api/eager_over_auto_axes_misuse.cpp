// SPDX-License-Identifier: Apache-2.0
// expect: to compute on arrays over Auto axes takes a planner, which does not exist yet.
// expect-fix: make the mesh's axes explicit_axis
// points-at: (void)(x * 2);
// An operation outside jit on an array that an Auto axis splits.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
#ifdef TESSERA_MISUSE
using line = ts::mesh<ts::auto_axis<dp, 8>>;
#else
using line = ts::mesh<ts::explicit_axis<dp, 8>>;
#endif

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  std::vector<float> const data(32);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(data), ts::make_mesh<line>(runtime.devices()));
  (void)(x * 2);
}
