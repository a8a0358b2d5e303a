// SPDX-License-Identifier: Apache-2.0
// expect: the operands have different element types.
// expect-fix: rhs<int, 8, 4>
// expect-fix: astype<
// Integers are written into an array of floating numbers.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct written {
  constexpr auto operator()(auto x, auto part) const {
#ifdef TESSERA_MISUSE
    return ts::update_slice(x, part, ts::starts<0, 0>);
#else
    return ts::update_slice(x, ts::astype<float>(part), ts::starts<0, 0>);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;
using part_type = ts::array_type<int, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<written, x_type, part_type>(); }
