// SPDX-License-Identifier: Apache-2.0
// expect: the traced function cannot be called with these arguments.
// expect-fix: arguments<
// A function of two arguments is given one.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct sum_of_both {
  constexpr auto operator()(auto x, auto y) const { return x + y; }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() {
#ifdef TESSERA_MISUSE
  ts::check<sum_of_both, x_type>();
#else
  ts::check<sum_of_both, x_type, x_type>();
#endif
}
