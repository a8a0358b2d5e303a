// SPDX-License-Identifier: Apache-2.0
// 40 small functions, each jitted by itself: what a file of tests costs, or a user's notebook of steps.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <utility>
#include <vector>

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

template <int I>
struct step {
  constexpr auto operator()(auto x, auto y) const { return ts::sum(ts::tanh(x * static_cast<float>(I)) + y); }
};

int main(int argc, char** argv) {
  ts::runtime const runtime(argc, argv);
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  auto const x = ts::device_put<ts::P<dp, ts::none>>(ts::host<8, 4>(std::vector<float>(32, 1.0f)), mesh);
  auto const all = [&]<int... I>(std::integer_sequence<int, I...>) {
    return (static_cast<double>(ts::device_get(ts::jit<step<I>>(x, x))[0]) + ...);
  }
  (std::make_integer_sequence<int, 40>{});
  std::printf("%g\n", all);
}
