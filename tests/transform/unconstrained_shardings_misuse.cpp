// SPDX-License-Identifier: Apache-2.0
// expect: the spec leaves a dimension unconstrained where layouts are said.
// expect-fix: tessera::ops::jit
// expect-fix: at_dim<0>
// points-at: int main() { return ts::comm_of<decltype(step), x_type>.count() > 3; }
// out_shardings of jit leave a dimension open: with_sharding_constraint inside may, and `unspecified` a whole layout.

#include <tessera/tessera.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::auto_axis<dp, 4>>;
using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<>, grid>;

struct twice {
  constexpr auto operator()(auto x) const { return x + x; }
};
#ifdef TESSERA_MISUSE
using spec = ts::P<ts::unconstrained>;
#else
using spec = ts::P<dp>;
#endif
constexpr auto step = ts::jit<ts::out_shardings<spec>>(twice{});

int main() { return ts::comm_of<decltype(step), x_type>.count() > 3; }
