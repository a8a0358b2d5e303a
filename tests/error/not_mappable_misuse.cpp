// SPDX-License-Identifier: Apache-2.0
// expect: vmap has no rule for this operation on these operands
// expect-fix: move the operation out of vmap
// points-at: return ts::shard_map<ts::in_specs<ts::P<ts::none>>, ts::out_specs<ts::P<ts::none>>>([](auto b) { return b * b; })(
// The rows are split over dp already; a shard_map over dp inside would split them again.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct squares {
  constexpr auto operator()(auto given) const {
#ifdef TESSERA_MISUSE
    auto const x = given;
#else
    auto const x = ts::reshard<ts::P<>>(given);
#endif
    return ts::vmap([](auto row) {
      return ts::shard_map<ts::in_specs<ts::P<ts::none>>, ts::out_specs<ts::P<ts::none>>>([](auto b) { return b * b; })(
          row);
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<squares, x_type>(); }
