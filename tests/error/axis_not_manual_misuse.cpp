// SPDX-License-Identifier: Apache-2.0
// expect: an axis is named that is not Manual here.
// expect-fix: mesh_has<dp, mp>
// expect-fix: shard_map over that axis
// A collective over an axis that shard_map does not run over.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct per_device {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<dp>>, ts::axis_names<dp>>([](auto block) {
#ifdef TESSERA_MISUSE
      return ts::psum<mp>(block);
#else
      return ts::psum<dp>(block) + block;
#endif
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, mp>, grid>;

int main() { ts::check<per_device, x_type>(); }
