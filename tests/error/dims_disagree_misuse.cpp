// SPDX-License-Identifier: Apache-2.0
// expect: two operands split the same dimension over different mesh axes.
// expect-fix: reshard_rhs<tessera::P<dp>
// expect-fix: at_line<
// An array split over dp and one split over mp are added.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct sum_of_both {
  constexpr auto operator()(auto x, auto y) const {
#ifdef TESSERA_MISUSE
    return x + y;
#else
    return x + ts::reshard<ts::P<dp>>(y);
#endif
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const data(4096);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(data), mesh);
  auto const y = ts::device_put<ts::P<mp>>(ts::host<8, 4>(data), mesh);
  ts::jit<sum_of_both>(x, y);
}
