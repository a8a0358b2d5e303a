// SPDX-License-Identifier: Apache-2.0
// expect: there is not one entry for each argument, or each result, of the function.
// expect-fix: entries<1>
// expect-fix: arguments<2>
// expect-fix: at_line<
// points-at: return ts::shard_map<given, ts::out_specs<ts::P<dp>>>(on_each{})(x, w);
// One spec for two arguments.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

struct on_each {
  constexpr auto operator()(auto x, auto w) const { return x * w; }
};
#ifdef TESSERA_MISUSE
using given = ts::in_specs<ts::P<dp>>;
#else
using given = ts::in_specs<ts::P<dp>, ts::P<>>;
#endif
struct everywhere {
  constexpr auto operator()(auto x, auto w) const {
    return ts::shard_map<given, ts::out_specs<ts::P<dp>>>(on_each{})(x, w);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;
using w_type = ts::array_type<float, ts::shape<4>, ts::P<>, grid>;

int main() { ts::check<everywhere, x_type, w_type>(); }
