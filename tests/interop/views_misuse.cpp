// SPDX-License-Identifier: Apache-2.0
// What types tell is refused while compiling: what has no one block, nobody who keeps it, or is not to be written.

#include <tessera/tessera.hpp>

#include <tessera/kokkos.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<line>(runtime.devices());
  std::vector<float> const v(64);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<64>(v), mesh);
  Kokkos::View<float*> const view("view", 64);
  ts::copy_to(x, view);
#if TESSERA_MISUSE == 1
  // expect: view_of shows an array that is one block, and this one is split.
  // expect-fix: views(x)
  (void)ts::view_of(x);
#elif TESSERA_MISUSE == 2
  // expect: adopt: nothing keeps this memory
  // expect-fix: adopt(data, mesh, outlives)
  (void)ts::adopt<ts::P<dp>>(ts::host<64>(v), mesh);
#elif TESSERA_MISUSE == 3
  // expect: copy_to writes, and the elements of this view are const.
  ts::copy_to(x, Kokkos::View<float const*>(view));
#endif
}
