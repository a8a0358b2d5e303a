// SPDX-License-Identifier: Apache-2.0
// expect: a collective that was started once is waited for more than once.
// expect-fix: wait once, and use what that returns twice.
// points-at: auto token = ts::psum_start<dp>(block);
// The sum is waited for twice.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct per_device {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<dp, mp>>>([](auto block) {
      auto token = ts::psum_start<dp>(block);
      auto own = ts::exp(block);
#ifdef TESSERA_MISUSE
      return own * ts::psum_done(token) + ts::psum_done(token);
#else
      return own + ts::psum_done(token);
#endif
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, mp>, grid>;

int main() { ts::check<per_device, x_type>(); }
