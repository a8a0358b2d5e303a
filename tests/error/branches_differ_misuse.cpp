// SPDX-License-Identifier: Apache-2.0
// expect: branches return different types: each component<...> has its path
// expect-fix: error::astype_result<
// points-at: return ts::cond(
// One branch gives floats, the other one how many of them are positive.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct chosen {
  constexpr auto operator()(auto x) const {
    return ts::cond(
        ts::sum(x) > 0, [](auto v) { return ts::sum(v); },
        [](auto v) {
          auto const positive = ts::sum(ts::astype<ts::int32>(v > 0));
#ifdef TESSERA_MISUSE
          return positive;
#else
          return ts::astype<float>(positive);
#endif
        },
        x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<chosen, x_type>(); }
