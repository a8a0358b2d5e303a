// SPDX-License-Identifier: Apache-2.0
// expect: the shapes do not fit each other.
// expect-fix: extents<8, 16>
// expect-fix: at_dim<1, 0>
// A product whose inner extents differ: the weights are the wrong way round. What it should have been is asked and
// assigned to.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct layer {
  constexpr auto operator()(auto x, auto w) const {
#ifdef TESSERA_MISUSE
    auto const y = ts::matmul(x, w);
#else
    auto const y = ts::matmul(x, w.T());
#endif
    static_assert(ts::type_text<decltype(y)> == "float32[16@dp,16]");
    return y;
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const data(4096);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<16, 8>(data), mesh);
  auto const w = ts::device_put<ts::P<>>(ts::host<16, 8>(data), mesh);
  auto y = ts::device_put<ts::P<dp>>(ts::host<16, 16>(data), mesh);
  for (int i = 0; i < 2; ++i) y = ts::jit<layer>(x, w);
}
