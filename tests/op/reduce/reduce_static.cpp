// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/index/searchsorted.hpp>
#include <tessera/op/index/segment.hpp>
#include <tessera/op/reduce/argmax.hpp>
#include <tessera/op/reduce/nan_reductions.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/reduce/softmax.hpp>
#include <tessera/op/reduce/statistics.hpp>
#include <tessera/op/reduce/summary.hpp>
#include <tessera/op/shape/reshard.hpp>

#include "support/typed.hpp"

namespace reduce_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
constexpr auto& x = of<shape<8, 4, 6>, P<dp, none, mp>>;

// Dimensions go with their axes; keepdims leaves them with extent 1.
TYPE_IS((sum(x)), "float32[]");
TYPE_IS((sum<0>(x)), "float32[4,6@mp]");
TYPE_IS((sum<-1, 0>(x)), "float32[4]");
TYPE_IS((max<1>(x, keepdims)), "float32[8@dp,1,6@mp]");
TYPE_IS((mean<2>(x, keepdims)), "float32[8@dp,4,1]");
TYPE_IS((min<0, 1, 2>(x)), "float32[]");
TYPE_IS((prod<1>(of<shape<8, dynamic>, P<dp>>)), "float32[8@dp]");
TYPE_IS((sum(x, keepdims)), "float32[1,1,1]");
REFUSED(dim_out_of_range, sum<3>(x));
REFUSED(dim_out_of_range, max<0, 0>(x));
REFUSED(dim_out_of_range, mean<-4>(x));

// Dtypes are numpy's.
template <class Element>
constexpr auto& as = of<shape<8, 4>, P<dp, mp>, Element>;
TYPE_IS((sum<0>(as<bool>)), "int32[4@mp]");
TYPE_IS((prod<0>(as<bool>)), "int32[4@mp]");
TYPE_IS((max<0>(as<bool>)), "bool[4@mp]");
TYPE_IS((sum<0>(as<int64>)), "int64[4@mp]");
TYPE_IS((mean<0>(as<int32>)), "float32[4@mp]");
TYPE_IS((mean<0>(as<bfloat16>)), "bfloat16[4@mp]");
TYPE_IS((any<1>(as<float>)), "bool[8@dp]");
TYPE_IS((all<1>(as<int32>)), "bool[8@dp]");
TYPE_IS((argmax<1>(as<float16>)), "int32[8@dp]");
TYPE_IS((argmin<0>(as<double>, keepdims)), "int32[1,4@mp]");
TYPE_IS((argmax(of<shape<8>, P<dp>>)), "int32[]");
REFUSED(ambiguous_reshape, argmax(of<shape<8, 4>, P<none, mp>>));
REFUSED(no_elements, argmax<0>(of<shape<0, 4>, P<dp, mp>>));

// One of nothing; a sum of nothing, and the largest of each of no rows, are there.
constexpr auto no_rows = of<shape<0, 4>, P<none, mp>>;
REFUSED(no_elements, max<0>(no_rows));
REFUSED(no_elements, min(no_rows));
REFUSED(no_elements, nanmax<0>(no_rows));
REFUSED(no_elements, nanmin<0>(no_rows, keepdims));
REFUSED(no_elements, ptp<0>(no_rows));
REFUSED(no_elements, median<0>(no_rows));
REFUSED(no_elements, quantile<0>(no_rows, 0.5));
REFUSED(no_elements, interp(of<shape<3>, P<>>, of<shape<0>, P<>>, of<shape<0>, P<>>));
TYPE_IS((max<1>(no_rows)), "float32[0]");
TYPE_IS((argmin<1>(no_rows)), "int32[0]");
TYPE_IS((reduce_max<0>(no_rows)), "float32[4@mp]");
TYPE_IS((logsumexp<0>(no_rows)), "float32[4@mp]");
TYPE_IS((median<0>(of<shape<dynamic, 4>, P<none, mp>>)), "float32[4@mp]");
TYPE_IS((argmax<0>(of<shape<(std::int64_t{1} << 31)>, P<>>)), "int32[]");
REFUSED(number_out_of_range, argmin<0>(of<shape<(std::int64_t{1} << 31) + 4>, P<>>));

// softmax and its kin.
TYPE_IS((softmax(as<float>)), "float32[8@dp,4@mp]");
TYPE_IS((log_softmax<0>(as<bfloat16>)), "bfloat16[8@dp,4@mp]");
TYPE_IS((logsumexp<-1>(as<float>)), "float32[8@dp]");
TYPE_IS((logsumexp(as<float>)), "float32[]");
TYPE_IS((logsumexp<0>(as<float>, keepdims)), "float32[1,4@mp]");
TYPE_IS((softmax<0, 1>(as<float>)), "float32[8@dp,4@mp]");
TYPE_IS((softmax(as<int32>)), "float32[8@dp,4@mp]");
TYPE_IS((layer_norm(as<float>)), "float32[8@dp,4@mp]");
TYPE_IS((one_hot<10>(of<shape<8>, P<dp>, int32>)), "float32[8@dp,10]");
TYPE_IS((one_hot<10, bfloat16>(of<shape<8, 4>, P<dp, mp>, int64>)), "bfloat16[8@dp,4@mp,10]");
TYPE_IS((one_hot<10, float, 0>(of<shape<8>, P<dp>, int32>)), "float32[10,8@dp]");
TYPE_IS((one_hot<10, float, -2>(of<shape<8, 4>, P<dp, mp>, int32>)), "float32[8@dp,10,4@mp]");
REFUSED(dim_out_of_range, (one_hot<10, float, 2>(of<shape<8>, P<dp>, int32>)));
TYPE_IS((one_hot<10>(of<shape<8>, P<dp>, bfloat16>)), "float32[8@dp,10]");
REFUSED(element_unsupported, one_hot<10>(as<bool>));
REFUSED(element_unsupported, layer_norm(as<int32>));
REFUSED(dim_out_of_range, softmax<2>(as<float>));

// A sum may be summed on before it is reduced; a maximum may not.
constexpr decltype(reshard<P<none, mp, unreduced<dp>>>(of<shape<8, 4>, P<none, mp>>)) pending{};
TYPE_IS((sum<0>(pending)), "float32[4@mp]{U:dp}");
REFUSED(unreduced_operand, max<0>(pending));
REFUSED(unreduced_operand, prod<0>(pending));

}  // namespace reduce_cases
