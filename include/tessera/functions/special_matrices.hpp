// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrices of a known pattern, made of vectors (..., n); leading dimensions are a batch and keep their layout:
//   toeplitz(c), toeplitz(c, r): (..., n), (..., m) -> (..., n, m), equal along diagonals, c the first column, r the first row
//   hankel(c), hankel(c, r): equal across diagonals, c the first column, r the last row   circulant(c): c turned once a column
//   companion(a), fiedler_companion(a): (..., n + 1) -> (..., n, n), whose eigenvalues are the roots of the polynomial a
//   convolution_matrix<N>(a): (..., m) -> (..., m + N - 1, N), whose product with x of N is convolve(a, x); also with same, valid
//   fiedler(a): |a_i - a_j|   leslie(f, s): f in the first row, s below the diagonal
//   block_diag(a, b, c, d), block_diag(std::tuple{...}): matrices, vectors as rows or numbers along the diagonal, zeros elsewhere
// The last dimension must be whole. Moves 0 bytes. Source: JAX 0.10.2 jax.scipy.linalg.

#include <tessera/functions/signals.hpp>
#include <tessera/op/shape/pad.hpp>

namespace tessera {
namespace detail::bodies {

template <std::int64_t N, std::int64_t M, class T = std::int32_t>
constexpr auto row_number() {
  return iota<T, 0, N, M>();
}
template <std::int64_t N, std::int64_t M, class T = std::int32_t>
constexpr auto column_number() {
  return iota<T, 1, N, M>();
}
// The extent of the last dimension.
template <class X>
constexpr std::int64_t length_of() {
  static_assert(extents_of<X>.size() > 0, "tessera: this matrix is made of a vector. Fix: expand_dims<0>(x).");
  return extents_of<X>[extents_of<X>.size() - 1];
}
constexpr auto as_row(auto const& x) { return expand_dims<-2>(x); }
// The conjugate transpose.
constexpr auto adjoint(auto const& a) { return conj(matrix_transpose(a)); }

struct toeplitz {
  template <class C, class R>
  constexpr auto operator()(C const& c, R const& r) const {
    constexpr std::int64_t n = length_of<C>(), m = length_of<R>();
    auto const all = concatenate<-1>(flip<-1>(c), slice_in_dim<-1, 1, m>(r));
    return take<-1>(all, n - 1 - row_number<n, m>() + column_number<n, m>(), mode::promise_in_bounds);
  }
  constexpr auto operator()(auto const& c) const { return (*this)(c, conj(c)); }
};
struct hankel {
  template <class C, class R>
  constexpr auto operator()(C const& c, R const& r) const {
    constexpr std::int64_t n = length_of<C>(), m = length_of<R>();
    auto const all = concatenate<-1>(c, slice_in_dim<-1, 1, m>(r));
    return take<-1>(all, row_number<n, m>() + column_number<n, m>(), mode::promise_in_bounds);
  }
  constexpr auto operator()(auto const& c) const { return (*this)(c, zeros_like(c)); }
};
struct circulant {
  template <class C>
  constexpr auto operator()(C const& c) const {
    constexpr std::int64_t n = length_of<C>();
    auto const place = remainder(n + row_number<n, n>() - column_number<n, n>(), static_cast<std::int32_t>(n));
    return take<-1>(c, place, mode::promise_in_bounds);
  }
};
// a without its first element, by the first one.
template <class A>
constexpr auto by_the_first(A const& a) {
  constexpr std::int64_t all = length_of<A>();
  return -(slice_in_dim<-1, 1, all>(a) / slice_in_dim<-1, 0, 1>(a));
}
struct companion {
  template <class A>
  constexpr auto operator()(A const& a) const {
    constexpr std::int64_t n = length_of<A>() - 1;
    if constexpr (n < 1)
      return refused_call<call_fault::companion_of_a_constant>(a);
    else
      return where(row_number<n, n>() == 0, as_row(by_the_first(a)), where(eye<n, n, -1, bool>(), 1.0, 0.0));
  }
};
// Coefficients beside the diagonal of even rows, ones two places from it: to the right in even, to the left in odd rows.
struct fiedler_companion {
  template <class A>
  constexpr auto operator()(A const& a) const {
    constexpr std::int64_t n = length_of<A>() - 1;
    if constexpr (n < 1)
      return refused_call<call_fault::companion_of_a_constant>(a);
    else
      return of_degree<n>(a);
  }

private:
  template <std::int64_t n, class A>
  static constexpr auto of_degree(A const& a) {
    auto const i = row_number<n, n>();
    auto const j = column_number<n, n>();
    auto const even = (i & 1) == 0;
    auto const corner = i + j == 0;
    auto const right = j - i == 1;
    auto const place = minimum(i + astype<std::int32_t>(right), static_cast<std::int32_t>(n - 1));
    auto const given = logical_or(logical_and(even, abs(j - i) == 1), corner);
    auto const one = logical_or(where(even, j - i == 2, i - j == 2), logical_and(i == 1, j == 0));
    auto const others = where(one, 1.0, 0.0);
    return where(given, take<-1>(by_the_first(a), place, mode::promise_in_bounds), others);
  }
};
template <std::int64_t N, class Overlap>
struct convolution_matrix {
  template <class A>
  constexpr auto operator()(A const& a) const {
    static_assert(N > 0, "tessera: convolution_matrix<N>(a) is for vectors of N > 0 elements.");
    constexpr std::int64_t m = length_of<A>(), less = (N < m ? N : m) - 1;
    constexpr int cut = std::is_same_v<Overlap, full_overlap_t> ? 0 : std::is_same_v<Overlap, same_t> ? 1 : 2;
    constexpr std::int64_t rows = m + N - 1 - cut * less;
    auto const place = cut * less / 2 + row_number<rows, N>() - column_number<rows, N>();
    auto const there = logical_and(place >= 0, place < m);
    return where(there, take<-1>(a, clip(place, 0, static_cast<std::int32_t>(m - 1)), mode::promise_in_bounds), 0);
  }
};
struct fiedler {
  constexpr auto operator()(auto const& a) const { return abs(expand_dims<-1>(a) - as_row(a)); }
};
struct leslie {
  template <class F>
  constexpr auto operator()(F const& f, auto const& s) const {
    constexpr std::int64_t n = length_of<F>();
    auto const last = zeros_like(slice_in_dim<-1, 0, 1>(s));
    auto const below = where(eye<n, n, -1, bool>(), as_row(concatenate<-1>(s, last)), 0);
    return where(row_number<n, n>() == 0, as_row(f), below);
  }
};

struct block_diag {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return (*this)(std::tuple{x...});
  }
  template <class... X>
  constexpr auto operator()(std::tuple<X...> const& x) const {
    if constexpr (((extents_of<X>.size() > 2) || ...))
      return refused_call<call_fault::blocks_of_batches>(x);
    else
      return placed(std::apply([](auto const&... block) { return std::tuple{matrix(block)...}; }, x),
                    std::index_sequence_for<X...>{});
  }

private:
  template <class X>
  static constexpr auto matrix(X const& x) {
    if constexpr (extents_of<X>.size() == 2)
      return x;
    else
      return reshape<1, product_of(extents_of<X>)>(x);
  }
  template <class... X, std::size_t... I>
  static constexpr auto placed(std::tuple<X...> const& x, std::index_sequence<I...>) {
    constexpr std::array<std::int64_t, sizeof...(X)> columns{extents_of<X>[1]...};
    constexpr auto before = [](std::array<std::int64_t, sizeof...(X)> const& of, std::size_t block) {
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < block; ++k) sum += of[k];
      return sum;
    };
    constexpr std::int64_t all = before(columns, columns.size());
    auto const wide = std::tuple{
        pad(std::get<I>(x), 0, low<0, before(columns, I)>, high<0, all - before(columns, I) - columns[I]>)...};
    if constexpr (sizeof...(X) == 1)
      return std::get<0>(wide);
    else
      return concatenate<0>(wide);
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::toeplitz> toeplitz;
inline constexpr detail::composed_door<detail::bodies::hankel> hankel;
inline constexpr detail::composed_door<detail::bodies::circulant> circulant;
inline constexpr detail::composed_door<detail::bodies::companion> companion;
inline constexpr detail::composed_door<detail::bodies::fiedler_companion> fiedler_companion;
inline constexpr detail::composed_door<detail::bodies::fiedler> fiedler;
inline constexpr detail::composed_door<detail::bodies::leslie> leslie;

namespace functions {

template <std::int64_t N, class A, detail::Overlap O = full_overlap_t>
constexpr auto convolution_matrix(A const& a, O = {}, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::convolution_matrix<N, O>>(at, a);
}
// A std::tuple of up to 16 blocks, or one to four of them.
template <class A>
constexpr auto block_diag(A const& a, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::block_diag>(at, a);
}
template <class A, class B>
constexpr auto block_diag(A const& a, B const& b, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::block_diag>(at, a, b);
}
template <class A, class B, class C>
constexpr auto block_diag(A const& a, B const& b, C const& c, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::block_diag>(at, a, b, c);
}
template <class A, class B, class C, class D>
constexpr auto block_diag(A const& a, B const& b, C const& c, D const& d, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::block_diag>(at, a, b, c, d);
}

}  // namespace functions
}  // namespace tessera
