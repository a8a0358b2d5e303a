// SPDX-License-Identifier: Apache-2.0
// expect: the reshape leaves open which of the new dimensions the mesh axes split.
// expect-fix: into<2, 16>
// expect-fix: out_sharding<P<...>>
// A dimension split over dp and mp is cut into one of 2 and one of 16: which axis goes where?

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct cut {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::reshape<2, 16>(x);
#else
    return ts::reshape<2, 16>(x, ts::out_sharding<ts::P<mp, dp>>);
#endif
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const data(4096);
  auto const x = ts::device_put<ts::P<ts::axes<dp, mp>>>(ts::host<32>(data), mesh);
  ts::jit<cut>(x);
}
