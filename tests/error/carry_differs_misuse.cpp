// SPDX-License-Identifier: Apache-2.0
// expect: the body of a loop returns carried values of other types than it began with: each component<...> has its path
// expect-fix: "carry"}
// expect-fix: pvary_init<dp>
// points-at: auto const [last, all] = ts::scan([](auto sum, auto row) { return std::tuple{sum + row, sum}; }, start, block);
// What is carried begins the same on all devices and comes back as each device's own.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct running_sum {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) {
#ifdef TESSERA_MISUSE
      auto const start = ts::psum<dp>(ts::sum<0>(block)) * 0;
#else
      auto const start = ts::pvary<dp>(ts::psum<dp>(ts::sum<0>(block)) * 0);
#endif
      auto const [last, all] = ts::scan([](auto sum, auto row) { return std::tuple{sum + row, sum}; }, start, block);
      return all;
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<running_sum, x_type>(); }
