// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/shape/repeat.hpp>
#include <tessera/op/shape/roll.hpp>
#include <tessera/op/shape/unstack.hpp>

#include "support/typed.hpp"

namespace rearrange_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
constexpr auto& x = of<shape<8, 4>, P<dp, mp>>;
constexpr auto& rows = of<shape<8, 4>, P<dp>>;
constexpr auto& columns = of<shape<8, 4>, P<none, mp>>;
constexpr auto& whole = of<shape<8, 4>, P<>>;

TYPE_IS((roll<4, 0>(x)), "float32[8@dp,4@mp]");
TYPE_IS((roll<1, 1>(rows)), "float32[8@dp,4]");
TYPE_IS((roll<-1, -2>(columns)), "float32[8,4@mp]");
TYPE_IS((roll<8, 0>(x)), "float32[8@dp,4@mp]");
TYPE_IS((roll<2, 0, 1>(columns)), "float32[8,4@mp]");
TYPE_IS((roll<1>(whole)), "float32[8,4]");
TYPE_IS((roll<4>(rows)), "float32[8@dp,4]");
TYPE_IS((roll<1, 0>(x)), "float32[8@dp,4@mp]");
TYPE_IS((roll<1>(rows)), "float32[8@dp,4]");
REFUSED(ambiguous_reshape, roll<1>(columns));
REFUSED(dim_out_of_range, roll<1, 2>(x));

TYPE_IS((repeat<4, 0>(of<shape<8>, P<>>)), "float32[32]");
TYPE_IS((repeat<2>(whole)), "float32[64]");
TYPE_IS((repeat<3, 1>(rows)), "float32[8@dp,12]");
TYPE_IS((repeat<2, 0>(columns)), "float32[16,4@mp]");
TYPE_IS((repeat<0, 0>(whole)), "float32[0,4]");
TYPE_IS((repeat<2, 0>(rows, out_sharding<P<dp>>)), "float32[16@dp,4]");
TYPE_IS((repeat<2, 1>(rows, out_sharding<P<none, mp>>)), "float32[8,8@mp]");
TYPE_IS((repeat<2>(x, out_sharding<P<dp>>)), "float32[64@dp]");
TYPE_IS((repeat<2, 0>(of<shape<dynamic, 4>, P<>>)), "float32[?,4]");
REFUSED(needs_out_sharding, repeat<2, 0>(x));
REFUSED(needs_out_sharding, repeat<1, 0>(rows));
REFUSED(needs_out_sharding, repeat<2>(rows));
REFUSED(not_divisible, repeat<1, 1>(of<shape<8, 3>, P<>>, out_sharding<P<none, mp>>));
REFUSED(dim_out_of_range, repeat<2, 2>(x));

TYPE_IS((unstack<1>(of<shape<4, 2>, P<dp>>)[1]), "float32[4@dp]");
TYPE_IS((unstack(of<shape<3>, P<>>)[0]), "float32[]");
static_assert(std::tuple_size_v<decltype(unstack<-1>(whole))> == 4);
REFUSED(sharded_dim_unsupported, unstack<1>(of<shape<4, 2>, P<dp, mp>>)[0]);
REFUSED(dim_out_of_range, unstack<2>(whole)[0]);

TYPE_IS((std::get<1>(split_at<0, 2, 5>(whole))), "float32[3,4]");
TYPE_IS((std::get<2>(split_at<0, 2, 5>(columns))), "float32[3,4@mp]");
TYPE_IS((std::get<0>(split_at<-2, 4>(x))), "float32[4@dp,4@mp]");
REFUSED(not_divisible, std::get<0>(split_at<0, 2, 5>(rows)));

TYPE_IS((atleast_1d(of<shape<>, P<>>)), "float32[1]");
TYPE_IS((atleast_2d(of<shape<8>, P<dp>>)), "float32[1,8@dp]");
TYPE_IS((atleast_3d(of<shape<8>, P<dp>>)), "float32[1,8@dp,1]");
TYPE_IS((atleast_3d(x)), "float32[8@dp,4@mp,1]");
TYPE_IS((atleast_2d(x)), "float32[8@dp,4@mp]");

}  // namespace rearrange_cases
