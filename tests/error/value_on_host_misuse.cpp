// SPDX-License-Identifier: Apache-2.0
// expect: a traced value is read as an array in memory (device_get(x), to_host(), item(), float(x), sharding())
// expect-fix: return it and read the result
// expect-fix: operand<float>
// The largest element scales the rest: read as a number, it does not exist while the function is traced.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

struct scaled {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return x / float(ts::max(x));
#else
    return x / ts::max(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8>, ts::P<dp>, grid>;

int main() { ts::check<scaled, x_type>(); }
