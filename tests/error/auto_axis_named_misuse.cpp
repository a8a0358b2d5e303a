// SPDX-License-Identifier: Apache-2.0
// expect: the spec names an axis that is not Explicit.
// expect-fix: over<mp>
// expect-fix: with_sharding_constraint
// reshard names an Auto axis.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::auto_axis<mp, 2>>;

struct spread {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::reshard<ts::P<dp, mp>>(x);
#else
    return ts::reshard<ts::P<>>(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<spread, x_type>(); }
