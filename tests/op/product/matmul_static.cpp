// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/product/einsum.hpp>
#include <tessera/op/product/matmul.hpp>
#include <tessera/op/shape/reshard.hpp>

#include "support/typed.hpp"

namespace matmul_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
struct elsewhere : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
constexpr auto& x = of<shape<8, 16>, P<dp, none>>;
constexpr auto& y = of<shape<16, 4>, P<none, mp>>;

TYPE_IS((matmul(x, y)), "float32[8@dp,4@mp]");
TYPE_IS((dot(x, y)), "float32[8@dp,4@mp]");
TYPE_IS((dot_general<contract<dims<1>, dims<0>>>(x, y)), "float32[8@dp,4@mp]");
TYPE_IS((matmul(of<shape<16>, P<>>, y)), "float32[4@mp]");
TYPE_IS((matmul(x, of<shape<16>, P<mp>>)), "float32[8@dp]");
TYPE_IS((matmul(of<shape<16>, P<>>, of<shape<16>, P<dp>>)), "float32[]");
REFUSED(shapes_disagree, matmul(x, x));
REFUSED(ranks_disagree, matmul(x, of<shape<>, P<>>));
REFUSED(axis_used_twice, matmul(x, of<shape<16, 4>, P<none, dp>>));

// Of dimensions that both keep the layout is that of the operand that JAX puts first.
constexpr auto& weights = of<shape<4, 2, 8, 6>, P<>>;
constexpr auto& values = of<shape<4, 6, 2, 3>, P<dp, none, mp>>;
TYPE_IS((einsum<"bhqk,bkhd->bqhd">(weights, values)), "float32[4@dp,8,2@mp,3]");
TYPE_IS((einsum<"bhqk,bkhd->bhqd">(weights, values)), "float32[4,2,8,3]");
TYPE_IS((einsum<"bkhd,bhqk->bqhd">(values, weights)), "float32[4,8,2,3]");

// A spec may end in entries that name nothing.
TYPE_IS((matmul(of<shape<8, 16>, P<>>, y, out_sharding<P<dp, none, none>>)), "float32[8@dp,4]");
REFUSED(spec_too_long, matmul(of<shape<8, 16>, P<>>, y, out_sharding<P<none, none, dp>>));

// Split on one side, the contraction sums over that axis; on both sides the result's layout must be said.
constexpr auto& wide = of<shape<8, 16>, P<dp, mp>>;
constexpr auto& tall = of<shape<16, 4>, P<mp>>;
TYPE_IS((matmul(wide, of<shape<16, 4>, P<>>)), "float32[8@dp,4]");
REFUSED(needs_out_sharding, matmul(wide, tall));
TYPE_IS((matmul(wide, tall, out_sharding<P<dp>>)), "float32[8@dp,4]");
TYPE_IS((matmul(wide, tall, out_sharding<P<dp, mp>>)), "float32[8@dp,4@mp]");
TYPE_IS((matmul(wide, tall, out_sharding<P<dp, none, unreduced<mp>>>)), "float32[8@dp,4]{U:mp}");
TYPE_IS((matmul(wide, of<shape<16, 8>, P<mp>>, out_sharding<P<none, axes<mp, dp>>>)), "float32[8,8@(mp,dp)]");
REFUSED(dims_disagree, matmul(wide, of<shape<16, 4>, P<dp>>));
TYPE_IS((matmul(of<shape<8, 16>, P<none, dp>>, of<shape<16, 4>, P<mp, dp>>, out_sharding<P<>>)), "float32[8,4]");
REFUSED(unreduced_operand, matmul(x, y, out_sharding<P<dp, none, unreduced<mp>>>));
REFUSED(unreduced_operand, matmul(reshard<P<none, none, unreduced<dp>>>(of<shape<8, 16>, P<>>), y));
REFUSED(spec_too_long, matmul(x, y, out_sharding<P<dp, none, mp>>));
REFUSED(axis_not_in_mesh, matmul(x, y, out_sharding<P<elsewhere>>));
REFUSED(not_divisible, matmul(of<shape<6, 16>, P<>>, y, out_sharding<P<dp>>));

// Batches.
constexpr auto& many = of<shape<4, 8, 16>, P<dp>>;
TYPE_IS((matmul(many, of<shape<4, 16, 2>, P<dp, none, mp>>)), "float32[4@dp,8,2@mp]");
TYPE_IS((matmul(many, y)), "float32[4@dp,8,4@mp]");
TYPE_IS((matmul(of<shape<8, 16>, P<none>>, of<shape<4, 16, 2>, P<dp, none, mp>>)), "float32[4@dp,8,2@mp]");
TYPE_IS((dot_general<contract<dims<2>, dims<1>>, batch<dims<0>, dims<0>>>(many, of<shape<4, 16, 2>, P<dp>>)),
        "float32[4@dp,8,2]");
REFUSED(dims_disagree, matmul(many, of<shape<4, 16, 2>, P<mp>>));
REFUSED(shapes_disagree, matmul(many, of<shape<3, 16, 2>, P<>>));
REFUSED(dim_out_of_range, dot_general<contract<dims<2>, dims<0>>>(x, y));

// Dtypes promote; products of weak numbers only stay weak.
TYPE_IS((matmul(of<shape<8, 16>, P<dp>, bfloat16>, y)), "float32[8@dp,4@mp]");
TYPE_IS((matmul(of<shape<8, 16>, P<dp>, bfloat16>, of<shape<16, 4>, P<>, bfloat16>)), "bfloat16[8@dp,4]");
TYPE_IS((matmul(of<shape<8, 16>, P<dp>, int32>, of<shape<16, 4>, P<>, int64>)), "int64[8@dp,4]");

TYPE_IS((einsum<"ij,jk->ki">(x, y)), "float32[4@mp,8@dp]");
TYPE_IS((einsum<"ij,jk">(x, y)), "float32[8@dp,4@mp]");
TYPE_IS((einsum<"ij,jk->">(x, y)), "float32[]");
TYPE_IS((einsum<"i,j->ij">(of<shape<8>, P<dp>>, of<shape<4>, P<mp>>)), "float32[8@dp,4@mp]");
TYPE_IS((einsum<"bshd,bthd->bhst">(of<shape<4, 6, 2, 3>, P<dp, none, mp>>, of<shape<4, 5, 2, 3>, P<dp, none, mp>>)),
        "float32[4@dp,2@mp,6,5]");
TYPE_IS((einsum<"ij->ji">(wide)), "float32[16@mp,8@dp]");
TYPE_IS((einsum<"ij->i">(wide)), "float32[8@dp]");
TYPE_IS((einsum<"ij->j">(wide, out_sharding<P<dp>>)), "float32[16@dp]");
TYPE_IS((einsum<"ij,jk->ki">(wide, tall, out_sharding<P<none, dp>>)), "float32[4,8@dp]");
REFUSED(needs_out_sharding, einsum<"ij,jk->ik">(wide, tall));
REFUSED(malformed_einsum, einsum<"ij,jk->il">(x, y));
TYPE_IS((einsum<"ii->i">(of<shape<8, 8>, P<dp>>)), "float32[8@dp]");
TYPE_IS((einsum<"...j,j...">(of<shape<8, 6, 4>, P<dp>>, of<shape<4, 6>, P<>>)), "float32[8@dp,6]");
TYPE_IS((einsum<"b...i, ...i -> ...b">(of<shape<8, 6, 4>, P<dp>>, of<shape<1, 4>, P<>>)), "float32[6,8@dp]");
REFUSED(shapes_disagree, einsum<"ii->i">(of<shape<8, 4>, P<>>));
TYPE_IS((einsum<"ij,jk->ik">(wide, of<shape<1, 2>, P<>>)), "float32[8@dp,2]");
TYPE_IS((einsum<"ij,ij->ij">(of<shape<8, 1>, P<dp>>, of<shape<1, 4>, P<none, mp>>)), "float32[8@dp,4@mp]");
TYPE_IS((einsum<"ij,jk,kl->il">(x, of<shape<1, 4>, P<>>, of<shape<4, 3>, P<>>)), "float32[8@dp,3]");
REFUSED(shapes_disagree, einsum<"ij,jk->ik">(x, of<shape<8, 2>, P<>>));
// Of one operand, out_sharding is that of the sum alone.
TYPE_IS((einsum<"ij->ji">(wide, out_sharding<P<mp, dp>>)), "float32[16@mp,8@dp]");
TYPE_IS((einsum<"ij->i">(wide, out_sharding<P<mp>>)), "float32[8@mp]");
TYPE_IS((einsum<"ijk->ki">(of<shape<8, 4, 8>, P<dp>>, out_sharding<P<none, mp>>)), "float32[8@mp,8]");
TYPE_IS((einsum<"ii->i">(of<shape<8, 8>, P<>>, out_sharding<P<dp>>)), "float32[8@dp]");
TYPE_IS((einsum<"ij->i">(wide, out_sharding<P<dp, unreduced<mp>>>)), "float32[8@dp]{U:mp}");
REFUSED(malformed_einsum, einsum<"i...j...->ij">(of<shape<8, 8>, P<>>));
REFUSED(malformed_einsum, einsum<"ij...k->k">(of<shape<8, 8>, P<>>));
REFUSED(malformed_einsum, einsum<"ij,jk->ik">(of<shape<8, 8>, P<>>));
REFUSED(malformed_einsum, einsum<"ij->ij">(x, y));
REFUSED(ranks_disagree, einsum<"ijk,jk->ik">(x, y));

}  // namespace matmul_cases
