// SPDX-License-Identifier: Apache-2.0
// expect: a traced function holds state: a lambda that captures, or members.
// expect-fix: pass what it captures as arguments
// A lambda captures the weights instead of taking them as an argument.

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
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(data), mesh);
  auto const w = ts::device_put<ts::P<>>(ts::host<4, 4>(data), mesh);
#ifdef TESSERA_MISUSE
  ts::jit([&](auto a) { return ts::matmul(a, w); })(x);
#else
  ts::jit([](auto a, auto b) { return ts::matmul(a, b); })(x, w);
#endif
}
