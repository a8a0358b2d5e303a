// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions of matrices a (..., n, n) or (..., n, m); leading dimensions are the batch:
//   expm(a): e^a, of up to 16 squarings, otherwise NaN; expm<20>(a) of more, expm<4>(a), whose every turn is cheaper, of fewer
//   expm_frechet(a, e): std::tuple(e^a, its derivative along e)
//   polar(a): std::tuple(u, p) with a = u p, u with orthonormal columns or rows, p Hermitian, not negative;
//     polar(a, left_side): a = p u
//   funm(a, f): q f(t) q^H of the Schur form, where f is a function object without state that takes eigenvalues, complex, one
//     by one or in an array; the result is complex. NaN or inexact where eigenvalues coincide and f(t) needs f's derivative
//   eigvalsh(a): the eigenvalues of eigh, ascending   symmetric_product(a, c, alpha = 1, beta = 0): alpha a a^T + beta c
//   vector_norm<Dims...>(x): the root of the sum of squares over dimensions, of all by default; with ord<1>, ord_inf,
//     ord_minus_inf, ord<-1>, ord<-2> or a number p, the p-th root of the sum of |x|^p; then keepdims
// Matrices must be whole, the batch keeps its layout; vector_norm moves what sum moves, the others 0 bytes.
// expm is Pade's approximant of order 7 in float32, 13 in float64 (Higham, SIAM J. Matrix Anal. Appl. 26 (2005) 1179), of a
// by a power of 2 that makes its norm at most 3.92, 5.37. All turns compute a product, taken in those that are needed.
// Source: JAX 0.10.2 jax.scipy.linalg, jnp.linalg, lax.linalg. Differs: JAX scales to twice these norms, and is less accurate
// there; polar is JAX's method "svd", of any shapes.

#include <tessera/control/control.hpp>
#include <tessera/functions/special.hpp>
#include <tessera/functions/special_matrices.hpp>
#include <tessera/op/linalg/eigen.hpp>
#include <tessera/op/linalg/factorizations.hpp>
#include <tessera/op/linalg/norms.hpp>
#include <tessera/transform/jvp.hpp>

namespace tessera {
namespace detail::bodies {

// The coefficients of Pade's numerator of e^x, ascending; the last is 1.
template <int Order>
constexpr std::array<double, Order + 1> coefficients_of_pade() {
  std::array<double, Order + 1> of{};
  std::uint64_t last = 1;
  of[Order] = 1;
  for (int k = Order; k > 0; --k)
    of[k - 1] = static_cast<double>(last = last * (2 * Order - k + 1) * k / (Order - k + 1));
  return of;
}
// (v - u)^-1 (v + u) of the odd and even parts of the numerator.
template <class A>
constexpr auto pade(A const& a) {
  constexpr int order = in_double<A> ? 13 : 7;
  constexpr auto b = coefficients_of_pade<order>();
  auto const one = where(eye<length_of<A>(), length_of<A>(), 0, bool>(), 1.0, zeros_like(a));
  auto const a2 = matmul(a, a);
  auto const a4 = matmul(a2, a2);
  auto const a6 = matmul(a4, a2);
  auto const even = [&](int k) {
    auto const low = b[k + 6] * a6 + b[k + 4] * a4 + b[k + 2] * a2 + b[k] * one;
    if constexpr (order == 13)
      return matmul(a6, b[k + 12] * a6 + b[k + 10] * a4 + b[k + 8] * a2) + low;
    else
      return low;
  };
  auto const u = matmul(a, even(1));
  auto const v = even(0);
  return solve(v - u, v + u);
}
constexpr auto of_matrices(auto const& x) { return expand_dims<-1>(expand_dims<-1>(x)); }

struct squared_while_left {
  constexpr auto operator()(auto const& carry) const {
    auto const& power = std::get<0>(carry);
    auto const& left = std::get<1>(carry);
    return std::tuple{std::tuple{where(of_matrices(left > 0), matmul(power, power), power), left - 1.0}, std::tuple{}};
  }
};
template <int Squarings>
struct expm {
  constexpr auto operator()(auto const& given) const {
    static_assert(Squarings >= 0, "tessera: expm<n>(a) squares at most n times. Fix: expm(a).");
    auto const a = in_floats(given);
    using A = std::remove_const_t<decltype(a)>;
    if constexpr (sizeof(element_in<A>) < 4)
      return refused_call<call_fault::expm_of_halves>(given);
    else
      return of_floats(a);
  }

private:
  template <class A>
  static constexpr auto of_floats(A const& a) {
    auto const size = stop_gradient(max<-1>(sum<-2>(abs(a))));
    auto const needed = maximum(ceil(log2(size / (in_double<A> ? 5.37 : 3.92))), 0.0);
    auto const few = needed <= Squarings + 1.0;  // one more than JAX's, as it scales to one more
    auto const turns = where(few, needed, 0.0);
    auto const start = std::tuple{pade(a / of_matrices(exp2(turns))), turns};
    auto const done = std::get<0>(std::get<0>(scan<Squarings + 1>(squared_while_left{}, start)));
    return where(of_matrices(few), done, not_a_number);
  }
};
struct expm_frechet {
  constexpr auto operator()(auto const& a, auto const& e) const { return jvp(expm<16>{}, in_floats(a), in_floats(e)); }
};

template <bool Left>
struct polar {
  constexpr auto operator()(auto const& a) const {
    auto const [u, s, vt] = svd(in_floats(a), full_matrices<false>);
    if constexpr (Left)
      return std::tuple{matmul(u, vt), matmul(u * as_row(s), adjoint(u))};
    else
      return std::tuple{matmul(u, vt), matmul(adjoint(vt) * as_row(s), vt)};
  }
};
// Parlett's recurrence: f(t) t = t f(t), one diagonal of f(t) a turn.
template <class F>
struct funm {
  constexpr auto operator()(auto const& given) const {
    auto const form = schur(in_floats(given));
    auto const t = std::get<0>(form);
    auto const q = std::get<1>(form);
    constexpr std::int64_t n = length_of<std::remove_const_t<decltype(t)>>();
    auto const apart = column_number<n, n>() - row_number<n, n>();
    auto const values = sum<-1>(where(apart == 0, t, 0.0));
    auto const differences = expand_dims<-2>(values) - expand_dims<-1>(values);
    auto const begin = where(apart == 0, expand_dims<-1>(F{}(values)), zeros_like(t));
    auto const turn = [&](auto const& i, auto const& made) {
      auto const here = apart == i + 1;
      auto const commuted = matmul(t, made) - matmul(made, t);
      return where(here, commuted / where(here, differences, 1.0), made);
    };
    auto const of_t = fori_loop(0, static_cast<int>(n) - 1, turn, begin);
    return matmul(q, matmul(of_t, adjoint(q)));
  }
};
struct eigvalsh {
  constexpr auto operator()(auto const& a) const { return std::get<0>(eigh(a)); }
};
struct symmetric_product {
  constexpr auto operator()(auto const& a, auto const& c, auto const& alpha, auto const& beta) const {
    return alpha * matmul(a, matrix_transpose(a)) + beta * c;
  }
};

template <norm_order Order, bool Keep, int... Dims>
struct vector_norm {
  constexpr auto operator()(auto const& x) const {
    if constexpr (Order == norm_order::none || Order == norm_order::two)
      return sqrt(total(real(x * conj(x))));
    else if constexpr (Order == norm_order::one)
      return total(abs(x));
    else if constexpr (Order == norm_order::minus_one || Order == norm_order::minus_two)
      return (*this)(x, Order == norm_order::minus_one ? -1.0 : -2.0);
    else
      return extreme(abs(x));
  }
  constexpr auto operator()(auto const& x, auto const& p) const { return power(total(power(abs(x), p)), 1.0 / p); }

private:
  static constexpr auto total(auto const& x) {
    if constexpr (Keep)
      return sum<Dims...>(x, keepdims);
    else
      return sum<Dims...>(x);
  }
  static constexpr auto extreme(auto const& x) {
    if constexpr (Keep && Order == norm_order::inf)
      return max<Dims...>(x, keepdims);
    else if constexpr (Keep)
      return min<Dims...>(x, keepdims);
    else if constexpr (Order == norm_order::inf)
      return max<Dims...>(x);
    else
      return min<Dims...>(x);
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::expm_frechet> expm_frechet;
inline constexpr detail::composed_door<detail::bodies::eigvalsh> eigvalsh;

namespace functions {

template <int Squarings = 16, class A>
constexpr auto expm(A const& a, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::expm<Squarings>>(at, a);
}
template <class A, class F>
constexpr auto funm(A const& a, F const&, site at = std::source_location::current()) {
  static_assert(
      std::is_empty_v<F> && std::is_default_constructible_v<F>,
      "tessera: funm: the function has state, and a program knows its type only. Fix: a lambda without captures.");
  return detail::composed<detail::bodies::funm<F>>(at, a);
}
template <class A>
constexpr auto polar(A const& a, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::polar<false>>(at, a);
}
template <class A>
constexpr auto polar(A const& a, solve_option<&ops::triangular_params::left_side>,
                     site at = std::source_location::current()) {
  return detail::composed<detail::bodies::polar<true>>(at, a);
}
template <class A, class C>
constexpr auto symmetric_product(A const& a, C const& c, double alpha = 1, double beta = 0,
                                 site at = std::source_location::current()) {
  return detail::composed<detail::bodies::symmetric_product>(at, a, c, alpha, beta);
}
template <int... Dims, class X, norm_order Order = norm_order::none>
constexpr auto vector_norm(X const& x, norm_order_t<Order> = {}, site at = std::source_location::current()) {
  static_assert(Order != norm_order::fro && Order != norm_order::nuc,
                "tessera: fro and nuc are norms of matrices. Fix: matrix_norm(x, nuc).");
  return detail::composed<detail::bodies::vector_norm<Order, false, Dims...>>(at, x);
}
template <int... Dims, class X, norm_order Order>
constexpr auto vector_norm(X const& x, norm_order_t<Order>, keepdims_t, site at = std::source_location::current()) {
  static_assert(Order != norm_order::fro && Order != norm_order::nuc,
                "tessera: fro and nuc are norms of matrices. Fix: matrix_norm(x, nuc).");
  return detail::composed<detail::bodies::vector_norm<Order, true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto vector_norm(X const& x, keepdims_t, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::vector_norm<norm_order::none, true, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto vector_norm(X const& x, double p, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::vector_norm<norm_order::none, false, Dims...>>(at, x, p);
}
template <int... Dims, class X>
constexpr auto vector_norm(X const& x, double p, keepdims_t, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::vector_norm<norm_order::none, true, Dims...>>(at, x, p);
}

}  // namespace functions
}  // namespace tessera
