// SPDX-License-Identifier: Apache-2.0
// A kernel whose function reads an array that it does not get.

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

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::asarray(ts::host<16, 8>(std::vector<float>(128)));
  (void)ts::jit([](auto a) { return with([](auto const& y, auto& out) { out = y + 2; })(a); })(x);
#ifdef TESSERA_MISUSE
  // expect: the function of a kernel reads an array that is not its operand.
  // expect-fix: block_spec<> gives the whole array
  (void)ts::jit([](auto a, auto b) { return with([&](auto const& y, auto& out) { out = y + ts::sum(b); })(a); })(x, x);
#endif
}
