// SPDX-License-Identifier: Apache-2.0
// expect: a variable keeps its type (lhs), and what is assigned to it has another (rhs).
// expect-fix: reshard<P<...>>(y)
// expect-fix: rhs<float, 8, 4>::P<dp, mp>
// The second product of two leaves its result split over mp, which x is not.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct layers {
  constexpr auto operator()(auto x, auto v, auto w) const {
    x = ts::matmul(ts::matmul(x, v), w, ts::out_sharding<ts::P<dp>>);
#ifdef TESSERA_MISUSE
    x = ts::matmul(x, v);
#else
    x = ts::matmul(ts::matmul(x, v), w, ts::out_sharding<ts::P<dp>>);
#endif
    return x;
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;
using v_type = ts::array_type<float, ts::shape<4, 4>, ts::P<ts::none, mp>, grid>;
using w_type = ts::array_type<float, ts::shape<4, 4>, ts::P<mp>, grid>;

int main() { ts::check<layers, x_type, v_type, w_type>(); }
