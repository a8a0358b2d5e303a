// SPDX-License-Identifier: Apache-2.0
// expect: what this program sends is no polynomial in its unknown sizes.
// expect-fix: ask comm_of with sizes in the types of the arguments
// points-at: constexpr auto const& cost = ts::comm_of<total, x_type>;
// How often the loop turns, and so how often it sends, is known only when it runs.

#include <tessera/tessera.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, ts::dynamic>>;

struct total {
  constexpr auto operator()(auto x) const {
    auto const shrink = [](auto s) { return ts::sum<0>(ts::reshard<ts::P<dp>>(s)) * ts::ones_like(s); };
#ifdef TESSERA_MISUSE
    return ts::while_loop([](auto s) { return ts::sum(s) > 1.0f; }, shrink, x);
#else
    return shrink(x);
#endif
  }
};

using x_type = ts::array_type<float, ts::shape<ts::dynamic>, ts::P<dp>, grid>;
constexpr auto const& cost = ts::comm_of<total, x_type>;

int main() { return cost.count() == 0; }
