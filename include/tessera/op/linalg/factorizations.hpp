// SPDX-License-Identifier: Apache-2.0
#pragma once
// Factors of matrices in the last two dimensions of floating and complex arrays; leading ones are the batch. Several
// results each:
//   auto [lu, pivots, order] = lu(a)
//   auto [q, r] = qr(a), of at least as many rows as columns; the diagonal of r is real
//   auto [w, v] = eigh(a): eigenvalues, ascending, and vectors of the mean of a and a^H
// Matrices must not be sharded, the batch keeps its layout. Moves 0 bytes. The gradient of lu is for square matrices.
//   slogdet(a): std::tuple(sign, log |det|) of square matrices, det(a): by lu; the gradient of det by cofactors
// Source: JAX 0.10.2 lax.linalg, jnp.linalg. Signs of q and r are LAPACK's, as JAX's.

#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/elementwise/logarithmic.hpp>
#include <tessera/op/elementwise/trigonometric.hpp>
#include <tessera/op/linalg/linalg.hpp>

namespace tessera {
namespace ops {

struct lu : opaque<lu, 1, accepts::floats, 3> {
  static constexpr std::string_view name = "lu";
  static constexpr bool wide_floats = true, of_complex = true;
  template <class T>
  using results = opaque_types<T, std::int32_t, std::int32_t>;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = tessera::rule::last_dims(in, 2);
    if (!shape.refused) return shape;
    array_value const& a = in[0];
    auto const n = a.extent(a.rank - 2), m = a.extent(a.rank - 1);
    shape.result[1].dims.push_back(a.rank - 2);
    shape.result[1].extents.push_back(n == dynamic || m == dynamic ? dynamic : n < m ? n : m);
    shape.result[2].dims.push_back(a.rank - 2);
    shape.result[2].extents.push_back(n);
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const&, dense_view<T const> a, dense_view<T> factors,
                                   dense_view<std::int32_t> pivots, dense_view<std::int32_t> order) {
    copy_matrix(a, factors);
    linalg::lu(factors, pivots, order);
  }
  template <class T>
  static void run_on_host(opaque_call const& call, dense_view<T const> a, dense_view<T> factors,
                          dense_view<std::int32_t> pivots, dense_view<std::int32_t> order) {
    if (!linalg::host_lu(a, factors, pivots, order)) run(call, a, factors, pivots, order);
  }
  // Of p a = l u: a' = p^T l^-T (strict lower part of l^T l' + upper part of u' u^T) u^-T.
  template <int K, class B>
  static constexpr void transpose_of(B& back) {
    if constexpr (K == 0) {
      array_value const a = back.operand(0).facts();
      auto const n = a.extent(a.rank - 1);
      auto const rows_of_a = a.extent(a.rank - 2);
      if (n != rows_of_a && n != dynamic && rows_of_a != dynamic) {
        back.graph().template refuse<lu>(refuse(reason::not_differentiable), a);
        return;
      }
      attributes const attrs = back.attrs();
      auto const factors = back.result(), ct = back.cotangent();
      auto const order = make<part<lu, 2>>(back, {back.operand(0)}, attrs);
      diagonal_params const strict{-1};
      cast_params const to{a.element};
      triangular_params const left{true, true, true, true}, right{.transpose_a = true};
      auto const unit = make<cast>(back, {on_the_diagonal(back.graph(), a, a.rank - 2, a.rank - 1, 0)}, to);
      auto const lower = make<tril>(back, {factors}, strict) + unit;
      auto const of_lower = product_of(back, turned(back, lower), make<tril>(back, {ct}, strict));
      auto const of_upper = product_of(back, make<triu>(back, {ct}), turned(back, make<triu>(back, {factors})));
      auto const sum = make<add>(back, {make<tril>(back, {of_lower}, strict), make<triu>(back, {of_upper})});
      auto const half = make<triangular_solve>(back, {factors, sum}, left);
      auto const rows = make<triangular_solve>(back, {factors, half}, right);
      iota_params positions{dtype::int32, 0, {n}};
      auto const wide = make<expand_dims>(back, {order}, expand_dims_params{{-1}});
      if (!wide || !rows) return;
      auto const chosen = make<equal>(back, {wide, make<iota>(back, {}, positions)});
      auto const moved = make<cast>(back, {chosen}, to);
      if (moved) back.give(0, product_of(back, turned(back, moved), rows));
    }
  }
};

// The cofactors of square matrices, which are the gradient of det, also for singular matrices. Their own gradient is
// for regular ones.
struct cofactors : opaque<cofactors, 1, accepts::floats> {
  static constexpr std::string_view name = "cofactors";
  static constexpr bool wide_floats = true, of_complex = true;
  static constexpr opaque_shape shape(rule_input const& in) { return square_matrices(in); }
  template <class T>
  static void run_on_host(opaque_call const&, dense_view<T const> a, dense_view<T> c) {
    linalg::host_cofactors(a, c);
  }
  // (sum(c' c) c - c c'^T c) / det
  template <class B>
  static constexpr void transpose(B& back, int) {
    array_value const a = back.operand(0).facts();
    auto const c = back.result(), ct = back.cotangent();
    extents_list const both{a.rank - 2, a.rank - 1};
    auto const inner = [&](term x, term y) {
      auto const sum = make<reduce_sum>(back, {x * y}, reduce_params{both});
      return spread_back(back, sum, a, both);
    };
    term const along = inner(ct, c) * c;
    auto const across = product_of(back, product_of(back, c, turned(back, ct)), c);
    auto const size = make<multiply>(
        back,
        {inner(back.operand(0), c), number(back.graph(), 1.0 / static_cast<double>(a.extent(a.rank - 1)), a.element)});
    back.give(0, (along - across) / size);
  }
};

// (a, its factors, pivots) -> the determinants.
struct determinant_of_factors : opaque<determinant_of_factors, 3, accepts::floats> {
  static constexpr std::string_view name = "det";
  static constexpr bool of_complex = true;
  template <class T>
  using operands = opaque_types<T, T, std::int32_t>;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape;
    for (int i = 0; i < 3; ++i)
      for (int d = in[i].rank - (i < 2 ? 2 : 1); d < in[i].rank; ++d) shape.operand[i].push_back(d);
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const&, dense_view<T const>, dense_view<T const> factors,
                                   dense_view<std::int32_t const> pivots, dense_view<T> det) {
    using A = tessera::detail::compute_type<dtype_of<T>()>;
    A product(1);
    for (std::int64_t k = 0; k < pivots.extent(0); ++k)
      product *= pivots(k) == k ? static_cast<A>(factors(k, k)) : -static_cast<A>(factors(k, k));
    det() = static_cast<T>(product);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const a = back.operand(0);
    auto const share = spread_back(back, back.cotangent(), a.facts(), {a.facts().rank - 2, a.facts().rank - 1});
    back.give(0, share * make<cofactors>(back, {a}));
  }
};

enum class determinant : std::uint8_t { sign, log_size, value };
struct slogdet_params {
  determinant what = determinant::sign;
  static constexpr void fields(auto& p, auto&& each) { each(p.what); }
};
// The sign or the logarithm of the size of the determinant, or the determinant.
struct slogdet {
  static constexpr std::string_view name = "slogdet";
  static constexpr op_class kind = op_class::opaque;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    auto const matrices = tessera::detail::as_inexact(b, operand[0]);
    if (!matrices) return matrices;
    array_value const a = matrices.facts();
    array_value const* const one[]{&a};
    opaque_shape const shape = square_matrices({b.mesh(), one, 1, {}});
    if (!shape.refused) return b.template refuse<slogdet>(shape.refused, a);
    bool const of_complex = is_complex(a.element);
    if (!is_floating(a.element) && !of_complex)
      return b.template refuse<slogdet>(refuse(reason::element_unsupported), a);
    determinant const what = attrs.as<slogdet_params>().what;
    cast_params const wide{of_complex ? a.element : wide_float(a.element)}, narrow{a.element};
    auto const x = make<cast>(b, {matrices}, wide);
    auto const factors = b.template emit<lu>({x}, {});
    if (!factors) return factors;
    if (what == determinant::value) {
      auto const pivots = b.template emit<part<lu, 1>>({x}, {});
      return make<cast>(b, {b.template emit<determinant_of_factors>({x, factors, pivots}, {})}, narrow);
    }
    array_value const facts = factors.facts();
    auto const on = on_the_diagonal(b, facts, facts.rank - 2, facts.rank - 1, 0);
    auto const only = make<where>(b, {on, factors, number(b, 0.0, facts.element)});
    auto const diagonal = make<reduce_sum>(b, {only}, reduce_params{{facts.rank - 1}});
    reduce_params last{{facts.rank - 2}};
    if (what == determinant::log_size) {
      auto const sizes = make<log>(b, {make<absolute>(b, {diagonal})});
      return make<cast>(b, {make<reduce_sum>(b, {sizes}, last)}, cast_params{real_of(a.element)});
    }
    cast_params const whole{dtype::int32};
    iota_params positions{dtype::int32, 0, {a.extent(a.rank - 1)}};
    auto const pivots = b.template emit<part<lu, 1>>({x}, {});
    auto const moved = make<not_equal>(b, {pivots, make<iota>(b, {}, positions)});
    auto const swaps = make<reduce_sum>(b, {make<cast>(b, {moved}, whole)}, last);
    auto const odd = make<remainder>(b, {swaps, number(b, 2, dtype::int32)});
    auto const turn = make<subtract>(b, {number(b, 1.0, facts.element), odd * number(b, 2.0, facts.element)});
    auto const product =
        turn * (of_complex ? direction(b, diagonal, last) : make<reduce_prod>(b, {make<sign>(b, {diagonal})}, last));
    return make<cast>(b, {product}, narrow);
  }

private:
  // The product of x / |x| over the last dimension, by the sum of the angles; 0 if one is 0.
  template <class B>
  static constexpr term direction(B& b, term x, reduce_params last) {
    auto const angles = make<arctan2>(b, {make<imag>(b, {x}), make<real>(b, {x})});
    auto const angle = make<reduce_sum>(b, {angles}, last);
    auto const size = make<reduce_prod>(b, {make<sign>(b, {make<absolute>(b, {x})})}, last);
    return make<complex>(b, {size * make<cos>(b, {angle}), size * make<sin>(b, {angle})});
  }
};

struct qr : opaque<qr, 1, accepts::floats, 2> {
  static constexpr std::string_view name = "qr";
  static constexpr bool wide_floats = true, of_complex = true;
  template <class T>
  using results = opaque_types<T, T>;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = tessera::rule::last_dims(in, 2, 2);
    if (!shape.refused) return shape;
    auto const n = shape.result[0].extents[0], m = shape.result[0].extents[1];
    if (n != dynamic && m != dynamic && n < m)
      shape.refused = refuse(reason::shapes_disagree, in[0].rank - 2, {}, n, m);
    shape.result[1].extents[0] = m;
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const&, dense_view<T const> a, dense_view<T> q, dense_view<T> r) {
    copy_matrix(a, q);
    linalg::qr(q, r);
  }
  template <class T>
  static void run_on_host(opaque_call const& call, dense_view<T const> a, dense_view<T> q, dense_view<T> r) {
    if (!linalg::host_qr(a, q, r)) run(call, a, q, r);
  }
  // (q' + conj(q h)) r^-T with h Hermitian, its lower part that of m = r r'^T - q'^T q, its diagonal real.
  template <int K, class B>
  static constexpr void transpose_of(B& back) {
    attributes const attrs = back.attrs();
    auto const q = make<qr>(back, {back.operand(0)}, attrs);
    auto const r = make<part<qr, 1>>(back, {back.operand(0)}, attrs);
    diagonal_params const strict{-1};
    triangular_params const right{.transpose_a = true};  // x r^T = ...
    auto const m = K == 0 ? -product_of(back, turned(back, back.cotangent()), q)
                          : product_of(back, r, turned(back, back.cotangent()));
    auto const half = symmetric(back, make<tril>(back, {m}) + make<tril>(back, {m}, strict));
    term sum = conjugate(back, product_of(back, q, half));
    if (K == 0) sum = sum + back.cotangent();
    back.give(0, make<triangular_solve>(back, {r, sum}, right));
  }
};

struct eigh_factors : opaque<eigh_factors, 1, accepts::floats, 2> {
  static constexpr std::string_view name = "eigh";
  static constexpr bool wide_floats = true, of_complex = true;
  template <class T>
  using results = opaque_types<linalg::real_of<T>, T>;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = square_matrices(in, 2);
    if (!shape.refused) return shape;
    shape.result[0].dims = {in[0].rank - 2};
    shape.result[0].extents = {in[0].extent(in[0].rank - 1)};
    return shape;
  }
  template <class T>
  static void run_on_host(opaque_call const&, dense_view<T const> a, dense_view<linalg::real_of<T>> w,
                          dense_view<T> v) {
    linalg::host_eigh(a, w, v);
  }
  // With u = conj(v), of the values: u diag(w') v^T. Of the vectors: u (f * (v^T v')) v^T with f = 1 / (w_j - w_i) off the
  // diagonal.
  template <int K, class B>
  static constexpr void transpose_of(B& back) {
    attributes const attrs = back.attrs();
    auto const w = make<eigh_factors>(back, {back.operand(0)}, attrs);
    auto const v = make<part<eigh_factors, 1>>(back, {back.operand(0)}, attrs);
    expand_dims_params row{{-2}}, column{{-1}};
    term left = conjugate(back, v);
    if constexpr (K == 0) {
      left = left * make<expand_dims>(back, {back.cotangent()}, row);
    } else {
      term const apart =
          make<subtract>(back, {make<expand_dims>(back, {w}, row), make<expand_dims>(back, {w}, column)});
      auto const zero = number(back.graph(), 0.0);
      auto const alike = make<equal>(back, {apart, zero});
      auto const inner = product_of(back, turned(back, v), back.cotangent());
      auto const safe = make<where>(back, {alike, number(back.graph(), 1.0), apart});
      left = product_of(back, left, make<where>(back, {alike, zero, inner / safe}));
    }
    back.give(0, symmetric(back, product_of(back, left, turned(back, v))));
  }
};

// Result K of eigh, of the symmetric part.
template <int K>
struct eigh {
  static constexpr std::string_view name = "eigh";
  static constexpr op_class kind = op_class::opaque;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    auto const x = tessera::detail::as_inexact(b, operand[0]);
    if (!x) return x;
    array_value const facts = x.facts();
    array_value const* const one[]{&facts};
    if (verdict const judged = eigh_factors::rule({b.mesh(), one, 1, attrs}); !judged)
      return b.template refuse<eigh>(judged, facts);
    auto const even = symmetric(b, x);
    if constexpr (K == 0)
      return make<eigh_factors>(b, {even}, attrs);
    else
      return make<part<eigh_factors, K>>(b, {even}, attrs);
  }
};

}  // namespace ops

inline constexpr results_door<ops::lu> lu{};
inline constexpr results_door<ops::qr> qr{};
namespace functions {

template <class A>
constexpr auto eigh(A const& a, site at = std::source_location::current()) {
  auto const first = invoke<ops::eigh<0>, no_params>(at, a);
  if constexpr (is_poisoned<std::remove_cvref_t<decltype(first)>>)
    return std::tuple{first, first};
  else
    return std::tuple{first, invoke<ops::eigh<1>, no_params>(at, a)};
}

}  // namespace functions
template <ops::determinant What>
struct determinant_of {
  template <Mesh M>
  static constexpr ops::slogdet_params on() {
    return {What};
  }
};
namespace functions {

template <class A>
constexpr auto slogdet(A const& a, site at = std::source_location::current()) {
  auto const first = invoke<ops::slogdet, determinant_of<ops::determinant::sign>>(at, a);
  if constexpr (is_poisoned<std::remove_cvref_t<decltype(first)>>)
    return std::tuple{first, first};
  else
    return std::tuple{first, invoke<ops::slogdet, determinant_of<ops::determinant::log_size>>(at, a)};
}
template <class A>
constexpr auto det(A const& a, site at = std::source_location::current()) {
  return invoke<ops::slogdet, determinant_of<ops::determinant::value>>(at, a);
}

}  // namespace functions

}  // namespace tessera
