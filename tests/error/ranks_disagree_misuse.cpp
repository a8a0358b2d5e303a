// SPDX-License-Identifier: Apache-2.0
// expect: the numbers of dimensions do not fit each other.
// expect-fix: ranks<2, 3>
// A matrix is transposed by an order of three dimensions.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct turned {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::transpose<2, 0, 1>(x);
#else
    return ts::transpose<1, 0>(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<turned, x_type>(); }
