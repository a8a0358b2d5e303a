// SPDX-License-Identifier: Apache-2.0
// Kernels that are none, and arrays of which no device has the whole.

#include <tessera/tessera.hpp>

#include <tessera/kokkos.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct copied {
  void operator()(auto const&, auto x, auto y) const { Kokkos::deep_copy(y, x); }
};
struct with_a_member {
  float factor = 2;
  void operator()(auto const&, auto, auto) const {}
};
struct of_two {
  void operator()(auto const&, auto, auto, auto) const {}
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<line>(runtime.devices());
  auto const x = ts::device_put<ts::P<dp>>(ts::host<64>(std::vector<float>(64)), mesh);
  auto const whole = ts::reshard<ts::P<>>(x);
  (void)ts::local_kernel<copied>(whole);
#if TESSERA_MISUSE == 1
  // expect: the operation needs this dimension whole on every device.
  (void)ts::local_kernel<copied>(x);
#elif TESSERA_MISUSE == 2
  // expect: local_kernel: the kernel has members, and a program knows its type only.
  (void)ts::local_kernel<with_a_member>(whole);
#elif TESSERA_MISUSE == 3
  // expect: local_kernel calls its kernel with an execution space instance, a View for each operand and one for each result
  // expect-fix: block_type<float, 2, 8>
  (void)ts::local_kernel<of_two>(whole);
#endif
}
