// SPDX-License-Identifier: Apache-2.0
// expect: the operation is not defined for this element type.
// expect-fix: operand<float, 8, 4>
// expect-fix: astype<
// bitwise_not of floating numbers.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct inverted {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::bitwise_not(x);
#else
    return ts::bitwise_not(x > 0);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<inverted, x_type>(); }
