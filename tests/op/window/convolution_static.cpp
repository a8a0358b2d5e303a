// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/window/conv.hpp>
#include <tessera/op/window/convolution.hpp>
#include <tessera/op/window/pool.hpp>
#include <tessera/op/window/reduce_window.hpp>

#include "support/typed.hpp"

namespace convolution_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
template <class Spec>
constexpr auto& x = of<shape<4, 2, 8, 8>, Spec>;
template <class Spec>
constexpr auto& k = of<shape<4, 2, 3, 3>, Spec>;

// The batch and the places keep their layout; sharded features or kernels have to be settled.
TYPE_IS((conv(x<P<dp>>, k<P<>>, same)), "float32[4@dp,4,8,8]");
TYPE_IS((conv(x<P<dp, none, mp>>, k<P<>>, same)), "float32[4@dp,4,8@mp,8]");
TYPE_IS((conv(x<P<dp, mp>>, k<P<>>, same, out_sharding<P<dp>>)), "float32[4@dp,4,8,8]");
TYPE_IS((conv(x<P<dp>>, k<P<mp>>, same, out_sharding<P<dp, mp>>)), "float32[4@dp,4@mp,8,8]");
REFUSED(needs_out_sharding, conv(x<P<dp, mp>>, k<P<>>, same));
REFUSED(needs_out_sharding, conv(x<P<>>, k<P<mp>>, same));
REFUSED(not_divisible, conv(x<P<none, none, dp>>, k<P<>>));
REFUSED(shapes_disagree, conv(x<P<>>, of<shape<4, 3, 3, 3>, P<>>));
REFUSED(ranks_disagree, conv(x<P<>>, of<shape<4, 2, 3>, P<>>));
REFUSED(elements_disagree, conv(x<P<>>, of<shape<4, 2, 3, 3>, P<>, double>));

TYPE_IS((reduce_window_sum(of<shape<8, 8>, P<dp, mp>>, window<2, 1>, strided<2, 1>)), "float32[4@dp,8@mp]");
REFUSED(not_divisible, reduce_window_sum(of<shape<8, 8>, P<dp, mp>>, window<4, 1>, strided<4, 1>));
TYPE_IS((max_pool(of<shape<4, 8, 8, 2>, P<dp>, int32>, window<2, 2>, strided<2, 2>)), "int32[4@dp,4,4,2]");
TYPE_IS((max_pool(of<shape<4, 2, 8, 8>, P<dp>, int32>, window<2, 2>, strided<2, 2>, nchw)), "int32[4@dp,2,4,4]");
REFUSED(ranks_disagree, max_pool(of<shape<8>, P<>>, window<2, 2>));
REFUSED(ranks_disagree, max_pool(of<shape<8, 8>, P<>>, window<2, 2>, nchw));
REFUSED(ranks_disagree, reduce_window_max(of<shape<8, 8>, P<>>, window<2>));

}  // namespace convolution_cases
