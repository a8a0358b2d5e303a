// SPDX-License-Identifier: Apache-2.0
// expect: auto_axes does not know how results lie where axes are Explicit again
// expect-fix: auto_axes<out_shardings<P<...>>>(f)
// auto_axes without out_shardings.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

struct doubled {
  constexpr auto operator()(auto x) const { return x * 2.0f; }
};
struct planned {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::auto_axes(doubled{})(x);
#else
    return ts::auto_axes<ts::out_shardings<ts::P<dp>>>(doubled{})(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<planned, x_type>(); }
