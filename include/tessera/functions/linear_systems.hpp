// SPDX-License-Identifier: Apache-2.0
#pragma once
// Solutions of a x = b from factors of a (..., n, n); b (..., n, m), or vectors (..., n), and x as b. Leading dimensions are the
// batch.
//   solve_triangular(a, b, lower_triangle, transpose_a, unit_diagonal): triangular_solve with a on the left; upper by default
//   cho_factor(a): upper U with a = U^H U, of Hermitian positive definite a; cho_solve(u, b)
//     cho_factor(a, lower_triangle): cholesky(a); cho_solve(l, b, lower_triangle)
//   lu_factor(a): std::tuple(lu, pivots); lu_solve(lu_factor(a), b); lu_solve(lu_factor(a), b, transpose_a): a^T x = b
//   lu_pivots_to_permutation<N>(pivots): (..., k) -> (..., N) int32, the order of rows after the exchanges
//   tensorinv<Ind = 2>(a): the inverse of a as a matrix of its first Ind dimensions by the others
//   tensorsolve(a, b): x with tensordot(a, x) = b: dimensions of a, those of b first, then those of x
// Matrices must be whole, the batch keeps its layout. Moves 0 bytes. Source: JAX 0.10.2 jax.scipy.linalg, jnp.linalg,
// lax.linalg. Differs: cho_solve takes the tag in the place of cho_factor's flag; a is Hermitian for cho_factor, where
// JAX reads one triangle.

#include <tessera/control/control.hpp>
#include <tessera/functions/numbers.hpp>
#include <tessera/functions/special_matrices.hpp>
#include <tessera/op/index/sort.hpp>
#include <tessera/op/linalg/factorizations.hpp>

namespace tessera {

namespace detail::bodies {

// solve(b) of matrices, of vectors as columns.
template <int RankOfVectors, class B, class Solve>
constexpr auto by_columns(B const& b, Solve const& solve) {
  if constexpr (extents_of<B>.size() == RankOfVectors)
    return squeeze<-1>(solve(expand_dims<-1>(b)));
  else
    return solve(b);
}
template <class A>
inline constexpr int rank_of_vectors = extents_of<A>.size() - 1;

template <bool ops::triangular_params::*... Options>
struct solve_triangular {
  template <class A>
  constexpr auto operator()(A const& a, auto const& b) const {
    return by_columns<rank_of_vectors<A>>(in_floats(b), [&](auto const& columns) {
      return triangular_solve(in_floats(a), columns, left_side, solve_option<Options>{}...);
    });
  }
};
template <bool Lower>
struct cho_solve {
  constexpr auto operator()(auto const& c, auto const& b) const {
    using how = ops::triangular_params;
    if constexpr (Lower)
      return solve_triangular<&how::lower, &how::transpose_a>{}(conj(c), solve_triangular<&how::lower>{}(c, b));
    else
      return solve_triangular<>{}(c, solve_triangular<&how::transpose_a>{}(conj(c), b));
  }
};
struct cho_factor {
  constexpr auto operator()(auto const& a) const { return adjoint(cholesky(a)); }
};
struct lu_factor {
  constexpr auto operator()(auto const& a) const {
    auto const made = lu(in_floats(a));
    return std::tuple{std::get<0>(made), std::get<1>(made)};
  }
};

// The element of the last dimension at `here`, of extent 1.
constexpr auto only_at(auto const& here, auto const& x) { return sum<-1>(where(here, x, 0), keepdims); }

template <std::int64_t N>
struct lu_pivots_to_permutation {
  template <class P>
  constexpr auto operator()(P const& pivots) const {
    constexpr std::int64_t k = length_of<P>();
    if constexpr (N < k) {
      return refused_call<call_fault::pivots_of_fewer_rows>(pivots);
    } else {
      auto const start = zeros_like(slice_in_dim<-1, 0, 1>(pivots)) + arange<std::int32_t, N>();
      return std::get<0>(scan(exchanged{}, start, std::tuple{arange<std::int32_t, k>(), moveaxis<-1, 0>(pivots)}));
    }
  }

private:
  struct exchanged {
    constexpr auto operator()(auto const& order, auto const& turn) const {
      auto const place = arange<std::int32_t, N>();
      auto const here = place == std::get<0>(turn);
      auto const there = place == expand_dims<-1>(std::get<1>(turn));
      auto const next = where(here, only_at(there, order), where(there, only_at(here, order), order));
      return std::tuple{next, std::tuple{}};
    }
  };
};
template <bool Transposed>
struct lu_solve {
  template <class F>
  constexpr auto operator()(F const& factors, auto const& b) const {
    using how = ops::triangular_params;
    using A = std::tuple_element_t<0, F>;
    auto const& a = std::get<0>(factors);
    auto const order = lu_pivots_to_permutation<length_of<A>()>{}(std::get<1>(factors));
    return by_columns<rank_of_vectors<A>>(in_floats(b), [&](auto const& columns) {
      auto const moved = [](auto const& x, auto const& rows) {
        return take_along_axis<-2>(x, expand_dims<-1>(rows), mode::promise_in_bounds);
      };
      if constexpr (Transposed) {
        auto const first = solve_triangular<&how::transpose_a>{}(a, columns);
        auto const then = solve_triangular<&how::lower, &how::transpose_a, &how::unit_diagonal>{}(a, first);
        return moved(then, argsort(order));
      } else {
        return solve_triangular<>{}(a, solve_triangular<&how::lower, &how::unit_diagonal>{}(a, moved(columns, order)));
      }
    });
  }
};

template <int First, class X>
constexpr std::int64_t elements_from() {
  std::int64_t all = 1;
  for (int d = First; d < extents_of<X>.size(); ++d) all *= extents_of<X>[d];
  return all;
}
template <int Ind>
struct tensorinv {
  template <class A>
  constexpr auto operator()(A const& a) const {
    constexpr extents_list extents = extents_of<A>;
    constexpr int rank = extents.size();
    constexpr bool inside = Ind > 0 && Ind < rank;
    constexpr std::int64_t n = elements_from < inside ? Ind : 0, A > ();
    if constexpr (!inside || n * n != product_of(extents)) {
      return refused_call<call_fault::tensor_without_inverse>(a);
    } else {
      auto const matrix = inv(reshape<n, n>(a));
      return [&]<std::size_t... D>(std::index_sequence<D...>) { return reshape<extents[(D + Ind) % rank]...>(matrix); }
      (std::make_index_sequence<rank>{});
    }
  }
};
struct tensorsolve {
  template <class A, class B>
  constexpr auto operator()(A const& a, B const& b) const {
    constexpr extents_list extents = extents_of<A>;
    constexpr int first = extents_of<B>.size();
    constexpr std::int64_t n = product_of(extents_of<B>);
    if constexpr (first >= extents.size() || n * n != product_of(extents) || n != elements_from<first, A>()) {
      return refused_call<call_fault::tensor_of_other_extents>(a, b);
    } else {
      auto const x = solve(reshape<n, n>(in_floats(a)), ravel(in_floats(b)));
      return [&]<std::size_t... D>(std::index_sequence<D...>) { return reshape<extents[D + first]...>(x); }
      (std::make_index_sequence<extents.size() - first>{});
    }
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::lu_factor> lu_factor;
inline constexpr detail::composed_door<detail::bodies::tensorsolve> tensorsolve;

namespace functions {

template <class A, class B>
constexpr auto solve_triangular(A const& a, B const& b, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::solve_triangular<>>(at, a, b);
}
template <class A, class B, auto O0>
constexpr auto solve_triangular(A const& a, B const& b, solve_option<O0>, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::solve_triangular<O0>>(at, a, b);
}
template <class A, class B, auto O0, auto O1>
constexpr auto solve_triangular(A const& a, B const& b, solve_option<O0>, solve_option<O1>,
                                site at = std::source_location::current()) {
  return detail::composed<detail::bodies::solve_triangular<O0, O1>>(at, a, b);
}
template <class A, class B, auto O0, auto O1, auto O2>
constexpr auto solve_triangular(A const& a, B const& b, solve_option<O0>, solve_option<O1>, solve_option<O2>,
                                site at = std::source_location::current()) {
  return detail::composed<detail::bodies::solve_triangular<O0, O1, O2>>(at, a, b);
}
template <class A>
constexpr auto cho_factor(A const& a, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::cho_factor>(at, a);
}
template <class A>
constexpr auto cho_factor(A const& a, solve_option<&ops::triangular_params::lower>,
                          site at = std::source_location::current()) {
  return cholesky(a, at);
}
template <class C, class B>
constexpr auto cho_solve(C const& c, B const& b, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::cho_solve<false>>(at, c, b);
}
template <class C, class B>
constexpr auto cho_solve(C const& c, B const& b, solve_option<&ops::triangular_params::lower>,
                         site at = std::source_location::current()) {
  return detail::composed<detail::bodies::cho_solve<true>>(at, c, b);
}
// cho_solve((l, True), b), cho_factor(a, lower=True), solve_triangular(a, b, lower=True).
template <class C, class B>
constexpr auto cho_solve(std::tuple<C, bool> const& c, B const&, site at = std::source_location::current()) {
  return detail::refused_as<written::flags_as_arguments>(std::get<0>(c), at);
}
template <class A, class Flag>
  requires std::is_same_v<Flag, bool>
constexpr auto cho_factor(A const& a, Flag, site at = std::source_location::current()) {
  return detail::refused_as<written::flags_as_arguments>(a, at);
}
template <class A, class B, class Flag>
  requires std::is_same_v<Flag, bool>
constexpr auto cho_solve(A const& a, B const&, Flag, site at = std::source_location::current()) {
  return detail::refused_as<written::flags_as_arguments>(a, at);
}
template <class A, class B, class Flag>
  requires std::is_same_v<Flag, bool>
constexpr auto solve_triangular(A const& a, B const&, Flag, site at = std::source_location::current()) {
  return detail::refused_as<written::flags_as_arguments>(a, at);
}
template <class A, class P, class B>
constexpr auto lu_solve(std::tuple<A, P> const& factors, B const& b, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::lu_solve<false>>(at, factors, b);
}
template <class A, class P, class B>
constexpr auto lu_solve(std::tuple<A, P> const& factors, B const& b, solve_option<&ops::triangular_params::transpose_a>,
                        site at = std::source_location::current()) {
  return detail::composed<detail::bodies::lu_solve<true>>(at, factors, b);
}
template <std::int64_t N, class P>
constexpr auto lu_pivots_to_permutation(P const& pivots, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::lu_pivots_to_permutation<N>>(at, pivots);
}
template <int Ind = 2, class A>
constexpr auto tensorinv(A const& a, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::tensorinv<Ind>>(at, a);
}

}  // namespace functions
}  // namespace tessera
