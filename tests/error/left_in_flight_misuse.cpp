// SPDX-License-Identifier: Apache-2.0
// expect: a collective is started and not waited for where it began.
// expect-fix: auto y = psum_done(token)
// points-at: auto token = ts::psum_start<dp>(block);
// Nothing waits for the sum.

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
      static_cast<void>(token);
      return own;
#else
      return own + ts::psum_done(token);
#endif
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, mp>, grid>;

int main() { ts::check<per_device, x_type>(); }
