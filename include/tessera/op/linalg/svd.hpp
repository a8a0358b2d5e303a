// SPDX-License-Identifier: Apache-2.0
#pragma once
// Singular values and vectors of matrices in the last two dimensions of floating and complex arrays; leading ones are
// the batch.
//   auto [u, s, vt] = svd(a): a (n, m) = u diag(s) vt, u (n, n) and vt (m, m) unitary, s the k = min(n, m) real values,
//     descending
//   svd(a, full_matrices<false>): u (n, k), vt (k, m)        svdvals(a), svd(a, compute_uv<false>): s alone, which costs less
// Matrices must not be sharded, the batch keeps its layout. Moves 0 bytes. A vector's sign, or complex factor of size
// 1, is the algorithm's own; gradients are those of vectors in vt whose factors stand still. Vectors of equal values
// have no gradient: NaN or infinity; nor have those of all full_matrices of an oblong one, which is refused.
// Host: LAPACK for matrices of some size, where the build has it (decision 012).
// Source: JAX 0.10.2 jnp.linalg.svd, jnp.linalg.svdvals; gradients lax.linalg.svd's.

#include <tessera/op/linalg/linalg.hpp>

namespace tessera {
namespace ops {

struct svd_params {
  bool full_matrices = true;
  static constexpr void fields(auto& p, auto&& each) { each(p.full_matrices); }
};

struct svd : opaque<svd, 1, accepts::floats, 3> {
  static constexpr std::string_view name = "svd";
  static constexpr bool wide_floats = true, of_complex = true;
  template <class T>
  using results = opaque_types<T, linalg::real_of<T>, T>;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = tessera::rule::last_dims(in, 2);
    if (!shape.refused) return shape;
    bool const full = in.attrs.as<svd_params>().full_matrices;
    array_value const& a = in[0];
    int const rows = a.rank - 2;
    auto const n = a.extent(rows), m = a.extent(rows + 1), k = n == dynamic || m == dynamic ? dynamic : n < m ? n : m;
    shape.result[0].dims = {rows, rows + 1};
    shape.result[0].extents = {n, full ? n : k};
    shape.result[1].dims = {rows};
    shape.result[1].extents = {k};
    shape.result[2].dims = {rows, rows + 1};
    shape.result[2].extents = {full ? m : k, m};
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const&, dense_view<T const> a, dense_view<T> u,
                                   dense_view<linalg::real_of<T>> s, dense_view<T> vt) {
    linalg::svd(a, u, s, vt);
  }
  template <class T>
  static void run_on_host(opaque_call const& call, dense_view<T const> a, dense_view<T> u,
                          dense_view<linalg::real_of<T>> s, dense_view<T> vt) {
    if (!linalg::host_svd(a, u, s, vt)) run(call, a, u, s, vt);
  }
  // With f_ij = 1 / (s_j^2 - s_i^2) off the diagonal and 0 on it, x = conj(u), y = conj(vt), m = f * n, n = u^T u' or
  // conj(vt vt'^T), and d the imaginary diagonal of n:
  //   of u: (x ((m + m^H) s + d / s) + (u' - x n) / s) y     of s: x s' y
  //   of vt: x (s (m + m^H) y + (vt' - n^H y) / s)
  template <int K, class B>
  static constexpr void transpose_of(B& back) {
    attributes attrs = back.attrs();
    array_value const a = back.operand(0).facts();
    auto const n = a.extent(a.rank - 2), m = a.extent(a.rank - 1);
    if (attrs.as<svd_params>().full_matrices && n != m) {
      attrs = svd_params{false};
      bool const known = n != dynamic && m != dynamic;
      if (K != 1 && known) {
        back.graph().template refuse<svd>(refuse(reason::not_differentiable), a);
        return;
      }
    }
    expand_dims_params row{{-2}}, column{{-1}};
    auto const u = make<svd>(back, {back.operand(0)}, attrs);
    auto const s = make<part<svd, 1>>(back, {back.operand(0)}, attrs);
    auto const vt = make<part<svd, 2>>(back, {back.operand(0)}, attrs);
    auto const ct = back.cotangent(), left_side = conjugate(back, u), right_side = conjugate(back, vt);
    if constexpr (K == 1) {
      back.give(0, product_of(back, left_side * make<expand_dims>(back, {ct}, row), right_side));
      return;
    }
    term const by_row = make<expand_dims>(back, {s}, row), by_column = make<expand_dims>(back, {s}, column);
    term const apart = (by_row + by_column) * (by_row - by_column);
    if (!apart) return;
    array_value const square = apart.facts();
    auto const one = number(back.graph(), 1.0, square.element), zero = number(back.graph(), 0.0, square.element);
    auto const on = on_the_diagonal(back.graph(), square, square.rank - 2, square.rank - 1, 0);
    auto const inner = K == 0 ? product_of(back, turned(back, u), ct) : product_of(back, vt, turned(back, ct));
    auto const scaled = make<where>(back, {on, zero, inner / make<where>(back, {on, one, apart})});
    auto const even = scaled + conjugate(back, turned(back, scaled));
    if constexpr (K == 0) {
      term middle = even * by_row;
      if (is_complex(a.element)) {
        auto const infinite = number(back.graph(), std::numeric_limits<double>::infinity(), square.element);
        auto const twice = make<where>(back, {make<equal>(back, {by_row, zero}), infinite, by_row + by_row});
        auto const odd = inner - conjugate(back, turned(back, inner));
        middle = middle + make<where>(back, {on, odd, zero}) / twice;
      }
      term left = product_of(back, left_side, middle);
      if (n > m) left = left + (ct - product_of(back, left_side, inner)) / by_row;
      back.give(0, product_of(back, left, right_side));
    } else {
      term right = product_of(back, by_column * conjugate(back, even), right_side);
      if (n < m) right = right + (ct - product_of(back, turned(back, inner), right_side)) / by_column;
      back.give(0, product_of(back, left_side, right));
    }
  }
};

struct svdvals : opaque<svdvals, 1, accepts::floats> {
  static constexpr std::string_view name = "svdvals";
  static constexpr bool wide_floats = true, of_complex = true;
  template <class T>
  using results = opaque_types<linalg::real_of<T>>;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = svd::shape(in);
    shape.result[0] = shape.result[1];
    return shape;
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const&) {
    return tessera::detail::widened<svdvals, svdvals, 0>(b, x, count, svd_params{});
  }
  template <class T>
  static void run_on_host(opaque_call const&, dense_view<T const> a, dense_view<linalg::real_of<T>> s) {
    linalg::host_svdvals(a, s);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    svd_params const reduced{false};
    auto const u = conjugate(back, make<svd>(back, {back.operand(0)}, reduced));
    auto const vt = conjugate(back, make<part<svd, 2>>(back, {back.operand(0)}, reduced));
    auto const scaled = u * make<expand_dims>(back, {back.cotangent()}, expand_dims_params{{-2}});
    back.give(0, product_of(back, scaled, vt));
  }
};

}  // namespace ops

// Are all columns of u and rows of vt wanted, or as many as there are singular values? Are any?
template <bool Full>
struct full_matrices_t {};
template <bool Full>
inline constexpr full_matrices_t<Full> full_matrices{};
template <bool Vectors>
struct compute_uv_t {};
template <bool Vectors>
inline constexpr compute_uv_t<Vectors> compute_uv{};

template <bool Full>
struct svd_of {
  template <Mesh M>
  static constexpr ops::svd_params on() {
    return {Full};
  }
};
inline constexpr unary_door<ops::svdvals> svdvals;
namespace functions {

template <class A, bool Full = true>
constexpr auto svd(A const& a, full_matrices_t<Full> = full_matrices<Full>, site at = std::source_location::current()) {
  return detail::with_other_results<ops::svd, svd_of<Full>>(invoke<ops::svd, svd_of<Full>>(at, a), at, a);
}
template <class A, bool Full, bool Vectors>
constexpr auto svd(A const& a, full_matrices_t<Full> full, compute_uv_t<Vectors>,
                   site at = std::source_location::current()) {
  if constexpr (Vectors)
    return svd(a, full, at);
  else
    return invoke<ops::svdvals, no_params>(at, a);
}
template <class A, bool Vectors>
constexpr auto svd(A const& a, compute_uv_t<Vectors> vectors, site at = std::source_location::current()) {
  return svd(a, full_matrices<true>, vectors, at);
}

}  // namespace functions
}  // namespace tessera
