// SPDX-License-Identifier: Apache-2.0
// expect: a rule gives another type than it must
// expect-fix: residuals}
// fwd forgets the residuals.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

constexpr auto clipped = ts::custom_vjp([](auto x) { return x; },
#ifdef TESSERA_MISUSE
                                        [](auto x) { return x; },
#else
                                        [](auto x) {
                                          return std::tuple{x, std::tuple{}};
                                        },
#endif
                                        [](auto, auto bar) { return std::tuple{ts::clip(bar, -1.0f, 1.0f)}; });
struct gradient {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto v) { return ts::sum(clipped(v)); })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<gradient, x_type>(); }
