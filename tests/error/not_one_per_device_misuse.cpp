// SPDX-License-Identifier: Apache-2.0
// expect: without tiled the dimension at_dim<...> goes, and has to have exactly one element for each device: parts<...>.
// expect-fix: size<8>
// expect-fix: parts<4>
// expect-fix: say tiled as the last argument
// Each of 4 devices is to keep its part of a sum of 8 rows.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct gradient_shares {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) {
#ifdef TESSERA_MISUSE
      return ts::psum_scatter<dp>(block, ts::dim<0>);
#else
      return ts::psum_scatter<dp>(block, ts::dim<0>, ts::tiled);
#endif
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<32, 4>, ts::P<dp>, line>;

int main() { ts::check<gradient_shares, x_type>(); }
