// SPDX-License-Identifier: Apache-2.0
// expect: tangents have the types of the arguments
// expect-fix: error::reshard_result<
// The direction lies on every device; the argument is split.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct moved {
  constexpr auto operator()(auto x, auto direction) const {
    auto const energy = [](auto v) { return ts::sum(v * v); };
#ifdef TESSERA_MISUSE
    return ts::jvp(energy, x, direction);
#else
    return ts::jvp(energy, x, ts::reshard<ts::P<dp>>(direction));
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;
using whole_type = ts::array_type<float, ts::shape<8, 4>, ts::P<>, line>;

int main() { ts::check<moved, x_type, whole_type>(); }
