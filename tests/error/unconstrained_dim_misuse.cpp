// SPDX-License-Identifier: Apache-2.0
// expect: the spec leaves a dimension unconstrained where layouts are said.
// expect-fix: asked<tessera::P<mp, tessera::unconstrained>
// expect-fix: with_sharding_constraint<P<unconstrained, ...>>(x)
// reshard leaves a dimension to a planner that does not decide over Explicit axes.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct spread {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::reshard<ts::P<mp, ts::unconstrained>>(x);
#else
    return ts::reshard<ts::P<mp, dp>>(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<spread, x_type>(); }
