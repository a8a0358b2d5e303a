// SPDX-License-Identifier: Apache-2.0
// expect: a traced value stands where C++ decides at once (if, while, &&, !)
// expect-fix: where(pred, x, y) or cond(pred, f, g, x) for if
// expect-fix: operand<bool>
// Steps that are too long are cut: how long they are is not known while the function is traced.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

struct clipped {
  constexpr auto operator()(auto step) const {
    auto const squares = ts::sum(step * step);
#ifdef TESSERA_MISUSE
    return squares > 1 ? step / ts::sqrt(squares) : step;
#else
    return ts::where(squares > 1, step / ts::sqrt(squares), step);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8>, ts::P<dp>, grid>;

int main() { ts::check<clipped, x_type>(); }
