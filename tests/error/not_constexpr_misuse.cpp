// SPDX-License-Identifier: Apache-2.0
// expect: the traced function is not constexpr, or calls what is not.
// expect-fix: write constexpr before its operator()
// points-at: int main() { ts::check<layer, x_type, w_type>(); }
// A layer without constexpr: a function is traced while the program compiles.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

struct layer {
#ifdef TESSERA_MISUSE
  auto operator()(auto x, auto w) const { return ts::matmul(x, w); }
#else
  constexpr auto operator()(auto x, auto w) const { return ts::matmul(x, w); }
#endif
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;
using w_type = ts::array_type<float, ts::shape<4, 4>, ts::P<>, grid>;

int main() { ts::check<layer, x_type, w_type>(); }
