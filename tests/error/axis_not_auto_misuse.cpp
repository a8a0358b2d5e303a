// SPDX-License-Identifier: Apache-2.0
// expect: with_sharding_constraint names an axis that is not Auto.
// expect-fix: over<dp>
// expect-fix: reshard<P<...>>(x)
// A constraint names an Explicit axis.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::auto_axis<mp, 2>>;

struct constrained {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::with_sharding_constraint<ts::P<dp>>(x);
#else
    return ts::with_sharding_constraint<ts::P<ts::none, mp>>(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<>, grid>;

int main() { ts::check<constrained, x_type>(); }
