// SPDX-License-Identifier: Apache-2.0
// expect: grad needs a function that returns one floating scalar.
// expect-fix: sum(y) or mean(y)
// points-at: auto const error = ts::square(ts::matmul(x, w));
// The loss of each row is not summed up.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct loss {
  constexpr auto operator()(auto w, auto x) const {
    auto const error = ts::square(ts::matmul(x, w));
#ifdef TESSERA_MISUSE
    return error;
#else
    return ts::mean(error);
#endif
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const data(4096);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(data), mesh);
  auto const w = ts::device_put<ts::P<>>(ts::host<4, 4>(data), mesh);
  auto const [value, gradient] = ts::value_and_grad(loss{})(w, x);
  (void)value, (void)gradient;
}
