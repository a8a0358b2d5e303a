// SPDX-License-Identifier: Apache-2.0
// Structs with `names` that are no trees: one error for each, at the call.

#include <tessera/tessera.hpp>

#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;
using vector = ts::array<ts::array_type<float, ts::shape<8>, ts::P<dp>, grid>>;

struct fixed {
  vector w;
  static constexpr ts::names<1> names{"w"};
};
template <class W, int Layers>
struct counted {
  W w;
  static constexpr ts::names<1> names{"w"};
};
template <class G>
struct norm {
  G gain, offset;
  static constexpr ts::names<2> names{"gain", "offset"};
};
struct halved {
  constexpr auto operator()(auto p) const {
    return ts::tree_map([](auto x) { return x * 0.5f; }, p);
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  auto const w = ts::device_put<ts::P<dp>>(ts::host<8>(std::vector<float>(8)), mesh);
  (void)ts::jit<halved>(norm<vector>{w, w});
#if TESSERA_MISUSE == 1
  // expect: no template of its fields' types
  // expect-fix: struct layer { W w; B b;
  (void)ts::jit<halved>(fixed{w});
#elif TESSERA_MISUSE == 2
  // expect: no template of its fields' types
  (void)ts::jit<halved>(std::tuple{counted<vector, 2>{w}, w});
#endif
}
