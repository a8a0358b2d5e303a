// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/linalg/factorizations.hpp>
#include <tessera/op/linalg/norms.hpp>

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
// Right-hand sides keep their layout; the dimension that is solved for is whole.
TYPE_IS((solve(a, of<shape<8, 4, 6>, P<none, none, mp>>)), "float32[8@dp,4,6@mp]");
TYPE_IS((triangular_solve(a, of<shape<8, 4, 6>, P<dp, none, mp>>, left_side)), "float32[8@dp,4,6@mp]");
TYPE_IS((triangular_solve(a, of<shape<8, 6, 4>, P<none, mp>>, lower_triangle)), "float32[8@dp,6@mp,4]");
REFUSED(sharded_dim_unsupported, solve(a, of<shape<8, 4, 6>, P<none, mp>>));
REFUSED(sharded_dim_unsupported, triangular_solve(a, of<shape<8, 6, 4>, P<none, none, mp>>));
REFUSED(axis_used_twice, solve(a, of<shape<8, 4, 8>, P<none, none, dp>>));
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
TYPE_IS((cholesky(of<shape<4, 4>, P<>, int32>)), "float32[4,4]");
TYPE_IS((cholesky(of<shape<4, 4>, P<>, complex64>)), "complex64[4,4]");
TYPE_IS((std::get<0>(eigh(of<shape<4, 4>, P<>, complex64>))), "float32[4]");
TYPE_IS((std::get<1>(slogdet(of<shape<4, 4>, P<>, complex128>))), "float64[]");

TYPE_IS((std::get<0>(eig(of<shape<8, 4, 4>, P<dp>>))), "complex64[8@dp,4]");
TYPE_IS((std::get<1>(eig(of<shape<8, 4, 4>, P<dp>, bfloat16>))), "complex64[8@dp,4,4]");
TYPE_IS((eigvals(of<shape<4, 4>, P<>, int32>)), "complex64[4]");
TYPE_IS((sqrtm(of<shape<4, 4>, P<>, double>)), "complex128[4,4]");
TYPE_IS((solve_sylvester(of<shape<8, 4, 4>, P<dp>>, of<shape<3, 3>, P<>>, of<shape<4, 3>, P<>>)), "float32[8@dp,4,3]");
REFUSED(sharded_dim_unsupported, std::get<0>(schur(of<shape<8, 8>, P<dp>>)));
REFUSED(shapes_disagree, solve_sylvester(of<shape<4, 4>, P<>>, of<shape<3, 3>, P<>>, of<shape<3, 4>, P<>>));

constexpr auto& tall = of<shape<8, 6, 4>, P<dp>>;
TYPE_IS((std::get<0>(svd(tall))), "float32[8@dp,6,6]");
TYPE_IS((std::get<1>(svd(tall))), "float32[8@dp,4]");
TYPE_IS((std::get<2>(svd(tall))), "float32[8@dp,4,4]");
TYPE_IS((std::get<0>(svd(tall, full_matrices<false>))), "float32[8@dp,6,4]");
TYPE_IS((std::get<2>(svd(of<shape<4, 6>, P<>, bfloat16>, full_matrices<false>, compute_uv<true>))), "bfloat16[4,6]");
TYPE_IS((svd(tall, compute_uv<false>)), "float32[8@dp,4]");
TYPE_IS((svd(tall, full_matrices<false>, compute_uv<false>)), "float32[8@dp,4]");
TYPE_IS((svdvals(of<shape<dynamic, 4>, P<>>)), "float32[?]");
constexpr auto& complex_tall = of<shape<8, 6, 4>, P<dp>, complex64>;
TYPE_IS((std::get<0>(qr(complex_tall))), "complex64[8@dp,6,4]");
TYPE_IS((std::get<1>(qr(complex_tall))), "complex64[8@dp,4,4]");
TYPE_IS((std::get<0>(svd(complex_tall))), "complex64[8@dp,6,6]");
TYPE_IS((std::get<1>(svd(complex_tall))), "float32[8@dp,4]");
TYPE_IS((std::get<2>(svd(of<shape<4, 6>, P<>, complex128>, full_matrices<false>))), "complex128[4,6]");
TYPE_IS((svdvals(of<shape<4, 6>, P<>, complex128>)), "float64[4]");
TYPE_IS((pinv(complex_tall)), "complex64[8@dp,4,6]");
TYPE_IS((std::get<0>(lstsq(complex_tall, of<shape<8, 6, 3>, P<>>))), "complex64[8@dp,4,3]");
TYPE_IS((std::get<1>(lstsq(complex_tall, of<shape<8, 6, 3>, P<>>))), "float32[8@dp,3]");
TYPE_IS((std::get<2>(lstsq(tall, of<shape<8, 6>, P<dp>, complex128>))), "int32[8@dp]");
TYPE_IS((std::get<3>(lstsq(tall, of<shape<8, 6>, P<dp>, complex128>))), "float64[8@dp,4]");
TYPE_IS((matrix_rank(complex_tall)), "int32[8@dp]");
TYPE_IS((condition_number(complex_tall)), "float32[8@dp]");
TYPE_IS((matrix_norm(complex_tall, nuc)), "float32[8@dp]");
REFUSED(sharded_dim_unsupported, std::get<0>(qr(of<shape<8, 8>, P<dp, mp>, complex64>)));
REFUSED(sharded_dim_unsupported, std::get<2>(svd(of<shape<8, 8>, P<none, mp>, complex64>)));
REFUSED(sharded_dim_unsupported, pinv(of<shape<8, 8>, P<dp>, complex64>));
TYPE_IS((pinv(tall)), "float32[8@dp,4,6]");
TYPE_IS((pinv(tall, of<shape<8>, P<dp>>)), "float32[8@dp,4,6]");
TYPE_IS((std::get<0>(lstsq(tall, of<shape<8, 6, 3>, P<>>))), "float32[8@dp,4,3]");
TYPE_IS((std::get<0>(lstsq(tall, of<shape<8, 6>, P<dp>>, 1e-3))), "float32[8@dp,4]");
TYPE_IS((std::get<1>(lstsq(tall, of<shape<8, 6>, P<dp>>))), "float32[8@dp,1]");
TYPE_IS((std::get<2>(lstsq(tall, of<shape<8, 6, 3>, P<dp>>))), "int32[8@dp]");
TYPE_IS((std::get<3>(lstsq(tall, of<shape<8, 6, 3>, P<dp>>))), "float32[8@dp,4]");
TYPE_IS((matrix_rank(tall)), "int32[8@dp]");
TYPE_IS((matrix_rank(of<shape<4, 4>, P<>, int32>, 0.5)), "int32[]");
TYPE_IS((condition_number(tall)), "float32[8@dp]");
TYPE_IS((condition_number(a, fro)), "float32[8@dp]");
TYPE_IS((matrix_norm(tall, nuc)), "float32[8@dp]");
TYPE_IS((matrix_norm(of<shape<8, 6, 4>, P<none, dp, mp>>, ord<1>)), "float32[8]");
TYPE_IS((norm(of<shape<6, 4>, P<>>, ord<-2>)), "float32[]");
REFUSED(sharded_dim_unsupported, svdvals(of<shape<8, 8>, P<dp, mp>>));
REFUSED(sharded_dim_unsupported, std::get<0>(svd(of<shape<8, 8>, P<dp>>)));
REFUSED(sharded_dim_unsupported, pinv(of<shape<8, 8>, P<none, mp>>));
REFUSED(sharded_dim_unsupported, std::get<0>(lstsq(of<shape<8, 4>, P<>>, of<shape<8>, P<dp>>)));
REFUSED(ranks_disagree, std::get<0>(svd(of<shape<8>, P<>>)));
REFUSED(ranks_disagree, pinv(of<shape<8>, P<>>));
REFUSED(ranks_disagree, matrix_norm(of<shape<8>, P<>>));
REFUSED(ranks_disagree, norm(a, nuc));
REFUSED(ranks_disagree, norm(of<shape<8>, P<>>, fro));
REFUSED(shapes_disagree, std::get<0>(lstsq(tall, of<shape<8, 5, 3>, P<>>)));
REFUSED(shapes_disagree, condition_number(tall, ord<1>));
TYPE_IS((svdvals(of<shape<4, 4>, P<>, int32>)), "float32[4]");
REFUSED(no_elements, condition_number(of<shape<0, 4>, P<>>));

}  // namespace linalg_cases
