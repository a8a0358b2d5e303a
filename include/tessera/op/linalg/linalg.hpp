// SPDX-License-Identifier: Apache-2.0
#pragma once
// Solutions of linear systems in the last two dimensions of floating and complex arrays; leading dimensions are the batch.
//   cholesky(a): lower L of a = L L^H      triangular_solve(a, b, left_side, lower_triangle, transpose_a, unit_diagonal)
//   solve(a, b): x of a x = b, b (..., n, m) or (..., n)        inv(a)
// Matrices must not be sharded, the batch keeps its layout. Moves 0 bytes. The host uses LAPACK for large matrices, if
// the build has it (decision 012). cholesky takes the mean of a and a^H, as JAX does.
// Source: JAX 0.10.2 lax.linalg, jnp.linalg.

#include <tessera/op/base/opaque.hpp>
#include <tessera/op/create/triangle.hpp>
#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/elementwise/powers.hpp>
#include <tessera/op/linalg/kernels.hpp>
#include <tessera/op/product/matmul.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/permute.hpp>

namespace tessera {
namespace ops {

template <class B>
constexpr term turned(B& b, term x) {
  return make<permute>(b, {x}, move_dims_params{{-1}, {-2}, true});
}
template <class B>
constexpr term product_of(B& b, term x, term y) {
  return make<matmul>(b, {x, y});
}
template <class B>
constexpr term conjugate(B& b, term x) {
  return x && is_complex(x.facts().element) ? make<conj>(b, {x}) : x;
}
// Equal to its transpose, of complex numbers the conjugate one.
template <class B>
constexpr term symmetric(B& b, term x) {
  auto const sum = x + conjugate(b, turned(b, x));
  return sum * 0.5;
}
template <class T>
TESSERA_FUNCTION void copy_matrix(dense_view<T const> x, dense_view<T> y) {
  for (std::int64_t i = 0; i < x.extent(0); ++i)
    for (std::int64_t j = 0; j < x.extent(1); ++j) y(i, j) = x(i, j);
}

// The last two dimensions, square.
constexpr opaque_shape square_matrices(rule_input const& in, int results = 1) {
  opaque_shape shape = tessera::rule::last_dims(in, 2, results);
  tessera::rule::require_square(shape, in);
  return shape;
}

// The vectors of operand 1 are independent of each other: the last dimensions' first or second one counts them.
constexpr void free_vectors(opaque_shape& shape, rule_input const& in, int which) {
  shape.free.operand = 1;
  shape.free.dim = in[1].rank - 2 + which;
  shape.free.result = shape.result[0].dims[which];
}
// x times y in the layout of `like`, also where the vectors, which are contracted, are split.
template <class B>
constexpr term sum_over_vectors(B& b, term x, term y, array_value like) {
  if (!x || !y || like.rank != x.facts().rank || x.facts().entry(x.facts().rank - 1).empty())
    return product_of(b, x, y);
  attributes to;
  to.has_out = true;
  to.out = layout_of(like);
  return make<matmul>(b, {x, y}, to);
}

struct triangular_params {
  bool left_side = false;      // a x = b; otherwise x a = b
  bool lower = false;          // which half of a is read
  bool transpose_a = false;    // a^T instead of a
  bool unit_diagonal = false;  // ones instead of a's diagonal
  TESSERA_FUNCTION static constexpr void fields(auto& p, auto&& each) {
    each(p.left_side, p.lower, p.transpose_a, p.unit_diagonal);
  }
};

struct triangular_solve : opaque<triangular_solve, 2, accepts::floats> {
  static constexpr std::string_view name = "triangular_solve";
  static constexpr bool wide_floats = true, of_complex = true;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = square_matrices(in);
    if (!shape.refused) return shape;
    array_value const &a = in[0], &b = in[1];
    bool const left = in.attrs.as<triangular_params>().left_side;
    auto const n = a.extent(a.rank - 1), rows = b.extent(b.rank - (left ? 2 : 1));
    if (n != rows && n != dynamic && rows != dynamic) {
      shape.refused = refuse(reason::shapes_disagree, b.rank - (left ? 2 : 1), {}, n, rows);
      shape.refused.operand = 1;
    }
    for (int d = 0; d < 2; ++d) shape.result[0].extents[d] = b.extent(b.rank - 2 + d);
    free_vectors(shape, in, left ? 1 : 0);
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const& call, dense_view<T const> a, dense_view<T const> b,
                                   dense_view<T> x) {
    copy_matrix(b, x);
    on_the_left(call, x, [&](dense_view<T> y, bool lower, bool transposed, bool unit) {
      linalg::solve_triangle(a, y, lower, transposed, unit);
    });
  }
  template <class T>
  static void run_on_host(opaque_call const& call, dense_view<T const> a, dense_view<T const> b, dense_view<T> x) {
    copy_matrix(b, x);
    on_the_left(call, x, [&](dense_view<T> y, bool lower, bool transposed, bool unit) {
      if (!linalg::host_solve_triangle(a, y, lower, transposed, unit))
        linalg::solve_triangle(a, y, lower, transposed, unit);
    });
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    triangular_params how = back.attrs().template as<triangular_params>();
    how.transpose_a = !how.transpose_a;
    auto const toward_b = make<triangular_solve>(back, {back.operand(0), back.cotangent()}, how);
    back.give(1, toward_b);
    if (!back.wants(0)) return;
    bool const left = how.left_side, turned_a = !how.transpose_a;
    auto const x = back.result();
    // op(a) x = b: the cotangent of op(a) is -b' x^T; x op(a) = b: -x^T b'
    array_value const like = back.operand(0).facts();
    term full = left ? sum_over_vectors(back, toward_b, turned(back, x), like)
                     : sum_over_vectors(back, turned(back, x), toward_b, like);
    if (turned_a) full = turned(back, full);
    diagonal_params const diagonal{!how.unit_diagonal ? 0 : how.lower ? -1 : 1};
    full = -full;
    back.give(0, how.lower ? make<tril>(back, {full}, diagonal) : make<triu>(back, {full}, diagonal));
  }

private:
  // solve(y, lower, transposed, unit) of the problem with a on the left: x a = b is a^T x^T = b^T.
  template <class T, class F>
  TESSERA_FUNCTION static void on_the_left(opaque_call const& call, dense_view<T> x, F const& solve) {
    auto const how = call.attrs.as<triangular_params>();
    if (how.left_side) return solve(x, how.lower, how.transpose_a, how.unit_diagonal);
    std::int64_t const extents[2]{x.extent(1), x.extent(0)}, steps[2]{x.step(1), x.step(0)};
    solve(dense_view<T>{x.elements, extents, steps, 2}, how.lower, !how.transpose_a, how.unit_diagonal);
  }
};

struct cholesky : opaque<cholesky, 1, accepts::floats> {
  static constexpr std::string_view name = "cholesky";
  static constexpr bool wide_floats = true, of_complex = true;
  static constexpr opaque_shape shape(rule_input const& in) { return square_matrices(in); }
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    auto const x = tessera::detail::as_inexact(b, operand[0]);
    if (!x) return x;
    array_value const facts = x.facts();
    array_value const* const one[]{&facts};
    if (verdict const judged = rule({b.mesh(), one, 1, attrs}); !judged)
      return b.template refuse<cholesky>(judged, facts);
    auto const even = symmetric(b, x);
    return tessera::detail::widened<cholesky, cholesky, 0>(b, &even, 1, attrs);
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const&, dense_view<T const> a, dense_view<T> l) {
    copy_matrix(a, l);
    linalg::cholesky(l);
  }
  template <class T>
  static void run_on_host(opaque_call const& call, dense_view<T const> a, dense_view<T> l) {
    if (!linalg::host_cholesky(a, l)) run(call, a, l);
  }
  // L^-T phi(L^T g) conj(L)^-1, phi: the lower part with half of the diagonal; made symmetric.
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const l = back.result();
    auto const inner = product_of(back, turned(back, l), back.cotangent());
    auto const half = scaled_half(back, inner);
    triangular_params const left{.left_side = true, .lower = true, .transpose_a = true}, right{.lower = true};
    auto const first = make<triangular_solve>(back, {l, half}, left);
    back.give(0, symmetric(back, make<triangular_solve>(back, {conjugate(back, l), first}, right)));
  }

private:
  template <class B>
  static constexpr term scaled_half(B& back, term x) {
    auto const sum = make<add>(back, {make<tril>(back, {x}), make<tril>(back, {x}, diagonal_params{-1})});
    return sum * 0.5;
  }
};

// (a, b) -> a^-1 b for matrices b.
struct solve_matrices : opaque<solve_matrices, 2, accepts::floats> {
  static constexpr std::string_view name = "solve";
  static constexpr bool wide_floats = true, of_complex = true;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = square_matrices(in);
    if (!shape.refused) return shape;
    array_value const &a = in[0], &b = in[1];
    auto const n = a.extent(a.rank - 1), rows = b.extent(b.rank - 2);
    if (n != rows && n != dynamic && rows != dynamic) {
      shape.refused = refuse(reason::shapes_disagree, b.rank - 2, {}, n, rows);
      shape.refused.operand = 1;
    }
    shape.result[0].extents[1] = b.extent(b.rank - 1);
    free_vectors(shape, in, 1);
    return shape;
  }
  // By Gauss-Jordan on a copy of a: host only, as it needs memory.
  template <class T>
  static void run_on_host(opaque_call const&, dense_view<T const> a, dense_view<T const> b, dense_view<T> x) {
    linalg::host_solve(a, b, x);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const toward_b = make<solve_matrices>(back, {turned(back, back.operand(0)), back.cotangent()});
    back.give(1, toward_b);
    if (back.wants(0))
      back.give(0, -sum_over_vectors(back, toward_b, turned(back, back.result()), back.operand(0).facts()));
  }
};

struct solve {
  static constexpr std::string_view name = "solve";
  static constexpr op_class kind = op_class::opaque;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    bool const vector = x[1].facts().rank + 1 == x[0].facts().rank;
    if (!vector) return make<solve_matrices>(b, {x[0], x[1]});
    auto const column = make<expand_dims>(b, {x[1]}, expand_dims_params{{-1}});
    auto const result = make<solve_matrices>(b, {x[0], column});
    return result ? make<squeeze>(b, {result}, squeeze_params{{-1}}) : result;
  }
};

struct inv {
  static constexpr std::string_view name = "inv";
  static constexpr op_class kind = op_class::opaque;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const&) {
    auto const x = tessera::detail::as_inexact(b, operand[0]);
    if (!x) return x;
    array_value const a = x.facts();
    array_value const* const both[]{&a, &a};
    verdict const judged = solve_matrices::rule({b.mesh(), both, 2, {}});
    if (!judged) return b.template refuse<inv>(judged, a);
    eye_params const unit{a.element, a.extent(a.rank - 2), a.extent(a.rank - 1)};
    attributes const wide{broadcast_params{{a.rank - 2, a.rank - 1}, a.shape()}, layout_of(a)};
    auto const ones = make<broadcast_to>(b, {make<eye>(b, {}, unit)}, wide);
    return make<solve_matrices>(b, {x, ones});
  }
};

}  // namespace ops

template <bool ops::triangular_params::*Option>
struct solve_option {};
inline constexpr solve_option<&ops::triangular_params::left_side> left_side{};
inline constexpr solve_option<&ops::triangular_params::lower> lower_triangle{};
inline constexpr solve_option<&ops::triangular_params::transpose_a> transpose_a{};
inline constexpr solve_option<&ops::triangular_params::unit_diagonal> unit_diagonal{};
template <bool ops::triangular_params::*... Options>
struct solving {
  template <Mesh M>
  static constexpr ops::triangular_params on() {
    ops::triangular_params how;
    ((how.*Options = true), ...);
    return how;
  }
};

inline constexpr unary_door<ops::cholesky> cholesky;
inline constexpr unary_door<ops::inv> inv;
inline constexpr binary_door<ops::solve> solve;
namespace functions {

template <class A, class B>
constexpr auto triangular_solve(A const& a, B const& b, site at = std::source_location::current()) {
  return invoke<ops::triangular_solve, solving<>>(at, a, b);
}
template <class A, class B, auto O0>
constexpr auto triangular_solve(A const& a, B const& b, solve_option<O0>, site at = std::source_location::current()) {
  return invoke<ops::triangular_solve, solving<O0>>(at, a, b);
}
template <class A, class B, auto O0, auto O1>
constexpr auto triangular_solve(A const& a, B const& b, solve_option<O0>, solve_option<O1>,
                                site at = std::source_location::current()) {
  return invoke<ops::triangular_solve, solving<O0, O1>>(at, a, b);
}
template <class A, class B, auto O0, auto O1, auto O2>
constexpr auto triangular_solve(A const& a, B const& b, solve_option<O0>, solve_option<O1>, solve_option<O2>,
                                site at = std::source_location::current()) {
  return invoke<ops::triangular_solve, solving<O0, O1, O2>>(at, a, b);
}
template <class A, class B, auto O0, auto O1, auto O2, auto O3>
constexpr auto triangular_solve(A const& a, B const& b, solve_option<O0>, solve_option<O1>, solve_option<O2>,
                                solve_option<O3>, site at = std::source_location::current()) {
  return invoke<ops::triangular_solve, solving<O0, O1, O2, O3>>(at, a, b);
}

}  // namespace functions
}  // namespace tessera
