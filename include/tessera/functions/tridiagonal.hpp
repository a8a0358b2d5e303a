// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrices of three diagonals, d (..., n) on the diagonal; leading dimensions are the batch:
//   tridiagonal_solve(dl, d, du, b): x of b (..., n, m) or (..., n); dl (..., n) below the diagonal, whose first, and du (..., n)
//     above it, whose last element is not read. A loop of n turns and one back, with exchanges of rows as LAPACK's gtsv
//   eigh_tridiagonal(d, e), eigvalsh_tridiagonal(d, e): eigh and eigvalsh of the Hermitian matrix with e (..., n - 1)
//     above the diagonal, which is made dense: n^3 steps
// n must be whole, the batch keeps its layout. Moves 0 bytes. Source: JAX 0.10.2 lax.linalg.tridiagonal_solve,
// jax.scipy.linalg.eigh_tridiagonal; Golub, Van Loan, Matrix Computations, 4.3. Differs: eigenvectors have the signs of eigh.

#include <tessera/functions/linear_systems.hpp>
#include <tessera/functions/matrix_functions.hpp>

namespace tessera {
namespace detail::bodies {

// Rows of at most three elements, the pivot's and the two behind it.
struct tridiagonal_solve {
  template <class D>
  constexpr auto operator()(auto const& dl, D const& d, auto const& du, auto const& b) const {
    constexpr std::int64_t n = length_of<D>();
    auto const place = arange<std::int32_t, n>();
    auto const below = where(place == 0, 0.0, dl);
    auto const above = where(place == static_cast<std::int32_t>(n - 1), 0.0, du);
    return by_columns<extents_of<D>.size()>(b, [&](auto const& x) { return solved<n>(below, d, above, x); });
  }

private:
  template <std::int64_t N>
  static constexpr auto solved(auto const& dl, auto const& d, auto const& du, auto const& b) {
    auto const first = [](auto const& x) { return squeeze<-1>(slice_in_dim<-1, 0, 1>(x)); };
    auto const rest = [](auto const& x) { return moveaxis<-1, 0>(slice_in_dim<-1, 1, N>(x)); };
    auto const start = std::tuple{first(d), first(du), squeeze<-2>(slice_in_dim<-2, 0, 1>(b))};
    if constexpr (N == 1) {
      return b / expand_dims<-1>(d);
    } else {
      auto const below = moveaxis<-2, 0>(slice_in_dim<-2, 1, N>(b));
      auto const [last, rows] = scan(eliminated{}, start, std::tuple{rest(dl), rest(d), rest(du), below});
      auto const end = std::get<2>(last) / expand_dims<-1>(std::get<0>(last));
      auto const x = std::get<1>(scan(substituted{}, std::tuple{end, zeros_like(end)}, rows, reversed));
      return moveaxis<0, -2>(concatenate<0>(x, expand_dims<0>(end)));
    }
  }
  // The larger of two first elements is the pivot.
  struct eliminated {
    constexpr auto operator()(auto const& above, auto const& row) const {
      auto const& [d0, u0, b0] = above;
      auto const& [l, d1, u1, b1] = row;
      auto const stays = abs(d0) >= abs(l);
      auto const all = expand_dims<-1>(stays);
      auto const pivot = where(stays, d0, l);
      auto const next = where(stays, u0, d1);
      auto const last = where(stays, 0.0, u1);
      auto const by = where(stays, l, d0) / pivot;
      auto const right = where(all, b0, b1);
      auto const left = std::tuple{where(stays, d1, u0) - by * next, where(stays, u1, 0.0) - by * last,
                                   where(all, b1, b0) - expand_dims<-1>(by) * right};
      return std::tuple{left, std::tuple{pivot, next, last, right}};
    }
  };
  struct substituted {
    constexpr auto operator()(auto const& below, auto const& row) const {
      auto const& [x1, x2] = below;
      auto const& [pivot, next, last, right] = row;
      auto const x = (right - expand_dims<-1>(next) * x1 - expand_dims<-1>(last) * x2) / expand_dims<-1>(pivot);
      return std::tuple{std::tuple{x, x1}, x};
    }
  };
};

struct tridiagonal_matrix {
  template <class D>
  constexpr auto operator()(D const& d, auto const& e) const {
    constexpr std::int64_t n = length_of<D>();
    auto const side = concatenate<-1>(e, zeros_like(slice_in_dim<-1, 0, 1>(d)));
    auto const low = where(eye<n, n, -1, bool>(), as_row(conj(side)), 0.0);
    return where(eye<n, n, 0, bool>(), as_row(d), 0.0) + low + adjoint(low);
  }
};
struct eigh_tridiagonal {
  constexpr auto operator()(auto const& d, auto const& e) const { return eigh(tridiagonal_matrix{}(d, e)); }
};
struct eigvalsh_tridiagonal {
  constexpr auto operator()(auto const& d, auto const& e) const { return eigvalsh{}(tridiagonal_matrix{}(d, e)); }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::eigh_tridiagonal> eigh_tridiagonal;
inline constexpr detail::composed_door<detail::bodies::eigvalsh_tridiagonal> eigvalsh_tridiagonal;

namespace functions {

template <class L, class D, class U, class B>
constexpr auto tridiagonal_solve(L const& dl, D const& d, U const& du, B const& b,
                                 site at = std::source_location::current()) {
  return detail::composed<detail::bodies::tridiagonal_solve>(at, dl, d, du, b);
}

}  // namespace functions
}  // namespace tessera
