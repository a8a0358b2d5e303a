// SPDX-License-Identifier: Apache-2.0
// expect: the value differs between devices over some of the summed axes and is the same over others.
// expect-fix: over<mp>
// expect-fix: pvary<axis>(x)
// What was summed over mp already is summed over dp and mp.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct per_device {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<>>>([](auto block) {
      auto const row = ts::psum<mp>(block);
#ifdef TESSERA_MISUSE
      return ts::psum<dp, mp>(row);
#else
      return ts::psum<dp>(row);
#endif
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, mp>, grid>;

int main() { ts::check<per_device, x_type>(); }
