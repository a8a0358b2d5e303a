// SPDX-License-Identifier: Apache-2.0
// The whole library, as a user links it.

#include <tessera/tessera.hpp>

#include <cstdio>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct sum_of_squares {
  constexpr auto operator()(auto x) const { return ts::sum(x * x); }
};

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv, 4};
  auto mesh = ts::make_mesh<line>(runtime.devices());
  auto x = ts::device_put<ts::P<dp>>(ts::host<8>(std::vector<float>(8, 3.0f)), mesh);
  float const got = ts::jit<sum_of_squares>(x).item();
  std::printf("run: %s, %g on %s\n", got == 72 ? "ok" : "wrong", got, ts::default_backend().data());
  return got == 72 ? 0 : 1;
}
