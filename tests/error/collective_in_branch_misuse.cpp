// SPDX-License-Identifier: Apache-2.0
// expect: devices that choose differently would wait for each other
// expect-fix: pmax<axis>(pred)
// points-at: pred, [](auto v) { return v / ts::pvary<dp>(ts::psum<dp>(ts::sum(v))); }, [](auto v) { return v; }, block);
// Each device looks at its own block and decides whether it takes part in a sum over all of them.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct summed_if_large {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) {
      auto const large = ts::max(block) > 100;
#ifdef TESSERA_MISUSE
      auto const pred = large;
#else
      auto const pred = ts::pmax<dp>(large);
#endif
      return ts::cond(
          pred, [](auto v) { return v / ts::pvary<dp>(ts::psum<dp>(ts::sum(v))); }, [](auto v) { return v; }, block);
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<summed_if_large, x_type>(); }
