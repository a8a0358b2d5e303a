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
#endif
}
