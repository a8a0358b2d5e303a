// SPDX-License-Identifier: Apache-2.0
// expect: the operation picks one of the elements along a dimension that has none.
// expect-fix: at_dim<0>
// The largest of no rows.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct largest {
  constexpr auto operator()(auto x) const {
    auto none = ts::slice(x, ts::starts<8, 0>, ts::limits<8, 4>);
#ifdef TESSERA_MISUSE
    return ts::max<0>(none);
#else
    return ts::max<0>(ts::concatenate<0>(none, ts::full_like(ts::slice(x, ts::starts<0, 0>, ts::limits<1, 4>), -1)));
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<>, grid>;

int main() { ts::check<largest, x_type>(); }
