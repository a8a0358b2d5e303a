// SPDX-License-Identifier: Apache-2.0
// expect: auto_axes and explicit_axes cannot change an axis that is Manual
// expect-fix: name the other axes, axis_names<...>
// auto_axes of all axes inside shard_map.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct doubled {
  constexpr auto operator()(auto x) const { return x * 2.0f; }
};
struct blocks {
  constexpr auto operator()(auto x) const {
    auto const block = [](auto b) {
#ifdef TESSERA_MISUSE
      return ts::auto_axes<ts::out_shardings<ts::P<>>>(doubled{})(b);
#else
      return ts::auto_axes<ts::axis_names<mp>, ts::out_shardings<ts::P<>>>(doubled{})(b);
#endif
    };
    return ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>, ts::axis_names<dp>>(block)(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid>;

int main() { ts::check<blocks, x_type>(); }
