// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/index/at.hpp>

#include "support/typed.hpp"

namespace at_cases {
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
constexpr auto& cube = of<shape<2, 3, 4, 5>, P<>>;
constexpr auto& two = of<shape<2>, P<>, int32>;

TYPE_IS((columns.at(-1).get()), "float32[4@mp]");
TYPE_IS((columns.at(one).get()), "float32[4@mp]");
TYPE_IS((x.at(span<0, 4>()).get()), "float32[4@dp,4@mp]");
TYPE_IS((x.at(span<0, to_end, 2>()).get()), "float32[4@dp,4@mp]");
TYPE_IS((x.at(span<to_end, to_end, -1>()).get()), "float32[8@dp,4@mp]");
TYPE_IS((x.at(ellipsis, newaxis).get()), "float32[8@dp,4@mp,1]");
TYPE_IS((x.at(newaxis, every).get()), "float32[1,8@dp,4@mp]");
TYPE_IS((whole.at(span<1, -1>(), 0).get()), "float32[6]");
TYPE_IS((whole.at(span<6, 100, 5>(), one).get()), "float32[1]");
TYPE_IS((x.at(0).get(out_sharding<P<mp>>)), "float32[4@mp]");
TYPE_IS((x.at(span<0, 3>()).get(out_sharding<P<none, mp>>)), "float32[3,4@mp]");
REFUSED(not_divisible, x.at(0).get());
REFUSED(not_divisible, rows.at(one).get());
REFUSED(not_divisible, x.at(every, 0).get());
REFUSED(not_divisible, x.at(span<0, 3>()).get());
REFUSED(ranks_disagree, x.at(0, 0, 0).get());

TYPE_IS((whole.at(four).get()), "float32[4,4]");
TYPE_IS((columns.at(of<shape<2, 3>, P<>, int32>).get()), "float32[2,3,4@mp]");
TYPE_IS((whole.at(four, four).get()), "float32[4]");
TYPE_IS((whole.at(four, one).get()), "float32[4]");
TYPE_IS((whole.at(four, 1).get()), "float32[4]");
TYPE_IS((rows.at(every, four).get()), "float32[8@dp,4]");
TYPE_IS((x.at(four).get(out_sharding<P<dp, mp>>)), "float32[4@dp,4@mp]");
TYPE_IS((rows.at(split).get(out_sharding<P<none, none>>)), "float32[4,4]");
TYPE_IS((whole.at(split).get(out_sharding<P<dp, none>>)), "float32[4@dp,4]");
TYPE_IS((of<shape<32, 16>, P<none, mp>>.at(of<shape<8, 4>, P<dp>, int32>).get(out_sharding<P<dp, none, mp>>)),
        "float32[8@dp,4,16@mp]");
REFUSED(needs_out_sharding, rows.at(every, of<shape<2>, P<mp>, int32>).get());
REFUSED(needs_out_sharding, x.at(every, two).get());
REFUSED(needs_out_sharding, whole.at(split).get());
REFUSED(needs_out_sharding, rows.at(span<0, 4>(), four).get());
REFUSED(shapes_disagree, whole.at(four, of<shape<3>, P<>, int32>).get());
REFUSED(element_unsupported, whole.at(of<shape<4>, P<>>).get());

// Where the arrays' dimensions stand.
TYPE_IS((cube.at(two, every, two).get()), "float32[2,3,5]");
TYPE_IS((cube.at(every, two, two).get()), "float32[2,2,5]");
TYPE_IS((cube.at(two, 0).get()), "float32[2,4,5]");
TYPE_IS((cube.at(0, every, two).get()), "float32[2,3,5]");
TYPE_IS((cube.at(every, 0, two).get()), "float32[2,2,5]");
TYPE_IS((cube.at(every, two, newaxis, two).get()), "float32[2,2,1,5]");
TYPE_IS((cube.at(of<shape<2, 1>, P<>, int32>, ellipsis, two).get()), "float32[2,2,3,4]");
TYPE_IS((cube.at(span<0, 1>(), two).get()), "float32[1,2,4,5]");

TYPE_IS((columns.at(0).set(1.0)), "float32[8,4@mp]");
TYPE_IS((columns.at(0).add(of<shape<4>, P<mp>>)), "float32[8,4@mp]");
TYPE_IS((columns.at(span<0, 4>()).add(1.0)), "float32[8,4@mp]");
TYPE_IS((columns.at(span<0, 4>()).add(of<shape<4, 4>, P<>>)), "float32[8,4@mp]");
TYPE_IS((columns.at(four).add(of<shape<4, 4>, P<none, mp>>)), "float32[8,4@mp]");
TYPE_IS((columns.at(four).set(of<shape<4, 4>, P<>>)), "float32[8,4@mp]");
TYPE_IS((columns.at(four).multiply(of<shape<4>, P<mp>>)), "float32[8,4@mp]");
TYPE_IS((rows.at(every).max(1)), "float32[8@dp,4]");
TYPE_IS((rows.at(every, one).min(2.0)), "float32[8@dp,4]");
TYPE_IS((whole.at(0).set(of<shape<4>, P<>, int32>)), "float32[8,4]");
TYPE_IS((x.at(four).set(of<shape<4, 4>, P<none, mp>>, out_sharding<P<dp, mp>>)), "float32[8@dp,4@mp]");
TYPE_IS((x.at(four).add(1.0, out_sharding<P<none, mp>>)), "float32[8,4@mp]");
REFUSED(needs_out_sharding, x.at(span<0, 4>()).set(1.0));
REFUSED(needs_out_sharding, columns.at(every, span<0, 2>()).add(1.0));
REFUSED(needs_out_sharding, x.at(four).add(of<shape<4, 4>, P<none, mp>>));
REFUSED(needs_out_sharding, x.at(split).set(of<shape<4, 4>, P<dp, mp>>));
REFUSED(dims_disagree, columns.at(four).set(of<shape<4, 4>, P<dp, mp>>));
REFUSED(dims_disagree, whole.at(four).set(of<shape<4, 4>, P<none, mp>>));
REFUSED(shapes_disagree, whole.at(four).set(of<shape<3, 4>, P<>>));
REFUSED(mask_as_index, whole.at(of<shape<8>, P<>, bool>).get());
REFUSED(mask_as_index, rows.at(of<shape<8>, P<dp>, bool>).add(1.0));
REFUSED(mask_as_index, x.at(of<shape<8, 4>, P<dp, mp>, bool>).set(0.0));
REFUSED(mask_as_index, whole.at(every, of<shape<4>, P<>, bool>).get());
TYPE_IS((whole.at(of<shape<3>, P<>, uint8>).get()), "float32[3,4]");

}  // namespace at_cases
