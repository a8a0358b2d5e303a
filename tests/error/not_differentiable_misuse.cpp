// SPDX-License-Identifier: Apache-2.0
// expect: a gradient would pass through an operation that has none.
// expect-fix: tessera::ops::remainder
// The gradient of a remainder.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct loss {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::sum(ts::remainder(x, 3.0f));
#else
    return ts::sum(ts::multiply(x, 3.0f));
#endif
  }
};
struct gradient {
  constexpr auto operator()(auto x) const { return ts::grad(loss{})(x); }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<gradient, x_type>(); }
