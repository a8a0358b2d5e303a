// SPDX-License-Identifier: Apache-2.0
// expect: the operation needs this dimension whole on every device.
// expect-fix: at_dim<0>
// expect-fix: reshard<tessera::P<>
// A dimension is repeated that is split over dp.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct repeated {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::tile<2, 1>(x);
#else
    return ts::tile<1, 2>(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<repeated, x_type>(); }
