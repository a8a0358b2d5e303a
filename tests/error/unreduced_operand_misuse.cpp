// SPDX-License-Identifier: Apache-2.0
// expect: an operand is a partial sum: its parts have to be added up before this.
// expect-fix: tessera::unreduced<mp>
// expect-fix: reshard_lhs<tessera::P<
// A bias is added to a product whose parts are not added up yet: each device would add it again.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct layer {
  constexpr auto operator()(auto x, auto w, auto b) const {
    auto const parts = ts::matmul(x, w, ts::out_sharding<ts::P<ts::none, ts::none, ts::unreduced<mp>>>);
#ifdef TESSERA_MISUSE
    return parts + b;
#else
    return ts::reshard<ts::P<>>(parts) + b;
#endif
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const data(4096);
  auto const x = ts::device_put<ts::P<ts::none, mp>>(ts::host<16, 8>(data), mesh);
  auto const w = ts::device_put<ts::P<mp>>(ts::host<8, 8>(data), mesh);
  auto const b = ts::device_put<ts::P<>>(ts::host<8>(data), mesh);
  ts::jit<layer>(x, w, b);
}
