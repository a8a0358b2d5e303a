// SPDX-License-Identifier: Apache-2.0
// expect: a permutation names a device that does not exist, or one that sends or receives twice.
// expect-fix: index<1>
// expect-fix: parts<4>
// Device 1 receives from two devices.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct per_device {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<dp, mp>>>([](auto block) {
#ifdef TESSERA_MISUSE
      return ts::ppermute<dp>(block, ts::perm<ts::send<0, 1>, ts::send<2, 1>>);
#else
      return ts::ppermute<dp>(block, ts::perm<ts::send<0, 1>, ts::send<2, 3>>);
#endif
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, mp>, grid>;

int main() { ts::check<per_device, x_type>(); }
