// SPDX-License-Identifier: Apache-2.0
// expect: traced code captured an array: it has no value while the function is traced.
// expect-fix: pass the array as an argument
// expect-fix: at_line<
// Traced code uses a global array instead of an argument.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

std::vector<float> const data(4096);
auto const weights = ts::device_put<ts::P<>>(ts::host<4, 4>(data), ts::make_mesh<grid>(ts::devices()));

struct layer {
  constexpr auto operator()(auto x, auto w) const {
#ifdef TESSERA_MISUSE
    (void)w;
    return ts::matmul(x, weights);
#else
    return ts::matmul(x, w);
#endif
  }
};

int main() {
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(data), weights.mesh());
  ts::jit<layer>(x, weights);
}
