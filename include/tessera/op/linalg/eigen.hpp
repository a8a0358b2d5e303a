// SPDX-License-Identifier: Apache-2.0
#pragma once
// Eigenvalues of square matrices that need not be symmetric, in the last two dimensions; leading dimensions are the batch.
//   auto [w, v] = eig(a): complex eigenvalues and vectors, a v = v diag(w). Vectors have length 1 and a real largest element
//   eigvals(a): w alone, which costs less
//   auto [t, q] = schur(a): a = q t q^H, t complex and upper triangular, q unitary
//   sqrtm(a): the complex x with x x = a whose eigenvalues have no negative real part
//   solve_sylvester(a, b, c): the x of a x + x b = c, NaN where a and -b have an eigenvalue in common, to 1e-8
// Elements are real or complex. Matrices must not be sharded, the batch keeps its layout. Moves 0 bytes. The order of
// eigenvalues is the algorithm's. Gradients: of eigenvalues, of sqrtm and of solve_sylvester; vectors and schur have none. NaN
// where an element of a is not finite. Host: LAPACK, where the build has it (decision 012).
// Source: JAX 0.10.2 jnp.linalg.eig, jnp.linalg.eigvals, jax.scipy.linalg schur, sqrtm, solve_sylvester. Differs: schur is
// JAX's output='complex'; sqrtm and solve_sylvester are computed in double, and have gradients.

#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/linalg/linalg.hpp>

namespace tessera {
namespace ops {

template <class T>
using complex_results = opaque_types<linalg::complex_of<T>, linalg::complex_of<T>>;

// A complex cotangent as one of x: its real part where x is real.
template <class B>
constexpr term in_type_of(B& b, term x, term cotangent) {
  return is_complex(x.facts().element) ? cotangent : make<real>(b, {cotangent});
}

struct eig : opaque<eig, 1, accepts::floats, 2> {
  static constexpr std::string_view name = "eig";
  static constexpr bool wide_floats = true, of_complex = true;
  template <class T>
  using results = complex_results<T>;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = square_matrices(in, 2);
    if (!shape.refused) return shape;
    shape.result[0].dims = {in[0].rank - 2};
    shape.result[0].extents = {in[0].extent(in[0].rank - 1)};
    return shape;
  }
  template <class T>
  static void run_on_host(opaque_call const&, dense_view<T const> a, dense_view<linalg::complex_of<T>> w,
                          dense_view<linalg::complex_of<T>> v) {
    linalg::host_eig(a, w, v);
  }
  // Of the values: v^-T diag(w') v^T. Vectors: refused, as in JAX.
  template <int K, class B>
  static constexpr void transpose_of(B& back) {
    term const a = back.operand(0);
    if constexpr (K == 0) {
      auto const turned_v = turned(back, make<part<eig, 1>>(back, {a}, attributes{back.attrs()}));
      auto const scaled = make<expand_dims>(back, {back.cotangent()}, expand_dims_params{{-1}}) * turned_v;
      back.give(0, in_type_of(back, a, make<solve_matrices>(back, {turned_v, scaled})));
    } else {
      back.graph().template refuse<eig>(refuse(reason::not_differentiable), a.facts());
    }
  }
};

struct eigvals : opaque<eigvals, 1, accepts::floats> {
  static constexpr std::string_view name = "eigvals";
  static constexpr bool wide_floats = true, of_complex = true;
  template <class T>
  using results = opaque_types<linalg::complex_of<T>>;
  static constexpr opaque_shape shape(rule_input const& in) { return eig::shape(in); }
  template <class T>
  static void run_on_host(opaque_call const&, dense_view<T const> a, dense_view<linalg::complex_of<T>> w) {
    linalg::host_eigvals(a, w);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    eig::transpose_of<0>(back);
  }
};

struct schur : opaque<schur, 1, accepts::floats, 2> {
  static constexpr std::string_view name = "schur";
  static constexpr bool wide_floats = true, of_complex = true;
  template <class T>
  using results = complex_results<T>;
  static constexpr opaque_shape shape(rule_input const& in) { return square_matrices(in, 2); }
  template <class T>
  static void run_on_host(opaque_call const&, dense_view<T const> a, dense_view<linalg::complex_of<T>> t,
                          dense_view<linalg::complex_of<T>> q) {
    linalg::host_schur(a, t, q);
  }
};

struct solve_sylvester : opaque<solve_sylvester, 3, accepts::floats> {
  static constexpr std::string_view name = "solve_sylvester";
  static constexpr bool wide_floats = true, of_complex = true;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = square_matrices(in);
    tessera::rule::require_square(shape, in, 1);
    if (!shape.refused) return shape;
    array_value const& c = in[2];
    for (int i = 0; i < 2; ++i) {
      auto const n = in[i].extent(in[i].rank - 1), m = c.extent(c.rank - 2 + i);
      shape.result[0].extents[i] = m;
      if (n == m || n == dynamic || m == dynamic) continue;
      shape.refused = refuse(reason::shapes_disagree, c.rank - 2 + i, {}, n, m);
      shape.refused.operand = 2;
    }
    return shape;
  }
  template <class T>
  static void run_on_host(opaque_call const&, dense_view<T const> a, dense_view<T const> b, dense_view<T const> c,
                          dense_view<T> x) {
    linalg::host_sylvester(a, b, c, x);
  }
  // Of c: the y with a^T y + y b^T = x'. Of a: -y x^T, of b: -x^T y.
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const y =
        make<solve_sylvester>(back, {turned(back, back.operand(0)), turned(back, back.operand(1)), back.cotangent()});
    back.give(2, y);
    auto const x = turned(back, back.result());
    if (back.wants(0)) back.give(0, -product_of(back, y, x));
    if (back.wants(1)) back.give(1, -product_of(back, x, y));
  }
};

struct sqrtm : opaque<sqrtm, 1, accepts::floats> {
  static constexpr std::string_view name = "sqrtm";
  static constexpr bool wide_floats = true, of_complex = true;
  template <class T>
  using results = opaque_types<linalg::complex_of<T>>;
  static constexpr opaque_shape shape(rule_input const& in) { return square_matrices(in); }
  template <class T>
  static void run_on_host(opaque_call const&, dense_view<T const> a, dense_view<linalg::complex_of<T>> root) {
    linalg::host_sqrtm(a, root);
  }
  // The y with x^T y + y x^T = x'.
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const x = turned(back, back.result());
    back.give(0, in_type_of(back, back.operand(0), make<solve_sylvester>(back, {x, x, back.cotangent()})));
  }
};

}  // namespace ops

inline constexpr results_door<ops::eig> eig{};
inline constexpr unary_door<ops::eigvals> eigvals;
inline constexpr results_door<ops::schur> schur{};
inline constexpr unary_door<ops::sqrtm> sqrtm;
namespace functions {

template <class A, class B, class C>
constexpr auto solve_sylvester(A const& a, B const& b, C const& c, site at = std::source_location::current()) {
  return invoke<ops::solve_sylvester, no_params>(at, a, b, c);
}

}  // namespace functions
}  // namespace tessera
