// SPDX-License-Identifier: Apache-2.0
// expect: on an uneven axis blocks are rounded up, so that what is sent is no polynomial in unknown sizes.
// expect-fix: ask comm_of with sizes in the types of the mesh and the arguments
// points-at: constexpr auto const& cost = ts::comm_of<total, x_type>;
// What a program sends is asked on a mesh of unknown size, whose axis splits what it does not divide.

#include <tessera/tessera.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
#ifdef TESSERA_MISUSE
using grid = ts::mesh<ts::uneven_axis<dp, ts::dynamic>>;
#else
using grid = ts::mesh<ts::explicit_axis<dp, ts::dynamic>>;
#endif

struct total {
  constexpr auto operator()(auto x) const { return ts::sum<0>(x); }
};

using x_type = ts::array_type<float, ts::shape<ts::dynamic, 4>, ts::P<dp>, grid>;
constexpr auto const& cost = ts::comm_of<total, x_type>;

int main() { return static_cast<int>(cost.count()) - 1; }
