// SPDX-License-Identifier: Apache-2.0
// Of a program without an argument on a mesh, jit is told axes and no mesh: what makes parameters.

#include <tessera/tessera.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::auto_axis<dp, 4>>;

constexpr auto zeros = [] { return ts::zeros<float, 8, 4>(); };
constexpr auto normal = [](auto key) { return ts::random::normal<float, 8, 4>(key); };

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh current{ts::make_mesh<grid>(ts::devices())};
  (void)ts::jit<ts::out_shardings<ts::P<dp>>, grid>(zeros)();
  (void)ts::jit<ts::out_shardings<ts::P<dp>>, grid>(normal)(ts::random::key(0));
#if TESSERA_MISUSE == 1
  // expect: the spec names a mesh axis, and the array is on no mesh.
  // expect-fix: jit<out_shardings<...>, grid>(f)
  (void)ts::jit<ts::out_shardings<ts::P<dp>>>(zeros)();
#elif TESSERA_MISUSE == 2
  // expect: the spec names a mesh axis, and the array is on no mesh.
  // expect-fix: jit<out_shardings<...>, grid>(f)
  (void)ts::jit<ts::out_shardings<ts::P<dp>>>(normal)(ts::random::key(0));
#endif
}
