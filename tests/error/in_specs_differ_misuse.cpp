// SPDX-License-Identifier: Apache-2.0
// expect: in_specs are not the layout that the argument has.
// expect-fix: at_dim<1>
// expect-fix: over<mp>
// expect-fix: reshard<P<...>>(x)
// in_specs want the second dimension whole, and it is split.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct per_device {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>([](auto block) { return block; })(x);
#else
    return ts::shard_map<ts::in_specs<ts::P<dp, mp>>, ts::out_specs<ts::P<dp, mp>>>([](auto block) { return block; })(
        x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, mp>, grid>;

int main() { ts::check<per_device, x_type>(); }
