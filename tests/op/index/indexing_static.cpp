// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/index/dynamic_slice.hpp>
#include <tessera/op/index/dynamic_slice_in_dim.hpp>
#include <tessera/op/index/take.hpp>

#include "support/typed.hpp"

namespace indexing_cases {
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
constexpr auto& four = of<shape<4>, P<>, int32>;
constexpr auto& split = of<shape<4>, P<dp>, int32>;
constexpr auto& one = of<shape<>, P<>, int32>;

TYPE_IS((dynamic_slice<3, 1>(whole, 0, 1)), "float32[3,1]");
TYPE_IS((dynamic_slice<1, 4>(columns, one, 0)), "float32[1,4@mp]");
TYPE_IS((dynamic_slice<4, to_end>(x, one, one)), "float32[4@dp,4@mp]");
REFUSED(not_divisible, dynamic_slice<3, 4>(x, one, 0));
REFUSED(not_divisible, dynamic_slice<8, 2>(of<shape<8, 8>, P<mp, dp>>, 0, 0));
REFUSED(index_out_of_range, dynamic_slice<9, 4>(whole, one, one));
REFUSED(ranks_disagree, dynamic_slice<3, 4>(whole, one));
REFUSED(element_unsupported, dynamic_slice<3, 4>(whole, of<shape<>, P<>>, 0));
TYPE_IS((dynamic_slice_in_dim<0, 4>(x, one)), "float32[4@dp,4@mp]");
TYPE_IS((dynamic_index_in_dim<0>(columns, one)), "float32[1,4@mp]");
TYPE_IS((dynamic_index_in_dim<-1, false>(rows, one)), "float32[8@dp]");
REFUSED(not_divisible, dynamic_index_in_dim<0>(x, one));
REFUSED(dim_out_of_range, dynamic_index_in_dim<2>(x, one));
TYPE_IS((dynamic_update_slice(rows, of<shape<4, 4>, P<dp>>, 0, 0)), "float32[8@dp,4]");
TYPE_IS((dynamic_update_slice(columns, of<shape<2, 4>, P<none, mp>>, one, 0)), "float32[8,4@mp]");
REFUSED(dims_disagree, dynamic_update_slice(x, of<shape<4, 4>, P<>>, 0, 0));
REFUSED(dims_disagree, dynamic_update_slice(x, of<shape<2, 4>, P<none, mp>>, one, one));
REFUSED(index_out_of_range, dynamic_update_slice(whole, of<shape<9, 4>, P<>>, 0, 0));
TYPE_IS((dynamic_update_slice_in_dim<0>(columns, of<shape<2, 4>, P<none, mp>>, one)), "float32[8,4@mp]");
TYPE_IS((dynamic_update_index_in_dim<0>(columns, of<shape<4>, P<mp>>, one)), "float32[8,4@mp]");
TYPE_IS((dynamic_update_index_in_dim<0>(columns, of<shape<1, 4>, P<none, mp>>, 2)), "float32[8,4@mp]");

TYPE_IS((take<0>(of<shape<32, 16>, P<none, mp>>, of<shape<8, 4>, P<>, int32>)), "float32[8,4,16@mp]");
TYPE_IS((take<1>(rows, four)), "float32[8@dp,4]");
TYPE_IS((take(whole, of<shape<3>, P<>, int64>)), "float32[3]");
TYPE_IS((take<0>(columns, 3)), "float32[4@mp]");
TYPE_IS((take<0>(columns, one, mode::clip)), "float32[4@mp]");
TYPE_IS((take<1>(of<shape<8, 1, 8>, P<none, none, mp>>, of<shape<1, 8>, P<>, int32>)), "float32[8,1,8,8@mp]");
TYPE_IS((take<0>(x, four, out_sharding<P<dp, mp>>)), "float32[4@dp,4@mp]");
TYPE_IS((take<0>(rows, split, out_sharding<P<>>)), "float32[4,4]");
TYPE_IS((take<0>(whole, split, out_sharding<P<dp>>)), "float32[4@dp,4]");
REFUSED(needs_out_sharding, take<0>(x, four));
REFUSED(needs_out_sharding, take<0>(whole, split));
REFUSED(needs_out_sharding, take<0>(columns, split));
REFUSED(needs_out_sharding, take<0>(rows, one));
REFUSED(needs_out_sharding, take(rows, four));
REFUSED(ambiguous_reshape, take(columns, four));
REFUSED(element_unsupported, take<0>(whole, of<shape<4>, P<>>));
REFUSED(dim_out_of_range, take<2>(whole, four));

TYPE_IS((take_along_axis<0>(whole, of<shape<8, 4>, P<>, int32>)), "float32[8,4]");
TYPE_IS((take_along_axis<1>(rows, of<shape<8, 4>, P<>, int32>)), "float32[8@dp,4]");
TYPE_IS((take_along_axis<0>(columns, of<shape<8, 4>, P<none, mp>, int32>)), "float32[8,4@mp]");
TYPE_IS((take_along_axis<1>(rows, of<shape<8, 4>, P<dp>, int32>)), "float32[8@dp,4]");
TYPE_IS((take_along_axis<1>(whole, of<shape<8, 4>, P<dp>, int32>)), "float32[8@dp,4]");
TYPE_IS((take_along_axis<0>(columns, of<shape<3, 1>, P<>, int32>)), "float32[3,4@mp]");
TYPE_IS((take_along_axis<1>(of<shape<1, 4>, P<>>, of<shape<3, 4>, P<>, int32>)), "float32[3,4]");
REFUSED(needs_out_sharding, take_along_axis<1>(x, of<shape<8, 4>, P<dp, mp>, int32>));
REFUSED(needs_out_sharding, take_along_axis<0>(columns, of<shape<8, 4>, P<dp, mp>, int32>));
REFUSED(needs_out_sharding, take_along_axis<1>(x, of<shape<8, 2>, P<dp>, int32>));
REFUSED(shapes_disagree, take_along_axis<0>(whole, of<shape<8, 3>, P<>, int32>));

}  // namespace indexing_cases
