// SPDX-License-Identifier: Apache-2.0
// expect: take both as arguments of the shard_map
// expect-fix: at_line<
// A shard_map reads a value of the program around it.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

struct centered {
  constexpr auto operator()(auto x) const {
    auto const mean = ts::sum(x) / 8.0f;
#ifdef TESSERA_MISUSE
    return ts::shard_map<ts::out_specs<ts::P<dp>>>([&](auto block) { return block - mean; })(x);
#else
    return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block, auto m) { return block - m; })(x, mean);
#endif
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> const data(8);
  ts::jit<centered>(ts::device_put<ts::P<dp>>(ts::host<8>(data), mesh));
}
