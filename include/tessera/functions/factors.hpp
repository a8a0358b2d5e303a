// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products and updates of factors, without a factorization of their own; leading dimensions are the batch:
//   cholesky_update(u, w): upper U and w (..., n) -> the upper factor of U^H U + w w^H
//   householder_product(a, taus): (..., n, m), (..., k) -> the first m columns of q, the product of the reflectors in a
//   ormqr(a, taus, c), ormqr(a, taus, c, transpose_a): q c, q^H c; with right_side: c q, c q^H
//   hessenberg(a): std::tuple(h, q) with a = q h q^H, h 0 below the first subdiagonal, q unitary
//   qr_multiply(a, c): std::tuple(c q, r); qr_multiply(a, c, left_side): std::tuple(q c, r), q and r of qr(a)
// Matrices must be whole, the batch keeps its layout. Moves 0 bytes. Loops of n or k turns, but for qr_multiply. Source: JAX
// 0.10.2 lax.linalg, jax.scipy.linalg qr_multiply, hessenberg; Golub, Van Loan, Matrix Computations, 5.1, 6.5. Differs: the first four
// have gradients; cholesky_update takes complex numbers, too; qr_multiply takes at least as many rows as columns, as
// qr.

#include <tessera/functions/linear_systems.hpp>

namespace tessera {

struct right_side_t {};
inline constexpr right_side_t right_side{};  // of ormqr: q on the right

namespace detail::bodies {

// A rotation a row that makes w's element 0.
struct cholesky_update {
  template <class U>
  constexpr auto operator()(U const& u, auto const& w) const {
    constexpr std::int64_t n = length_of<U>();
    auto const rows = std::tuple{arange<std::int32_t, n>(), moveaxis<-2, 0>(in_floats(u))};
    return moveaxis<0, -2>(std::get<1>(scan(turned_away<n>{}, conj(in_floats(w)), rows)));
  }

private:
  template <std::int64_t N>
  struct turned_away {
    constexpr auto operator()(auto const& w, auto const& turn) const {
      auto const& row = std::get<1>(turn);
      auto const here = arange<std::int32_t, N>() == std::get<0>(turn);
      auto const x = only_at(here, row);
      auto const y = only_at(here, w);
      auto const none = y == 0;
      auto const larger = where(none, 1.0, maximum(abs(x), abs(y)));
      auto const a = where(none, 1.0, x / larger);
      auto const b = y / larger;
      auto const size = sqrt(real(a * conj(a)) + real(b * conj(b)));
      auto const c = a / size;
      auto const s = b / size;
      return std::tuple{c * w - s * row, conj(c) * row + conj(s) * w};
    }
  };
};
// q after the reflector of a column, whose vector is 1 at place i and the column below.
template <std::int64_t N>
struct reflected {
  constexpr auto operator()(auto const& q, auto const& turn) const {
    auto const& [i, column, tau] = turn;
    auto const place = arange<std::int32_t, N>();
    auto const v = where(place > i, column, where(place == i, 1.0, 0.0));
    auto const scaled = expand_dims<-1>(expand_dims<-1>(tau) * v);
    return std::tuple{q - matmul(scaled, matmul(conj(as_row(v)), q)), std::tuple{}};
  }
};
// The product of the reflectors in a, or its adjoint, and q.
template <bool Adjoint, class A, class T>
constexpr auto by_reflectors(A const& a, T const& taus, auto const& q) {
  constexpr std::int64_t n = extents_of<A>[rank_of_vectors<A> - 1], m = length_of<A>(), k = length_of<T>();
  if constexpr (k > m || k > n) {
    return refused_call<call_fault::more_reflectors>(a);
  } else {
    auto const columns = moveaxis<-1, 0>(slice_in_dim<-1, 0, k>(a));
    auto const places = arange<std::int32_t, k>();
    if constexpr (Adjoint)
      return std::get<0>(scan(reflected<n>{}, q, std::tuple{places, columns, moveaxis<-1, 0>(conj(taus))}));
    else
      return std::get<0>(scan(reflected<n>{}, q, std::tuple{places, columns, moveaxis<-1, 0>(taus)}, reversed));
  }
}
struct householder_product {
  template <class A>
  constexpr auto operator()(A const& a, auto const& taus) const {
    constexpr std::int64_t n = extents_of<A>[rank_of_vectors<A> - 1], m = length_of<A>();
    if constexpr (m > n)
      return refused_call<call_fault::reflectors_of_fewer_rows>(a);
    else
      return by_reflectors<false>(a, taus, where(eye<n, m, 0, bool>(), 1.0, zeros_like(a)));
  }
};
template <bool Right, bool Adjoint>
struct ormqr {
  constexpr auto operator()(auto const& a, auto const& taus, auto const& c) const {
    if constexpr (Right)  // c q is the adjoint of q^H c^H
      return adjoint(by_reflectors<!Adjoint>(a, taus, adjoint(c)));
    else
      return by_reflectors<Adjoint>(a, taus, c);
  }
};
// LAPACK's gehrd: the reflector of column k makes what is below its subdiagonal 0, and the subdiagonal real.
struct hessenberg {
  constexpr auto operator()(auto const& given) const {
    auto const a = in_floats(given);
    using A = std::remove_const_t<decltype(a)>;
    constexpr std::int64_t n = length_of<A>();
    auto const one = where(eye<n, n, 0, bool>(), 1.0, zeros_like(a));
    constexpr std::int64_t turns = n - (is_complex(facts_in_body<A>.element) ? 1 : 2);
    if constexpr (turns < 1) {
      return std::tuple{a, one};
    } else {
      auto const made = std::get<0>(scan(reduced<n>{}, std::tuple{a, one}, arange<std::int32_t, turns>()));
      return std::tuple{triu<-1>(std::get<0>(made)), std::get<1>(made)};
    }
  }

private:
  template <std::int64_t N>
  struct reduced {
    constexpr auto operator()(auto const& carry, auto const& k) const {
      auto const& [h, q] = carry;
      auto const place = arange<std::int32_t, N>();
      auto const column = squeeze<-1>(only_at(place == k, h));
      auto const head = only_at(place == k + 1, column);
      auto const rest = where(place > k + 1, column, 0.0);
      auto const square_of = [](auto const& x) { return real(x * conj(x)); };
      auto const below = sum<-1>(square_of(rest), keepdims);
      auto const none = logical_and(below == 0, square_of(head) == square(real(head)));
      auto const length = sqrt(where(none, 1.0, below + square_of(head)));
      auto const beta = where(real(head) < 0, length, -length);
      auto const tau = where(none, 0.0, (beta - head) / beta);
      auto const v = where(place == k + 1, 1.0, rest / where(none, 1.0, head - beta));
      auto const turned_rows = h - as_column(v) * (as_column(conj(tau)) * matmul(as_row(conj(v)), h));
      return std::pair{std::tuple{from_the_right(turned_rows, v, tau), from_the_right(q, v, tau)}, std::tuple<>{}};
    }

  private:
    static constexpr auto as_column(auto const& x) { return expand_dims<-1>(x); }
    static constexpr auto from_the_right(auto const& m, auto const& v, auto const& tau) {
      return m - matmul(m, as_column(v)) * (as_column(tau) * as_row(conj(v)));
    }
  };
};
template <bool Left>
struct qr_multiply {
  constexpr auto operator()(auto const& a, auto const& c) const {
    auto const [q, r] = qr(in_floats(a));
    if constexpr (Left)
      return std::tuple{matmul(q, c), r};
    else
      return std::tuple{matmul(c, q), r};
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::cholesky_update> cholesky_update;
inline constexpr detail::composed_door<detail::bodies::householder_product> householder_product;
inline constexpr detail::composed_door<detail::bodies::hessenberg> hessenberg;

namespace functions {

template <class A, class T, class C>
constexpr auto ormqr(A const& a, T const& taus, C const& c, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ormqr<false, false>>(at, a, taus, c);
}
template <class A, class T, class C>
constexpr auto ormqr(A const& a, T const& taus, C const& c, solve_option<&ops::triangular_params::transpose_a>,
                     site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ormqr<false, true>>(at, a, taus, c);
}
template <class A, class T, class C>
constexpr auto ormqr(A const& a, T const& taus, C const& c, right_side_t, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ormqr<true, false>>(at, a, taus, c);
}
template <class A, class T, class C>
constexpr auto ormqr(A const& a, T const& taus, C const& c, right_side_t,
                     solve_option<&ops::triangular_params::transpose_a>, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::ormqr<true, true>>(at, a, taus, c);
}
template <class A, class C>
constexpr auto qr_multiply(A const& a, C const& c, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::qr_multiply<false>>(at, a, c);
}
template <class A, class C>
constexpr auto qr_multiply(A const& a, C const& c, solve_option<&ops::triangular_params::left_side>,
                           site at = std::source_location::current()) {
  return detail::composed<detail::bodies::qr_multiply<true>>(at, a, c);
}

}  // namespace functions
}  // namespace tessera
