// SPDX-License-Identifier: Apache-2.0
// What one operation on one signature costs, with the type-level umbrella.

#include <tessera/types.hpp>

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using x = ts::array_type<float, ts::shape<8, 4>, ts::P<dp, ts::none>, grid>;
using y = ts::array_type<float, ts::shape<8, 4>, ts::P<ts::none, mp>, grid>;

struct sum_of {
  constexpr auto operator()(auto a, auto b) const { return a + b; }
};
static_assert(ts::type_text<ts::trace_of<sum_of, x, y>::result> == "float32[8@dp,4@mp]");
