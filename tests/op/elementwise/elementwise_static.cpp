// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/elementwise/activation.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/cast.hpp>
#include <tessera/op/shape/reshard.hpp>

#include "support/typed.hpp"

namespace elementwise_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using other_grid = mesh<explicit_axis<dp, 2>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
template <class Element>
constexpr auto& as = of<shape<8, 4>, P<dp, mp>, Element>;
constexpr auto& x = as<float>;

// Layouts merge dimension by dimension: equal ones stay, a whole one gives way, two different ones are refused.
TYPE_IS((x + x), "float32[8@dp,4@mp]");
TYPE_IS((x * of<shape<4>, P<mp>>), "float32[8@dp,4@mp]");
TYPE_IS((of<shape<8, 1>, P<dp>> - of<shape<1, 4>, P<none, mp>>), "float32[8@dp,4@mp]");
TYPE_IS((x / of<shape<8, 4>, P<>>), "float32[8@dp,4@mp]");
TYPE_IS((of<shape<8, 4>, P<dp>> + of<shape<8, 4>, P<none, mp>>), "float32[8@dp,4@mp]");
TYPE_IS((of<shape<8, 4>, P<axes<dp, mp>>> + of<shape<>, P<>>), "float32[8@(dp,mp),4]");
TYPE_IS((of<shape<dynamic, 4>, P<dp>> + of<shape<1, 4>, P<none, mp>>), "float32[?@dp,4@mp]");
REFUSED(dims_disagree, x + of<shape<8, 4>, P<mp>>);
REFUSED(dims_disagree, of<shape<8, 4>, P<axes<dp, mp>>> + of<shape<8, 4>, P<dp>>);
REFUSED(axis_used_twice, of<shape<8, 4>, P<dp>> + of<shape<8, 4>, P<none, dp>>);
REFUSED(shapes_disagree, x + of<shape<3>, P<>>);
REFUSED(meshes_differ, x + traced<array_type<float, shape<8, 4>, P<dp, mp>, other_grid>>{});

// Promotion is JAX's; literals are weak and do not widen.
TYPE_IS((as<float> + as<double>), "float64[8@dp,4@mp]");
TYPE_IS((as<bfloat16> + as<float16>), "float32[8@dp,4@mp]");
TYPE_IS((as<bfloat16> * as<float>), "float32[8@dp,4@mp]");
TYPE_IS((as<float16> + as<int64>), "float16[8@dp,4@mp]");
TYPE_IS((as<int32> + as<int64>), "int64[8@dp,4@mp]");
TYPE_IS((as<bool> + as<int32>), "int32[8@dp,4@mp]");
TYPE_IS((as<bool> * as<bfloat16>), "bfloat16[8@dp,4@mp]");
TYPE_IS((as<bfloat16> + 1.0), "bfloat16[8@dp,4@mp]");
TYPE_IS((2.0 * as<float>), "float32[8@dp,4@mp]");
TYPE_IS((as<float> - 1), "float32[8@dp,4@mp]");
TYPE_IS((as<int64> + 1), "int64[8@dp,4@mp]");
TYPE_IS((as<int32> + 0.5), "~float32[8@dp,4@mp]");
TYPE_IS((as<int32> / as<int32>), "float32[8@dp,4@mp]");
TYPE_IS((power(as<int32>, as<int32>)), "int32[8@dp,4@mp]");
TYPE_IS((as<int64> / 2), "float64[8@dp,4@mp]");
TYPE_IS((tessera::exp(as<int64>)), "float64[8@dp,4@mp]");
TYPE_IS((tessera::remainder(as<int32>, 3)), "int32[8@dp,4@mp]");
TYPE_IS((maximum(as<bool>, as<bool>)), "bool[8@dp,4@mp]");

// Comparisons and predicates.
TYPE_IS((as<bfloat16> < as<float>), "bool[8@dp,4@mp]");
TYPE_IS((as<int32> == 2), "bool[8@dp,4@mp]");
TYPE_IS((2.5 == as<float>), "bool[8@dp,4@mp]");
TYPE_IS((as<float> == as<float>), "bool[8@dp,4@mp]");
TYPE_IS((as<float> == as<int32>), "bool[8@dp,4@mp]");
TYPE_IS((2 != as<int32>), "bool[8@dp,4@mp]");
TYPE_IS((as<int32> != 2), "bool[8@dp,4@mp]");
TYPE_IS((as<float> != as<float>), "bool[8@dp,4@mp]");
TYPE_IS((as<int32> != as<float>), "bool[8@dp,4@mp]");
TYPE_IS(((as<float> == as<float>) == (as<int32> != 2)), "bool[8@dp,4@mp]");
REFUSED(not_an_array, as<float> == "text");
REFUSED(shapes_disagree, as<float> == of<shape<5>, P<>>);
TYPE_IS((isnan(as<float16>)), "bool[8@dp,4@mp]");
TYPE_IS((isfinite(as<int32>)), "bool[8@dp,4@mp]");
TYPE_IS((logical_and(as<bool>, as<bool>)), "bool[8@dp,4@mp]");
TYPE_IS((logical_not(as<bool>)), "bool[8@dp,4@mp]");
TYPE_IS((logical_or(as<float>, as<float>)), "bool[8@dp,4@mp]");

// Functions: a floating one makes float32 of integers, the others keep the dtype.
TYPE_IS((tessera::exp(as<int32>)), "float32[8@dp,4@mp]");
TYPE_IS((tessera::tanh(as<bfloat16>)), "bfloat16[8@dp,4@mp]");
TYPE_IS((tessera::sqrt(as<double>)), "float64[8@dp,4@mp]");
TYPE_IS((square(as<int64>)), "int64[8@dp,4@mp]");
TYPE_IS((tessera::abs(as<int32>)), "int32[8@dp,4@mp]");
TYPE_IS((relu(as<int32>)), "int32[8@dp,4@mp]");
TYPE_IS((gelu(as<float16>)), "float16[8@dp,4@mp]");
TYPE_IS((softplus(as<float>)), "float32[8@dp,4@mp]");
TYPE_IS((stop_gradient(as<int32>)), "int32[8@dp,4@mp]");
REFUSED(element_unsupported, negative(as<bool>));

// Partial sums are added and scaled by what is the same everywhere; nothing else is done with them.
constexpr decltype(reshard<P<none, mp, unreduced<dp>>>(of<shape<8, 4>, P<none, mp>>)) pending{};
constexpr decltype(reshard<P<none, mp, reduced<dp>>>(of<shape<8, 4>, P<none, mp>>)) factor{};
TYPE_IS((pending + pending), "float32[8,4@mp]{U:dp}");
TYPE_IS((-pending), "float32[8,4@mp]{U:dp}");
TYPE_IS((pending * factor), "float32[8,4@mp]{U:dp}");
TYPE_IS((astype<double>(pending)), "float64[8,4@mp]{U:dp}");
TYPE_IS((tessera::exp(factor)), "float32[8,4@mp]{R:dp}");
REFUSED(unreduced_operand, pending* pending);
REFUSED(unreduced_operand, pending + of<shape<8, 4>, P<none, mp>>);
REFUSED(unreduced_operand, tessera::exp(pending));
REFUSED(unreduced_operand, pending - pending);
REFUSED(unreduced_operand, astype<int32>(pending));

}  // namespace elementwise_cases
