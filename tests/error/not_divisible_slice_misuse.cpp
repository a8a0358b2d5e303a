// SPDX-License-Identifier: Apache-2.0
// expect: what is left of a split dimension does not divide by the mesh axes that split it.
// expect-fix: error::reshard<tessera::P<>
// expect-fix: moves_bytes<96>
// expect-fix: take a part of each device's block, inside shard_map
// The first 2 of 8 rows that lie on 4 devices.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct first_rows {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::slice_in_dim<0, 0, 2>(x);
#else
    return ts::slice_in_dim<0, 0, 2>(ts::reshard<ts::P<>>(x));
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<first_rows, x_type>(); }
