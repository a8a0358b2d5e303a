// SPDX-License-Identifier: Apache-2.0
// expect: there is not one entry for each argument, or each result, of the function.
// expect-fix: entries<2>
// expect-fix: tree_parts<3>
// points-at: int main() { return ts::comm_of<decltype(step), std::tuple<x_type, x_type, x_type>>.count() > 3; }
// A tree of two specs for a tree of three arrays.

#include <tessera/tessera.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::auto_axis<dp, 4>>;
using x_type = ts::array_type<float, ts::shape<8>, ts::P<>, grid>;

struct sum {
  constexpr auto operator()(auto p) const { return std::get<0>(p) + std::get<1>(p) + std::get<2>(p); }
};
#ifdef TESSERA_MISUSE
using specs = std::tuple<ts::P<dp>, ts::P<>>;
#else
using specs = std::tuple<ts::P<dp>, ts::P<>, ts::P<>>;
#endif
constexpr auto step = ts::jit<ts::in_shardings<specs>>(sum{});

int main() { return ts::comm_of<decltype(step), std::tuple<x_type, x_type, x_type>>.count() > 3; }
