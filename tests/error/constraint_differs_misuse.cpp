// SPDX-License-Identifier: Apache-2.0
// expect: with_sharding_constraint asserts a layout that the array does not have
// expect-fix: at_dim<0>
// expect-fix: reshard<P<...>>(x)
// A constraint where all axes are Explicit is an assertion; this one is wrong.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct constrained {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::with_sharding_constraint<ts::P<mp>>(x);
#else
    return ts::with_sharding_constraint<ts::P<dp>>(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<constrained, x_type>(); }
