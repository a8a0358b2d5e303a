// SPDX-License-Identifier: Apache-2.0
// expect: a gradient would pass through an operation that has none.
// expect-fix: tessera::ops::p_extreme
// The gradient of a maximum over devices.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct loss {
  constexpr auto operator()(auto x) const {
    return ts::sum(ts::shard_map<ts::out_specs<ts::P<>>>([](auto block) {
#ifdef TESSERA_MISUSE
      return ts::pmax<dp>(block);
#else
      return ts::psum<dp>(block);
#endif
    })(x));
  }
};
struct gradient {
  constexpr auto operator()(auto x) const { return ts::grad(loss{})(x); }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<gradient, x_type>(); }
