// SPDX-License-Identifier: Apache-2.0
// expect: elements of a split dimension, or at split indices, at_dim<...>, are read across the blocks of several devices
// expect-fix: at_dim<0>
// expect-fix: out_sharding<P<...>> as the last argument, of get(...)
// Rows of a table that is split, picked by an array, which lie who knows where.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<line>(runtime.devices());
  std::vector<float> const data(32);
  auto const table = ts::device_put<ts::P<dp>>(ts::host<8, 4>(data), mesh);
  auto const tokens = ts::device_put<ts::P<>>(ts::host<6>(std::vector<int>(6, 1)), mesh);
#ifdef TESSERA_MISUSE
  auto const rows = table.at(tokens).get();
#else
  auto const rows = table.at(tokens).get(ts::out_sharding<ts::P<>>);
#endif
  (void)(rows + 1);
}
