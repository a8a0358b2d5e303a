// SPDX-License-Identifier: Apache-2.0
// expect: out_specs leave out an axis over which the result differs between devices.
// expect-fix: over<mp>
// expect-fix: psum<axis>(y)
// The result is summed over dp only, and the spec says that it is the same on all devices.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct per_device {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::shard_map<ts::out_specs<ts::P<>>>([](auto block) { return ts::psum<dp>(block); })(x);
#else
    return ts::shard_map<ts::out_specs<ts::P<>>>([](auto block) { return ts::psum<dp, mp>(block); })(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, mp>, grid>;

int main() { ts::check<per_device, x_type>(); }
