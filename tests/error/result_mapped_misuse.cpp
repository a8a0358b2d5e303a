// SPDX-License-Identifier: Apache-2.0
// expect: a result of vmap differs along the mapped axis
// expect-fix: out_axes<0>
// Each row's own norm, as if it were one number for all of them.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct norms {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::vmap<ts::out_axes<ts::unmapped>>([](auto row) { return ts::sqrt(ts::sum(row * row)); })(x);
#else
    return ts::vmap([](auto row) { return ts::sqrt(ts::sum(row * row)); })(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<norms, x_type>(); }
