// SPDX-License-Identifier: Apache-2.0
// expect: the operation names a dimension that the array does not have, or one twice.
// expect-fix: dim<2>
// expect-fix: of_rank<2>
// A matrix is summed over its third dimension.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct total {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::sum<2>(x);
#else
    return ts::sum<1>(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<total, x_type>(); }
