// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/index/sort.hpp>
#include <tessera/op/reduce/cumlogsumexp.hpp>
#include <tessera/op/reduce/cumulative_extreme.hpp>

#include "support/typed.hpp"

namespace sort_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
constexpr auto& x = of<shape<8, 4>, P<dp>>;

// The dimension worked on is whole; others keep their layout.
TYPE_IS((tessera::sort(x)), "float32[8@dp,4]");
TYPE_IS((argsort<1>(x)), "int32[8@dp,4]");
TYPE_IS((std::get<0>(top_k<2>(x))), "float32[8@dp,2]");
TYPE_IS((std::get<1>(top_k<2>(x))), "int32[8@dp,2]");
TYPE_IS((cumsum<1>(x)), "float32[8@dp,4]");
TYPE_IS((cumsum<1>(of<shape<8, 4>, P<dp>, bool>)), "int32[8@dp,4]");
TYPE_IS((cummax<0>(of<shape<dynamic, 4>, P<none, mp>>)), "float32[?,4@mp]");
REFUSED(sharded_dim_unsupported, tessera::sort<0>(x));
REFUSED(sharded_dim_unsupported, cumprod<0>(x));
REFUSED(sharded_dim_unsupported, cumprod(x));
TYPE_IS((cumprod(of<shape<8, 4>, P<>>)), "float32[32]");
REFUSED(sharded_dim_unsupported, std::get<1>(top_k<2>(of<shape<8, 4>, P<dp, mp>>)));
REFUSED(dim_out_of_range, cumsum<2>(x));
REFUSED(index_out_of_range, std::get<0>(top_k<5>(x)));
TYPE_IS((cumlogsumexp<1>(of<shape<8, 4>, P<dp>, int32>)), "float32[8@dp,4]");

}  // namespace sort_cases
