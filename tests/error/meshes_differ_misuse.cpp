// SPDX-License-Identifier: Apache-2.0
// expect: the operands live on different meshes.
// expect-fix: rhs_on<
// expect-fix: device_put<P<...>>(x, mesh)
// points-at: constexpr auto operator()(auto x, auto y) const { return x + y; }
// The operands come from a 4x2 and a 2x4 mesh.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using other = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 4>>;

struct sum_of_both {
  constexpr auto operator()(auto x, auto y) const { return x + y; }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;
#ifdef TESSERA_MISUSE
using y_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, other>;
#else
using y_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;
#endif

int main() { ts::check<sum_of_both, x_type, y_type>(); }
