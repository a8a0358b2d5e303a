// SPDX-License-Identifier: Apache-2.0
// expect: the shapes do not fit each other
// expect-fix: tessera::ops::multiply
// A mistake in the rule itself is reported as that mistake.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

constexpr auto sine = ts::custom_jvp([](auto x) { return ts::sin(x); },
                                     [](auto primals, auto tangents) {
                                       auto const [x] = primals;
                                       auto const [dx] = tangents;
#ifdef TESSERA_MISUSE
                                       return std::tuple{ts::sin(x), ts::sum<0>(ts::cos(x)) * ts::sum<1>(dx)};
#else
                                       return std::tuple{ts::sin(x), ts::cos(x) * dx};
#endif
                                     });
struct gradient {
  constexpr auto operator()(auto x) const {
    return ts::grad([](auto v) { return ts::sum(sine(v)); })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<gradient, x_type>(); }
