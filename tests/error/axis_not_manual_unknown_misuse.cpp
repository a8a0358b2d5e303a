// SPDX-License-Identifier: Apache-2.0
// expect: an axis is named that the mesh does not have: not_in_mesh<...>.
// expect-fix: not_in_mesh<pp>
// expect-fix: mesh_has<dp, mp>
// A sum over an axis that no mesh of the program has.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
struct pp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct total {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<>>>([](auto block) {
#ifdef TESSERA_MISUSE
      return ts::psum<pp>(block);
#else
      return ts::psum<dp, mp>(block);
#endif
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, mp>, grid>;

int main() { ts::check<total, x_type>(); }
