// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/linalg/factorizations.hpp>

#include "support/typed.hpp"

namespace linalg_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
constexpr auto& a = of<shape<8, 4, 4>, P<dp>>;

// The batch keeps its layout; matrices are whole.
TYPE_IS((cholesky(a)), "float32[8@dp,4,4]");
TYPE_IS((inv(of<shape<4, 4>, P<>, bfloat16>)), "bfloat16[4,4]");
TYPE_IS((solve(a, of<shape<8, 4, 6>, P<>>)), "float32[8@dp,4,6]");
TYPE_IS((solve(a, of<shape<8, 4>, P<dp>>)), "float32[8@dp,4]");
TYPE_IS((triangular_solve(a, of<shape<8, 6, 4>, P<dp>>, lower_triangle)), "float32[8@dp,6,4]");
TYPE_IS((std::get<0>(eigh(a))), "float32[8@dp,4]");
TYPE_IS((std::get<1>(qr(of<shape<8, 6, 4>, P<dp>>))), "float32[8@dp,4,4]");
TYPE_IS((std::get<1>(lu(of<shape<8, 6, 4>, P<dp>>))), "int32[8@dp,4]");
TYPE_IS((std::get<2>(lu(of<shape<8, 6, 4>, P<dp>>))), "int32[8@dp,6]");
TYPE_IS((norm(a)), "float32[]");
REFUSED(sharded_dim_unsupported, inv(of<shape<8, 8>, P<dp, mp>>));
REFUSED(sharded_dim_unsupported, cholesky(of<shape<8, 8>, P<dp>>));
REFUSED(sharded_dim_unsupported, std::get<0>(lu(of<shape<8, 8>, P<none, mp>>)));
REFUSED(shapes_disagree, inv(of<shape<8, 4>, P<>>));
REFUSED(shapes_disagree, solve(a, of<shape<8, 3, 6>, P<>>));
REFUSED(dims_disagree, solve(a, of<shape<8, 4, 6>, P<mp>>));
REFUSED(ranks_disagree, cholesky(of<shape<8>, P<>>));
REFUSED(element_unsupported, cholesky(of<shape<4, 4>, P<>, int32>));

}  // namespace linalg_cases
