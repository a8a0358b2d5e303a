// SPDX-License-Identifier: Apache-2.0
// expect: a dimension does not divide by the mesh axes that split it.
// expect-fix: size<10>
// expect-fix: parts<4>
// expect-fix: padded_to<12>
// A batch of 10 goes to 4 devices.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const data(4096);
#ifdef TESSERA_MISUSE
  auto const x = ts::device_put<ts::P<dp>>(ts::host<10, 4>(data), mesh);
#else
  auto const x = ts::device_put<ts::P<dp>>(ts::host<12, 4>(data), mesh);
#endif
  ts::jit([](auto a) { return a + a; })(x);
}
