// SPDX-License-Identifier: Apache-2.0
// expect: the body of a loop returns carried values of other types than it began with: each component<...> has its path
// expect-fix: "carry.params.w1"}
// expect-fix: reshard_result<tessera::P<dp>
// expect-fix: "carry.loss"}
// expect-fix: astype_result<float>
// points-at: auto const last = std::get<0>(ts::scan<3>(
// Of three carried values two come back as other types.

#include <tessera/types.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

template <class W, class B>
struct layer {
  W w1;
  B b;
  static constexpr ts::names<2> names{"w1", "b"};
};
template <class Params, class Loss>
struct state {
  Params params;
  Loss loss;
  static constexpr ts::names<2> names{"params", "loss"};
};

struct train {
  constexpr auto operator()(auto w) const {
    auto const last = std::get<0>(ts::scan<3>(
        [](auto now) {
          auto const [w1, b] = now.params;
#ifdef TESSERA_MISUSE
          auto const next = ts::reshard<ts::P<>>(w1 * 2);
          auto const loss = ts::astype<ts::bfloat16>(now.loss + 1);
#else
          auto const next = w1 * 2;
          auto const loss = now.loss + 1;
#endif
          return std::tuple{state{layer{next, b}, loss}, std::tuple{}};
        },
        state{layer{w, ts::sum<1>(w)}, ts::sum<1>(w)}));
    return last.loss;
  }
};

using w_type = ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, line>;

int main() { ts::check<train, w_type>(); }
