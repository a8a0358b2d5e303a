// SPDX-License-Identifier: Apache-2.0
// expect: what stands here is neither an array nor a number.
// expect-fix: basic_string
// points-at: ts::jit([](auto a, auto s) { return a * s; })(x, scale);
// A traced function is given a std::string.

#include <tessera/tessera.hpp>

#include <string>
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
#ifdef TESSERA_MISUSE
  std::string const scale = "2";
#else
  float const scale = 2;
#endif
  ts::jit([](auto a, auto s) { return a * s; })(x, scale);
}
