// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is made of the singular values and vectors of real and complex matrices a (..., n, m), of any rank:
//   pinv(a), pinv(a, rtol): the pseudoinverse (..., m, n); values up to rtol of the largest count as 0, 10 max(n, m) epsilon
//   auto [x, residuals, rank, s] = lstsq(a, b), lstsq(a, b, rcond): the shortest x of those that make |a x - b|^2 the least,
//     for b (..., n, r) or (..., n); its value for each right side, (..., r) or (..., 1); and how many of the singular values
//     s are at least rcond of the largest, max(n, m) epsilon: the others count as 0
// rtol and rcond: numbers, scalars, or of the batch's shape; without a gradient. Matrices must not be sharded, the batch
// keeps its layout. Moves 0 bytes. Gradients are those of pseudoinverses of constant rank, equal singular values or not.
// Source: JAX 0.10.2 jnp.linalg.pinv, jnp.linalg.lstsq. Differs: lstsq takes batches, and has its gradient where singular
// values are equal.

#include <tessera/op/base/relayout.hpp>
#include <tessera/op/elementwise/activation.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/op/linalg/svd.hpp>

namespace tessera {
namespace ops {

// (a, its pseudoinverse) -> the pseudoinverse, with the gradient of one that was made of a.
struct pseudoinverse : opaque<pseudoinverse, 2, accepts::floats> {
  static constexpr std::string_view name = "pinv";
  static constexpr bool of_complex = true;
  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = tessera::rule::last_dims(in, 2);
    if (!shape.refused) return shape;
    for (int d = 0; d < 2; ++d) shape.result[0].extents[d] = in[1].extent(in[1].rank - 2 + d);
    return shape;
  }
  template <class T>
  TESSERA_FUNCTION static void run(opaque_call const&, dense_view<T const>, dense_view<T const> p, dense_view<T> y) {
    copy_matrix(p, y);
  }
  // h c p^T - conj(a) c h c p^T + p^T c h - p^T c h c conj(a) - p^T p' p^T, h = p'^H, c = conj(p): products of the
  // smaller size first.
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const ct = back.cotangent();
    if (!back.operand(0) || !back.result() || !ct) return;
    auto const a = conjugate(back, back.operand(0)), p = conjugate(back, back.result());
    array_value const facts = a.facts();
    bool const tall = facts.extent(facts.rank - 2) >= facts.extent(facts.rank - 1);
    auto const of = [&](term x, term y, term z) {  // x y z of an oblong x, of y the other way around and of z as x
      return tall ? product_of(back, x, product_of(back, y, z)) : product_of(back, product_of(back, x, y), z);
    };
    auto const h = conjugate(back, turned(back, ct)), pt = turned(back, back.result());
    auto const left = of(h, p, pt), right = of(pt, p, h);
    back.give(0, left - of(a, p, left) + right - of(right, p, a) - of(pt, ct, pt));
  }
};

constexpr double epsilon_of(dtype element) {
  return bytes_of(real_of(element)) == 8 ? std::numeric_limits<double>::epsilon()
                                         : static_cast<double>(std::numeric_limits<float>::epsilon());
}
constexpr double larger_extent(array_value const& a) {
  auto const n = a.extent(a.rank - 2), m = a.extent(a.rank - 1);
  return static_cast<double>(n > m ? n : m);
}
// The singular values s and what they are compared with: `by`, or `times` larger_extent epsilon; the largest times that.
template <class B>
constexpr term cutoff_of(B& b, term s, term by, array_value a, double times) {
  if (!s) return s;
  dtype const element = s.facts().element;
  array_value const facts = s.facts();
  auto const most =
      make<expand_dims>(b, {make<reduce_max>(b, {s}, reduce_params{{facts.rank - 1}})}, expand_dims_params{{-1}});
  if (!by) return most * number(b, times * larger_extent(a) * epsilon_of(element), element);
  by = make<cast>(b, {by}, cast_params{element});
  if (by && by.facts().rank > 0) by = make<expand_dims>(b, {by}, expand_dims_params{{-1}});
  return most * by;
}
// Of those singular values that are `kept`.
template <class B>
constexpr term pseudoinverse_of(B& b, term a, term s, term kept) {
  svd_params const reduced{false};
  if (!s) return s;
  auto const u = make<svd>(b, {a}, reduced), vt = make<part<svd, 2>>(b, {a}, reduced);
  auto const infinite = number(b, std::numeric_limits<double>::infinity(), s.facts().element);
  auto const by = make<expand_dims>(b, {make<where>(b, {kept, s, infinite})}, expand_dims_params{{-2}});
  auto const p = product_of(b, conjugate(b, turned(b, vt)) / by, conjugate(b, turned(b, u)));
  return make<pseudoinverse>(b, {a, make<stop_gradient>(b, {p})});
}

struct pinv {
  static constexpr std::string_view name = "pinv";
  static constexpr op_class kind = op_class::opaque;
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const&) {
    auto const given = tessera::detail::as_inexact(b, x[0]);
    if (!given) return given;
    array_value const a = given.facts();
    array_value const* const one[]{&a};
    if (verdict const judged = svd::rule({b.mesh(), one, 1, svd_params{false}}); !judged)
      return b.template refuse<pinv>(judged, a);
    cast_params const wide{wide_float(a.element)}, narrow{a.element};
    auto const matrices = make<cast>(b, {given}, wide);
    auto const s = make<part<svd, 1>>(b, {matrices}, svd_params{false});
    auto const kept = make<greater>(b, {s, cutoff_of(b, s, count > 1 ? x[1] : term{&b, -1}, a, 10)});
    return make<cast>(b, {pseudoinverse_of(b, matrices, s, kept)}, narrow);
  }
};

// Result K of lstsq.
template <int K>
struct lstsq {
  static constexpr std::string_view name = "lstsq";
  static constexpr op_class kind = op_class::opaque;
  template <class B>
  static constexpr term build(B& b, term const* given, int count, attributes const&) {
    term x[]{given[0], given[1], count > 2 ? given[2] : term{&b, -1}};
    if (!tessera::detail::promote_dtypes_inexact(b, x, 2)) return {&b, -1};
    array_value const a = x[0].facts();
    bool const vector = x[1].facts().rank + 1 == a.rank;
    auto const sides = vector ? make<expand_dims>(b, {x[1]}, expand_dims_params{{-1}}) : x[1];
    if (!sides) return sides;
    array_value const right = sides.facts();
    array_value const* const both[]{&a, &right};
    verdict const judged = rule({b.mesh(), both, 2, svd_params{false}});
    if (!judged) return b.template refuse<lstsq>(judged, a, right);
    cast_params const wide{wide_float(a.element)}, narrow{a.element}, real{real_of(a.element)}, whole{dtype::int32};
    auto const matrices = with_batch_of(b, make<cast>(b, {x[0]}, wide), judged.result),
               y = with_batch_of(b, make<cast>(b, {sides}, wide), judged.result);
    auto const s = make<part<svd, 1>>(b, {matrices}, svd_params{false});
    if constexpr (K == 3) return make<cast>(b, {s}, real);
    if (!s) return s;
    auto const enough = make<greater_equal>(b, {s, cutoff_of(b, s, x[2], a, 1)});
    auto const kept = make<logical_and>(b, {enough, make<greater>(b, {s, number(b, 0.0, s.facts().element)})});
    if constexpr (K == 2) return make<reduce_sum>(b, {make<cast>(b, {kept}, whole)}, reduce_params{{a.rank - 2}});
    auto const solution = product_of(b, pseudoinverse_of(b, matrices, s, kept), y);
    if constexpr (K == 0) {
      auto const result = make<cast>(b, {solution}, narrow);
      return vector && result ? make<squeeze>(b, {result}, squeeze_params{{-1}}) : result;
    }
    auto const off = y - product_of(b, matrices, solution);
    return make<cast>(b, {make<sum>(b, {squared_size(b, off)}, reduce_params{{-2}})}, real);
  }

private:
  // x with its batch, where it has one, split as the result's: one that is whole yields to a name.
  template <class B>
  static constexpr term with_batch_of(B& b, term x, array_value result) {
    if (!x) return x;
    array_value facts = x.facts();
    for (int d = 0; d < facts.rank - 2; ++d) facts.entry(d) = result.entry(d);
    return tessera::detail::laid_out_as(b, x, facts);
  }
  static constexpr verdict rule(rule_input const& in) {
    opaque_shape shape = tessera::rule::last_dims(in, 2);
    if (!is_inexact(in[0].element)) shape.refused = refuse(reason::element_unsupported);
    if (!shape.refused) return shape.refused;
    array_value const &a = in[0], &b = in[1];
    auto const n = a.extent(a.rank - 2), rows = b.extent(b.rank - 2);
    if (n != rows && n != dynamic && rows != dynamic) {
      shape.refused = refuse(reason::shapes_disagree, b.rank - 2, {}, n, rows);
      shape.refused.operand = 1;
    }
    return tessera::rule::opaque(in, shape, 0);
  }
};

}  // namespace ops

namespace functions {

template <class A>
constexpr auto pinv(A const& a, site at = std::source_location::current()) {
  return invoke<ops::pinv, no_params>(at, a);
}
template <class A, class R>
constexpr auto pinv(A const& a, R const& rtol, site at = std::source_location::current()) {
  return invoke<ops::pinv, no_params>(at, a, rtol);
}

template <class A, class B>
constexpr auto lstsq(A const& a, B const& b, site at = std::source_location::current()) {
  auto const x = invoke<ops::lstsq<0>, no_params>(at, a, b);
  if constexpr (is_poisoned<std::remove_cvref_t<decltype(x)>>)
    return std::tuple{x, x, x, x};
  else
    return std::tuple{x, invoke<ops::lstsq<1>, no_params>(at, a, b), invoke<ops::lstsq<2>, no_params>(at, a, b),
                      invoke<ops::lstsq<3>, no_params>(at, a, b)};
}
template <class A, class B, class R>
constexpr auto lstsq(A const& a, B const& b, R const& rcond, site at = std::source_location::current()) {
  auto const x = invoke<ops::lstsq<0>, no_params>(at, a, b, rcond);
  if constexpr (is_poisoned<std::remove_cvref_t<decltype(x)>>)
    return std::tuple{x, x, x, x};
  else
    return std::tuple{x, invoke<ops::lstsq<1>, no_params>(at, a, b, rcond),
                      invoke<ops::lstsq<2>, no_params>(at, a, b, rcond),
                      invoke<ops::lstsq<3>, no_params>(at, a, b, rcond)};
}

}  // namespace functions
}  // namespace tessera
