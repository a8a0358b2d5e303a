// SPDX-License-Identifier: Apache-2.0
// A layer's error, in a file that includes <tessera/nn.hpp> first: as long as that of the operation.

#include <tessera/nn.hpp>

namespace ts = tessera;
using ts::none;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
template <class S, std::int64_t... E>
using f32 = ts::array_type<float, ts::shape<E...>, S, grid>;

TESSERA_TREE(block, up, down);
inline constexpr block declared{.up = ts::nn::linear<f32<P<none, mp>, 8, 16>>(),
                                .down = ts::nn::linear<f32<P<mp, none>, 16, 8>>()};
using parameters = ts::nn::types_of<decltype(declared)>;

#ifdef TESSERA_MISUSE
// expect: both operands split the contracted dimension over the same axes
// expect-fix: choose the result's layout: out_sharding<P<...>>
struct apply {
  constexpr auto operator()(auto p, auto x) const { return p.down(p.up(x)); }
};
// points-at: ts::check<apply, parameters, f32<P<dp>, 32, 8>>();
#else
struct apply {
  constexpr auto operator()(auto p, auto x) const { return p.down(p.up(x), ts::out_sharding<P<dp, none>>); }
};
#endif

int main() { ts::check<apply, parameters, f32<P<dp>, 32, 8>>(); }
