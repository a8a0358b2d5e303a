// SPDX-License-Identifier: Apache-2.0
// expect: the program does not communicate as expected: sends<...> is each collective of one call
// expect-fix: collective::all_reduce, tessera::error::over<mp>
// expect-fix: bytes<128>
// expect-fix: times<1>
// expect-fix: by<tessera::ops::dot_general>
// expect-fix: at_line<23>
// expect-fix: collective::all_gather, tessera::error::over<dp>
// expect-fix: bytes_in_all<512>
// points-at: return ts::reshard<ts::P<>>(y);
// One layout too many: the table shows an all_gather that nobody expected.

#include <tessera/tessera.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

struct product {
  constexpr auto operator()(auto x, auto w) const {
    auto const y = ts::matmul(x, w, ts::out_sharding<ts::P<dp>>);
#ifdef TESSERA_MISUSE
    return ts::reshard<ts::P<>>(y);
#else
    return y;
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<16, 8>, ts::P<dp, mp>, grid>;
using w_type = ts::array_type<float, ts::shape<8, 8>, ts::P<mp>, grid>;
static_assert(ts::expect_comm<product, x_type, w_type>([](auto const& cost) {
  return cost.count() == 1 && cost.count(ts::collective::all_reduce) == 1 && cost.template bytes_over<mp>() <= 128;
}));

int main() {}
