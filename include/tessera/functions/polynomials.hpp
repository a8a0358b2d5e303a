// SPDX-License-Identifier: Apache-2.0
#pragma once
// Polynomials as vectors of coefficients, the highest power first:
//   polyval(p, x): the value at each x, in x's shape and layout, by Horner's rule (a loop from 33 on); p (n) or (n, ...), broadcast with x
//   polyadd(p, q), polysub(p, q), polymul(p, q): in as many coefficients as the longer one, or as the product has
//   polydiv(p, q): std::tuple(quotient, remainder), the remainder in p's length with zeros, or nearly zeros, in front
//   polyder<M = 1>(p): the M-th derivative   polyint<M = 1>(p), polyint<M>(p, k): the M-th integral, with constants k, a number
//     or M of them, 0 by default
//   roots(p): complex (n - 1), NaN for each zero in front of p; in the order of eigvals; by the companion matrix, with its gradient
//   poly(roots): the coefficients of a polynomial with these roots
//   polyfit<Degree>(x, y), polyfit<Degree>(x, y, w): the coefficients whose squares of w (polyval - y) have the least sum; y (n)
//     or (n, m), of m polynomials at once
// polyval moves 0 bytes; coefficients must be whole in the other functions, which move none then. Source: JAX 0.10.2 jax.numpy.
// Differs: no leading zeros are taken away; poly takes no matrices: poly(eigvals(a)); roots is JAX's with
// strip_zeros=False; polyfit gives the coefficients alone, by lstsq, with its gradient.

#include <tessera/control/control.hpp>
#include <tessera/functions/numbers.hpp>
#include <tessera/functions/sequences.hpp>
#include <tessera/functions/signals.hpp>
#include <tessera/functions/special.hpp>
#include <tessera/functions/special_matrices.hpp>
#include <tessera/op/linalg/eigen.hpp>
#include <tessera/op/linalg/least_squares.hpp>
#include <tessera/op/shape/pad.hpp>

namespace tessera {
namespace detail::bodies {

template <class P>
constexpr std::int64_t coefficients_of() {
  return extents_of<P>.size() == 1 ? extents_of<P>[0] : 0;
}
template <class... P>
inline constexpr bool are_polynomials = ((coefficients_of<P>() > 0) && ...);

struct polyval {
  template <class P, class X>
  constexpr auto operator()(P const& p, X const& x) const {
    constexpr std::int64_t n = extents_of<P>.size() > 0 ? extents_of<P>[0] : 0;
    if constexpr (n == 0) {
      return refused_call<call_fault::no_polynomial>(p);
    } else if constexpr (n > 32) {
      auto const start = x * 0 + nth<0>(p);
      auto const turn = [&](auto const& y, auto const& next) { return std::tuple{y * x + next, std::tuple{}}; };
      return std::get<0>(scan(turn, start, slice_in_dim<0, 1, n>(p)));
    } else {
      auto const start = x * 0 + nth<0>(p);
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return from_highest(x, start, nth<static_cast<std::int64_t>(I) + 1>(p)...);
      }
      (std::make_index_sequence<n - 1>{});
    }
  }

private:
  template <std::int64_t I>
  static constexpr auto nth(auto const& p) {
    return squeeze<0>(slice_in_dim<0, I, I + 1>(p));
  }
  static constexpr auto from_highest(auto const&, auto const& y) { return y; }
  static constexpr auto from_highest(auto const& x, auto const& y, auto const& next, auto const&... rest) {
    return from_highest(x, y * x + next, rest...);
  }
};

// With zeros in front, N coefficients.
template <std::int64_t N, class P>
constexpr auto in_coefficients(P const& p) {
  constexpr std::int64_t n = coefficients_of<P>();
  if constexpr (n == N)
    return p;
  else
    return pad(p, 0, low<N - n>, high<0>);
}
template <class P, class Q>
constexpr std::int64_t more_coefficients() {
  return coefficients_of<P>() > coefficients_of<Q>() ? coefficients_of<P>() : coefficients_of<Q>();
}
struct polyadd {
  template <class P, class Q>
  constexpr auto operator()(P const& p, Q const& q) const {
    constexpr std::int64_t n = more_coefficients<P, Q>();
    if constexpr (!are_polynomials<P, Q>)
      return refused_call<call_fault::no_polynomial>(p, q);
    else
      return in_coefficients<n>(p) + in_coefficients<n>(q);
  }
};
struct polysub {
  constexpr auto operator()(auto const& p, auto const& q) const { return polyadd{}(p, -q); }
};
struct polymul {
  template <class P, class Q>
  constexpr auto operator()(P const& p, Q const& q) const {
    if constexpr (!are_polynomials<P, Q>)
      return refused_call<call_fault::no_polynomial>(p, q);
    else
      return convolve<full_overlap_t>{}(in_floats(p), in_floats(q));
  }
};

// The coefficients of p that are left, and those behind them, one a turn: each quotient takes the first one away.
struct polydiv {
  template <class P, class Q>
  constexpr auto operator()(P const& given, Q const& divisor) const {
    if constexpr (!are_polynomials<P, Q>)
      return refused_call<call_fault::no_polynomial>(given, divisor);
    else
      return divided<coefficients_of<P>(), coefficients_of<Q>()>(in_floats(given), in_floats(divisor));
  }

private:
  template <std::int64_t n, std::int64_t m>
  static constexpr auto divided(auto const& p, auto const& q) {
    auto const by = 1.0 / slice_in_dim<0, 0, 1>(q);
    if constexpr (n < m) {
      return std::tuple{0.0 * slice_in_dim<0, 0, 1>(p), p};
    } else if constexpr (m == 1) {
      return std::tuple{by * p, p - by * p * q};
    } else {
      auto const turn = [&](auto const& left, auto const& next) {
        auto const all = concatenate<0>(left, expand_dims<0>(next));
        auto const quotient = by * slice_in_dim<0, 0, 1>(all);
        auto const rest = all - quotient * q;
        auto const first = squeeze<0>(slice_in_dim<0, 0, 1>(rest));
        return std::tuple{slice_in_dim<0, 1, m>(rest), std::tuple{squeeze<0>(quotient), first}};
      };
      auto const done = scan(turn, slice_in_dim<0, 0, m - 1>(p), slice_in_dim<0, m - 1, n>(p));
      auto const& quotients = std::get<1>(done);
      return std::tuple{std::get<0>(quotients), concatenate<0>(std::get<1>(quotients), std::get<0>(done))};
    }
  }
};

// r (r - 1) ... of M factors, none below 1, for the powers r = Highest, Highest - 1, ...
template <std::int64_t Count, std::int64_t Highest, int M, class T>
constexpr auto falling() {
  auto const power = static_cast<double>(Highest) - arange<T, Count>();
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return (ones<T, Count>() * ... * maximum(power - static_cast<double>(K), 1.0));
  }
  (std::make_integer_sequence<int, M>{});
}
template <int M>
struct polyder {
  template <class P>
  constexpr auto operator()(P const& given) const {
    constexpr std::int64_t n = coefficients_of<P>();
    auto const p = in_floats(given);
    if constexpr (n == 0)
      return refused_call<call_fault::no_polynomial>(given);
    else if constexpr (M < 0 || M >= n)
      return refused_call<call_fault::derivative_of_fewer>(given);
    else if constexpr (M == 0)
      return p;
    else
      return slice_in_dim<0, 0, n - M>(p) * falling<n - M, n - 1, M, element_in<std::remove_const_t<decltype(p)>>>();
  }
};
template <int M>
struct polyint {
  template <class P>
  constexpr auto operator()(P const& given, auto const& k) const {
    constexpr std::int64_t n = coefficients_of<P>();
    static_assert(M >= 0, "tessera: polyint<M>(p) integrates M times. Fix: polyder<M>(p) for derivatives.");
    auto const p = in_floats(given);
    using T = element_in<std::remove_const_t<decltype(p)>>;
    if constexpr (n == 0)
      return refused_call<call_fault::no_polynomial>(given);
    else if constexpr (M == 0)
      return p;
    else
      return concatenate<0>(p, k + zeros<T, M>()) / falling<n + M, n + M - 1, M, T>();
  }
};

struct poly {
  template <class R>
  constexpr auto operator()(R const& given) const {
    if constexpr (extents_of<R>.size() != 1) {
      return refused_call<call_fault::roots_in_no_vector>(given);
    } else {
      constexpr std::int64_t n = extents_of<R>[0];
      auto const roots = in_floats(given);
      auto const start = pad(ones_like(slice_in_dim<0, 0, 1>(roots)), 0, low<0>, high<n>);
      return std::get<0>(scan(times_one_more<n>{}, start, roots));
    }
  }

private:
  template <std::int64_t N>
  struct times_one_more {
    constexpr auto operator()(auto const& p, auto const& root) const {
      return std::tuple{p - root * pad(slice_in_dim<0, 0, N>(p), 0, low<1>, high<0>), std::tuple{}};
    }
  };
};

struct roots {
  template <class P>
  constexpr auto operator()(P const& given) const {
    constexpr std::int64_t n = coefficients_of<P>();
    if constexpr (n < 2) {
      return refused_call<call_fault::no_polynomial>(given);
    } else {
      auto const p = in_floats(given);
      auto const places = arange<std::int32_t, n>();
      auto const zeros = sum(cumprod<0>(astype<std::int32_t>(p == 0)));  // in front
      auto const moved = take(p, (places + zeros) % std::int32_t{n});
      auto const w = eigvals(companion{}(where((zeros == n) & (places == 0), 1.0, moved)));
      auto const order = argsort(astype<std::int32_t>(w == 0));  // those of zeros behind
      auto const missing = arange<std::int32_t, n - 1>() >= std::int32_t{n - 1} - zeros;
      return take(w, order) * where(missing, not_a_number, 1.0);
    }
  }
};

// By powers scaled to length 1, which are better to solve.
template <int Degree>
struct polyfit {
  static_assert(Degree >= 0, "tessera: polyfit<Degree>(x, y) is of a degree of 0 or more.");
  constexpr auto operator()(auto const& x, auto const& y) const { return fitted(vander<Degree + 1>{}(x), y); }
  constexpr auto operator()(auto const& x, auto const& y, auto const& w) const {
    return fitted(vander<Degree + 1>{}(x)*expand_dims<1>(w), along_rows(w, y) * y);
  }

private:
  template <class Y>
  static constexpr auto along_rows(auto const& w, Y const&) {
    if constexpr (extents_of<Y>.size() == 2)
      return expand_dims<1>(w);
    else
      return w;
  }
  static constexpr auto fitted(auto const& powers, auto const& y) {
    auto const scale = sqrt(sum<0>(real(powers * conj(powers))));
    return std::get<0>(lstsq(powers / expand_dims<0>(scale), y)) / along_rows(scale, y);
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::polyval> polyval;
inline constexpr detail::composed_door<detail::bodies::polyadd> polyadd;
inline constexpr detail::composed_door<detail::bodies::polysub> polysub;
inline constexpr detail::composed_door<detail::bodies::polymul> polymul;
inline constexpr detail::composed_door<detail::bodies::polydiv> polydiv;
inline constexpr detail::composed_door<detail::bodies::poly> poly;
inline constexpr detail::composed_door<detail::bodies::roots> roots;

namespace functions {

template <int M = 1, class P>
constexpr auto polyder(P const& p, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::polyder<M>>(at, p);
}
template <int M = 1, class P, class K = double>
constexpr auto polyint(P const& p, K const& k = 0.0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::polyint<M>>(at, p, k);
}
template <int Degree, class X, class Y>
constexpr auto polyfit(X const& x, Y const& y, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::polyfit<Degree>>(at, x, y);
}
template <int Degree, class X, class Y, class W>
constexpr auto polyfit(X const& x, Y const& y, W const& w, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::polyfit<Degree>>(at, x, y, w);
}

}  // namespace functions
}  // namespace tessera
