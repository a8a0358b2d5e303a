// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/op/shape/permute.hpp>
#include <tessera/op/shape/reshard.hpp>
#include <tessera/op/shape/tile.hpp>

#include "support/typed.hpp"

namespace movement_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
struct elsewhere : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using mixed = mesh<explicit_axis<dp, 4>, auto_axis<mp, 2>>;
using planned = mesh<auto_axis<dp, 4>, auto_axis<mp, 2>>;
template <class Shape, class Spec, class M = grid>
constexpr traced<array_type<float, Shape, Spec, M>> of{};
constexpr auto& x = of<shape<8, 4>, P<dp, mp>>;

TYPE_IS((broadcast_to<3, 8, 4>(x)), "float32[3,8@dp,4@mp]");
TYPE_IS((broadcast_to<8, 4>(of<shape<8, 1>, P<dp>>)), "float32[8@dp,4]");
TYPE_IS((broadcast_to<8, 4>(of<shape<4>, P<mp>>, out_sharding<P<dp, mp>>)), "float32[8@dp,4@mp]");
TYPE_IS((broadcast_to<8, 4>(of<shape<8, 4>, P<>>, out_sharding<P<dp>>)), "float32[8@dp,4]");
TYPE_IS((broadcast_to<8, 4>(2.0)), "~float32[8,4]");
REFUSED(dims_disagree, broadcast_to<6, 4>(of<shape<4>, P<mp>>, out_sharding<P<none, dp>>));
REFUSED(shapes_disagree, broadcast_to<8, 3>(x));
REFUSED(ranks_disagree, broadcast_to<4>(x));
REFUSED(not_divisible, broadcast_to<6, 8, 4>(of<shape<8, 4>, P<>>, out_sharding<P<dp>>));
TYPE_IS((broadcast_in_dim<shape<8, 2, 4>, 0, 2>(x)), "float32[8@dp,2,4@mp]");
TYPE_IS((broadcast_in_dim<shape<8, 4>, 0>(of<shape<8>, P<dp>>, out_sharding<P<mp>>)), "float32[8@mp,4]");
REFUSED(dim_out_of_range, broadcast_in_dim<shape<4, 8>, 1, 0>(x));

TYPE_IS((transpose(x)), "float32[4@mp,8@dp]");
TYPE_IS((transpose<2, 0, 1>(of<shape<2, 4, 8>, P<none, dp, mp>>)), "float32[8@mp,2,4@dp]");
TYPE_IS((transpose<0, -1, 1>(of<shape<2, 4, 8>, P<none, dp, mp>>)), "float32[2,8@mp,4@dp]");
TYPE_IS((swapaxes<0, -1>(of<shape<2, 4, 8>, P<none, dp, mp>>)), "float32[8@mp,4@dp,2]");
TYPE_IS((moveaxis<0, -1>(of<shape<2, 4, 8>, P<none, dp, mp>>)), "float32[4@dp,8@mp,2]");
TYPE_IS((moveaxis<dims<0, 1>, dims<-1, -2>>(of<shape<2, 4, 8>, P<none, dp, mp>>)), "float32[8@mp,4@dp,2]");
REFUSED(dim_out_of_range, (moveaxis<dims<0, 0>, dims<1, 2>>(of<shape<2, 4, 8>, P<none, dp, mp>>)));
TYPE_IS((moveaxis<-1, 0>(of<shape<2, 4, 8>, P<none, dp, mp>>)), "float32[8@mp,2,4@dp]");
REFUSED(dim_out_of_range, transpose<0, 0>(x));
REFUSED(ranks_disagree, transpose<0>(x));
REFUSED(dim_out_of_range, swapaxes<0, 2>(x));

TYPE_IS((reshard<P<mp, dp>>(x)), "float32[8@mp,4@dp]");
TYPE_IS((reshard<P<>>(x)), "float32[8,4]");
TYPE_IS((reshard<P<axes<dp, mp>>>(x)), "float32[8@(dp,mp),4]");
TYPE_IS((reshard<P<unreduced<dp>>>(of<shape<8>, P<>>)), "float32[8]{U:dp}");
REFUSED(axis_used_twice, reshard<P<dp, dp>>(x));
REFUSED(axis_used_twice, reshard<P<dp, unreduced<dp>>>(x));
REFUSED(axis_not_in_mesh, reshard<P<elsewhere>>(x));
REFUSED(spec_too_long, reshard<P<dp, none, mp>>(x));
TYPE_IS((reshard<P<dp, mp, none>>(x)), "float32[8@dp,4@mp]");
REFUSED(not_divisible, reshard<P<dp>>(of<shape<6, 4>, P<>>));
REFUSED(auto_axis_named, reshard<P<dp, mp>>(of<shape<8, 4>, P<dp>, mixed>));
REFUSED(auto_axis_named, reshard<P<mp>>(of<shape<8, 4>, P<>, planned>));
TYPE_IS((reshard<P<>>(of<shape<8, 4>, P<>, planned>)), "float32[8,4]");

TYPE_IS((with_sharding_constraint<P<dp, mp>>(x)), "float32[8@dp,4@mp]");
REFUSED(constraint_differs, with_sharding_constraint<P<mp, dp>>(x));
TYPE_IS((with_sharding_constraint<P<mp>>(of<shape<8, 4>, P<>, planned>)), "float32[8,4]");
TYPE_IS((with_sharding_constraint<P<none, mp>>(of<shape<8, 4>, P<dp>, mixed>)), "float32[8@dp,4]");
TYPE_IS((with_sharding_constraint<P<mp>>(of<shape<3>, P<>, planned>)), "float32[3]");
REFUSED(axis_not_auto, with_sharding_constraint<P<dp, mp>>(of<shape<8, 4>, P<dp>, mixed>));
REFUSED(axis_not_in_mesh, with_sharding_constraint<P<elsewhere>>(of<shape<8, 4>, P<dp>, mixed>));

TYPE_IS((tile<3, 1>(of<shape<8, 4>, P<>>)), "float32[24,4]");
TYPE_IS((tile<2, 1, 1>(x)), "float32[2,8@dp,4@mp]");
TYPE_IS((tile<1>(x)), "float32[8@dp,4@mp]");
REFUSED(sharded_dim_unsupported, tile<2, 1>(x));

// A reshard into the layout that is there already is no node.
static_assert([] {
  builder b;
  b.recorded.mesh = grid::value;
  using type = array_type<float, shape<8, 4>, P<dp, mp>, grid>;
  reshard<P<dp, mp>>(traced<type>{&b, b.argument(info<ops::argument>, type::value).id});
  return b.size() == 1;
}());

}  // namespace movement_cases
