// SPDX-License-Identifier: Apache-2.0
// expect: a device is in no group of this collective, in two of them, or in one of another size.
// expect-fix: each device from 0 to n - 1 in one group
// expect-fix: index<3>
// expect-fix: parts<4>
// Device 3 is in no group.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct per_device {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<dp, mp>>>([](auto block) {
#ifdef TESSERA_MISUSE
      return ts::psum<dp>(block, ts::axis_index_groups<ts::group<0, 1>, ts::group<2>>);
#else
      return ts::psum<dp>(block, ts::axis_index_groups<ts::group<0, 1>, ts::group<2, 3>>);
#endif
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, mp>, grid>;

int main() { ts::check<per_device, x_type>(); }
