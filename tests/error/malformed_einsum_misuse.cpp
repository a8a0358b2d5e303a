// SPDX-License-Identifier: Apache-2.0
// expect: the einsum subscripts do not fit the operands.
// expect-fix: ij,jk->iz
// The result has a letter that no operand has.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct product {
  constexpr auto operator()(auto x, auto w) const {
#ifdef TESSERA_MISUSE
    return ts::einsum<"ij,jk->iz">(x, w);
#else
    return ts::einsum<"ij,jk->ik">(x, w);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;
using w_type = ts::array_type<float, ts::shape<4, 4>, ts::P<>, grid>;

int main() { ts::check<product, x_type, w_type>(); }
