// SPDX-License-Identifier: Apache-2.0
// expect: the spec has more entries than the array has dimensions.
// expect-fix: entries<3>
// expect-fix: of_rank<2>
// A spec of three entries for a matrix.

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
  auto const x = ts::device_put<ts::P<dp, ts::none, mp>>(ts::host<8, 4>(data), mesh);
#else
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<8, 4>(data), mesh);
#endif
  ts::jit([](auto a) { return a + a; })(x);
}
