// SPDX-License-Identifier: Apache-2.0
// A user's program at -O3: transformed functions over Auto axes, whose plans are made when it runs.

#include <tessera/tessera.hpp>

#include <iostream>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::auto_axis<dp, 4>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv, 4};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(std::vector<float>(32)), mesh);
  std::cout << ts::jit(ts::vmap([](auto row) { return ts::sin(row); }))(x);
  std::cout << ts::jit(ts::grad([](auto a) { return ts::mean(ts::square(a)); }))(x);
}
