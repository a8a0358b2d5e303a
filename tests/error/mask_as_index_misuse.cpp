// SPDX-License-Identifier: Apache-2.0
// expect: an array of bool stands as an index: how many elements it picks is known only when it runs.
// expect-fix: where(mask, x, 0)
// The positive elements, as numpy would pick them.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct positive {
  constexpr auto operator()(auto x) const {
    auto mask = x > 0;
#ifdef TESSERA_MISUSE
    return ts::sum(x.at(mask).get());
#else
    return ts::sum(ts::where(mask, x, 0));
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8>, ts::P<dp>, grid>;

int main() { ts::check<positive, x_type>(); }
