// SPDX-License-Identifier: Apache-2.0
// expect: a function is not linear, and must be
// expect-fix: tessera::ops::linear_transpose
// A measurement with an offset is not linear.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct transposed {
  constexpr auto operator()(auto x, auto bar) const {
#ifdef TESSERA_MISUSE
    auto const measure = [](auto v) { return ts::sum<0>(v) + 1.0f; };
#else
    auto const measure = [](auto v) { return ts::sum<0>(v); };
#endif
    return ts::linear_transpose(measure, x)(bar);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;
using bar_type = ts::array_type<float, ts::shape<4>, ts::P<>, line>;

int main() { ts::check<transposed, x_type, bar_type>(); }
