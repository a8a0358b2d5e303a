// SPDX-License-Identifier: Apache-2.0
// expect: an index or a slice reaches beyond its dimension.
// expect-fix: index<9>
// expect-fix: size<8>
// A slice of nine rows of eight.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct rows {
  constexpr auto operator()(auto x) const {
#ifdef TESSERA_MISUSE
    return ts::slice(x, ts::starts<0, 0>, ts::limits<9, 4>);
#else
    return ts::slice(x, ts::starts<0, 0>, ts::limits<8, 4>);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<rows, x_type>(); }
