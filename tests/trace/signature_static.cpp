// SPDX-License-Identifier: Apache-2.0
// Equal layouts are one type in a signature: however an argument spells its layout, a function is traced and planned once.

#include <tessera/tessera.hpp>

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
template <class S>
using matrix = ts::array_type<float, ts::shape<8, 4>, S, grid>;
using short_of = matrix<ts::P<dp>>;
using whole = matrix<ts::P<dp, ts::none>>;  // what device_put gives for both
using listed = matrix<ts::P<ts::axes<dp>>>;

static_assert(std::is_same_v<ts::signature_of<whole>, whole>);
static_assert(std::is_same_v<ts::signature_of<short_of>, whole> && std::is_same_v<ts::signature_of<listed>, whole>);
static_assert(std::is_same_v<ts::signature_of<ts::array<short_of>>, whole>);
static_assert(std::is_same_v<ts::signature_of<std::tuple<short_of, float, ts::array<listed>>>,
                             ts::signature_of<std::tuple<whole, float, ts::array<whole>>>>);
// What says more than a layout stays: a partial sum is no whole value.
static_assert(!std::is_same_v<
              ts::signature_of<ts::array_type<float, ts::shape<8, 4>, ts::P<dp>, grid, ts::unreduced<mp>>>, whole>);

struct twice {
  constexpr auto operator()(auto x) const { return x + x; }
};
using traced = ts::trace_of<twice, ts::signature_of<short_of>>;
static_assert(std::is_same_v<traced, ts::trace_of<twice, ts::signature_of<whole>>>);
// One plan: its cost is one object.
static_assert(&ts::comm_of<twice, short_of> == &ts::comm_of<twice, whole>);
static_assert(&ts::comm_of<twice, short_of> == &ts::detail::planned<traced>::cost);
