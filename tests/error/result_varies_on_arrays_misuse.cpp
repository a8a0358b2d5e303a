// SPDX-License-Identifier: Apache-2.0
// expect: out_specs leave out an axis over which the result differs between devices.
// expect-fix: psum<axis>(y)
// A region called on an array: the line is that of the value that leaves it.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  std::vector<float> const data(32);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(data), ts::make_mesh<line>(runtime.devices()));
  auto const total = ts::shard_map<ts::out_specs<ts::P<>>>([](auto block) {
#ifdef TESSERA_MISUSE
    return ts::sum<0>(block);
#else
    return ts::psum<dp>(ts::sum<0>(block));
#endif
  });
  (void)total(x);
}
