// SPDX-License-Identifier: Apache-2.0
// 200 operations in a row, of a handful of signatures: what a long function costs.
// goal: 0.8 times Kokkos_Core.hpp
// budget: 1.35 times Kokkos_Core.hpp, 0.3 GB

#include <tessera/types.hpp>

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using x = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, ts::none>, grid>;
using y = ts::array_type<float, ts::shape<8, 4>, ts::P<ts::none, mp>, grid>;

// A loop in traced code unrolls: 25 rounds of 8 operations.
struct chain {
  constexpr auto operator()(auto a, auto b) const {
    auto t = a + b;
    for (int i = 0; i < 25; ++i) {
      t = t * a + b;
      t = ts::tanh(t) * 0.5 - a;
      t = ts::exp(-t) + t;
    }
    return t;
  }
};
using traced = ts::trace_of<chain, x, y>;
static_assert(traced::accepted && traced::traced_size.nodes > 200);
