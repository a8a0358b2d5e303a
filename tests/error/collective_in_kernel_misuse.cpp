// SPDX-License-Identifier: Apache-2.0
// A kernel whose function adds up over devices.

#include <tessera/tessera.hpp>

#include <tuple>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;
using rows = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 4, 8>;
template <class F>
constexpr auto with(F const& f) {
  return ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<rows>,
                    ts::out_block_specs<ts::out_block<rows, float, 16, 8>>>(f);
}
template <class F>
constexpr auto on_devices(F) {
  return ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>([](auto y) { return with(F{})(y); });
}

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x =
      ts::device_put<ts::P<dp>>(ts::host<64, 8>(std::vector<float>(512)), ts::make_mesh<line>(runtime.devices()));
  (void)on_devices([](auto const& block, auto& out) { out = 2 * block; })(x);
#ifdef TESSERA_MISUSE
  // expect: the function of a kernel calls a collective
  // expect-fix: before or after the kernel
  (void)on_devices([](auto const& block, auto& out) { out = ts::pvary<dp>(ts::psum<dp>(block)); })(x);
#endif
}
