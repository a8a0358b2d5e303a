// SPDX-License-Identifier: Apache-2.0
// expect: no cast leads from what the value is over these axes to what was asked.
// expect-fix: over<dp>
// expect-fix: psum<axis>(x)
// A block that differs over dp is no copy of one value.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

struct per_device {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<ts::reduced<dp>>>>([](auto block) {
#ifdef TESSERA_MISUSE
      return ts::pcast<dp>(block, ts::to_reduced);
#else
      return ts::pcast<dp>(ts::psum<dp>(block), ts::to_reduced);
#endif
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<per_device, x_type>(); }
