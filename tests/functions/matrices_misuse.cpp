// SPDX-License-Identifier: Apache-2.0
// Matrices of a pattern, linear systems and norms: shapes that do not fit are named.

#include <tessera/tessera.hpp>

#include <tessera/functions.hpp>

namespace ts = tessera;
using ts::none;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using rows = ts::array_type<float, ts::shape<8, 8>, P<dp>, grid>;

struct exponential {
  constexpr auto operator()(auto a) const { return ts::expm(a); }
};
struct of_columns {
  constexpr auto operator()(auto c) const { return ts::circulant(c); }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const v = ts::asarray({1.0f, 2.0f, 3.0f});
  ts::check<of_columns, rows>();
  (void)v;
#if TESSERA_MISUSE == 1
  // expect: the operation needs this dimension whole on every device.
  ts::check<exponential, rows>();
#elif TESSERA_MISUSE == 2
  // expect: the shapes do not fit each other.
  (void)ts::leslie(v, v);
#elif TESSERA_MISUSE == 3
  // expect: hadamard<N> is of a power of 2.
  (void)ts::hadamard<6>();
#elif TESSERA_MISUSE == 4
  // expect: the shapes do not fit each other.
  (void)ts::tridiagonal_solve(ts::asarray({1.0f, 2.0f}), v, v, v);
#elif TESSERA_MISUSE == 5
  // expect: fro and nuc are norms of matrices.
  (void)ts::vector_norm(v, ts::nuc);
#elif TESSERA_MISUSE == 6
  // expect: lu_pivots_to_permutation<N> of more than N pivots.
  (void)ts::lu_pivots_to_permutation<2>(ts::asarray({0, 1, 2}));
#elif TESSERA_MISUSE == 7
  // expect: tensorinv<Ind>(a) of an a whose first Ind dimensions have not as many elements as the others.
  (void)ts::tensorinv<1>(ts::asarray(ts::ones<float, 2, 3>()));
#elif TESSERA_MISUSE == 8
  // expect: in tensorsolve(a, b) a does not have the dimensions of b and then others of as many elements.
  (void)ts::tensorsolve(ts::asarray(ts::ones<float, 2, 3>()), v);
#elif TESSERA_MISUSE == 9
  // expect: there are more reflectors (taus) than columns or rows of a.
  (void)ts::householder_product(ts::asarray(ts::ones<float, 4, 2>()), v);
#elif TESSERA_MISUSE == 10
  // expect: householder_product of a matrix with fewer rows than columns.
  (void)ts::householder_product(ts::asarray(ts::ones<float, 2, 4>()), ts::asarray({1.0f}));
#elif TESSERA_MISUSE == 11
  // expect: a polynomial is a vector of one or more coefficients, the highest power first.
  (void)ts::polymul(v, ts::asarray({{1.0f, 2.0f}}));
#elif TESSERA_MISUSE == 12
  // expect: polyder<M>(p) of a polynomial of M or fewer coefficients.
  (void)ts::polyder<3>(v);
#elif TESSERA_MISUSE == 13
  // expect: poly takes the roots as a vector.
  (void)ts::poly(ts::asarray({{1.0f, 2.0f}, {2.0f, 1.0f}}));
#elif TESSERA_MISUSE == 14
  // expect: a companion matrix of fewer than two coefficients.
  (void)ts::companion(ts::asarray({1.0f}));
#elif TESSERA_MISUSE == 15
  // expect: block_diag takes matrices.
  (void)ts::block_diag(v, ts::asarray(ts::ones<float, 2, 2, 2>()));
#elif TESSERA_MISUSE == 16
  // expect: expm is of float32, float64 and their complex numbers.
  (void)ts::expm(ts::asarray(ts::ones<ts::bfloat16, 2, 2>()));
#elif TESSERA_MISUSE == 17
  // expect: settings that are true or false in Python are tags here.
  (void)ts::cho_solve(std::tuple{ts::asarray(ts::ones<float, 3, 3>()), true}, v);
#elif TESSERA_MISUSE == 18
  // expect: settings that are true or false in Python are tags here.
  (void)ts::jit([](auto b) { return ts::cho_solve(ts::cho_factor(ts::eye<3>(), true), b, true); })(v);
#elif TESSERA_MISUSE == 19
  // expect: settings that are true or false in Python are tags here.
  (void)ts::solve_triangular(ts::asarray(ts::ones<float, 3, 3>()), v, true);
#endif
}
