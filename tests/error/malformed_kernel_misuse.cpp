// SPDX-License-Identifier: Apache-2.0
// A kernel whose index map gives elements, where it should give blocks.

#include <tessera/tessera.hpp>

#include <tuple>
#include <vector>

namespace ts = tessera;

struct copied {
  constexpr void operator()(auto const& x, auto& out) const { out = x; }
};
template <class In>
constexpr auto with = ts::kernel<ts::kernel_grid<4>, ts::in_block_specs<In>,
                                 ts::out_block_specs<ts::out_block<ts::block_spec<[](auto i) {
                                                                     return std::tuple{i, 0};
                                                                   },
                                                                                  4, 8>,
                                                                   float, 16, 8>>>(copied{});
using blocks = ts::block_spec<[](auto i) { return std::tuple{i, 0}; }, 4, 8>;
using elements = ts::block_spec<[](auto i) { return std::tuple{4 * i, 0}; }, 4, 8>;

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const x = ts::asarray(ts::host<16, 8>(std::vector<float>(128)));
  (void)with<blocks>(x);
#ifdef TESSERA_MISUSE
  // expect: an index map of a kernel names a block outside of the array.
  // expect-fix: block numbers, not elements
  (void)with<elements>(x);
#endif
}
