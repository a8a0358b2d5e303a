// SPDX-License-Identifier: Apache-2.0
// expect: in_specs are not the layout that the argument has.
// expect-fix: asked<tessera::P<tessera::none, dp>
// points-at: (void)doubled(x);
// A region called on an array that lies otherwise: the line is that of the call, and of nothing else.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  std::vector<float> const data(32);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(data), ts::make_mesh<line>(runtime.devices()));
#ifdef TESSERA_MISUSE
  using columns = ts::P<ts::none, dp>;
#else
  using columns = ts::P<dp>;
#endif
  auto const doubled =
      ts::shard_map<ts::in_specs<columns>, ts::out_specs<columns>>([](auto block) { return block * 2; });
  (void)doubled(x);
}
