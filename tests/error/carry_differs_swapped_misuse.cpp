// SPDX-License-Identifier: Apache-2.0
// expect: the body of a loop returns carried values of other types than it began with: each component<...> has its path
// expect-fix: "carry.1"}
// expect-fix: pvary_init<dp>
// points-at: auto const last = ts::fori_loop(
// Two carried values change places. The first, which varies, is right as soon as the second begins as varying.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

struct alternate {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) {
#ifdef TESSERA_MISUSE
      auto const total = ts::psum<dp>(block);
#else
      auto const total = ts::pvary<dp>(ts::psum<dp>(block));
#endif
      auto const last = ts::fori_loop(
          0, 3,
          [](auto, auto both) {
            auto const [own, other] = both;
            return std::tuple{other, own};
          },
          std::tuple{block, total});
      return std::get<0>(last);
    })(x);
  }
};

using x_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<alternate, x_type>(); }
