// SPDX-License-Identifier: Apache-2.0
#pragma once
// Solutions whose gradient follows from the equation, not from the steps of the solver:
//   custom_root(f, solve, tangent_solve)(guess, p...): the x with f(x, p...) = 0 that solve(g, guess) finds, g(x) = f(x, p...)
//   custom_linear_solve(matvec, solve)(b, p...): the x with matvec(x, p...) = b that solve(g, b) finds; matvec is linear in x
//   custom_linear_solve(matvec, solve, transpose_solve): the transposed system is solved by transpose_solve(g^T, b), which
//     may be solve again, if it solves by g alone; custom_linear_solve(matvec, solve, symmetric): by solve(g, b)
// x and b are arrays, p... what the equation depends on: gradients flow to b and p, none to the guess.
// tangent_solve(g, y) gives the x with g(x) = y of a linear g: the transpose of f's derivative by x. g^T is derived from
// matvec. Without transpose_solve and symmetric there is no gradient, as in JAX. Solvers may loop (while_loop, too) and
// are not differentiated, so no value of their steps is kept. Bytes: those of f and of the solvers.
// Source: JAX lax.custom_root, lax.custom_linear_solve. Differs: what JAX's functions close over are arguments here; forward
// mode where the solver of the transposed system is made of operations that are linear in y; a while_loop is not.

#include <tessera/trace/composed.hpp>
#include <tessera/transform/custom_vjp.hpp>
#include <tessera/transform/vjp.hpp>

namespace tessera {

// Of a linear system whose matrix is symmetric.
struct symmetric_t {};
inline constexpr symmetric_t symmetric{};

namespace detail::implicit {

// What a pullback gives, negated; integers have no cotangent.
struct negated {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_inexact(facts_in_body<X>.element))
      return -x;
    else
      return float0{};
  }
};

// What Solve finds from `start`, a guess or a right side.
template <class F, class Solve>
struct solved {
  template <class B, class... P>
  constexpr auto operator()(B const& start, P const&... p) const {
    return Solve{}([&](auto const& x) { return F{}(x, p...); }, start);
  }
};
template <class F, class Solve>
struct solved_with_rest {
  template <class B, class... P>
  constexpr auto operator()(B const& start, P const&... p) const {
    auto const x = solved<F, Solve>{}(start, p...);
    return std::tuple{x, std::tuple{x, std::tuple{p...}}};
  }
};
// No solver of the transposed system is known.
struct no_transpose_solve {
  template <class G, class Y>
  constexpr auto operator()(G const&, Y const& y) const {
    return refused_as<written::transpose_solve_is_missing>(y, site{});
  }
};
// The cotangent of a right side is what solves the transposed system; a guess has none.
template <class F, class Solve, class TransposeSolve, bool OfRightSide>
struct solved_back {
  template <class X, class... P>
  constexpr auto operator()(std::tuple<X, std::tuple<P...>> const& rest, auto const& bar) const {
    auto const made =
        std::apply([&](auto const&... p) { return vjp(F{}, std::get<0>(rest), p...); }, std::get<1>(rest));
    auto const& pullback = std::get<1>(made);
    auto const of_side = [&] {
      if constexpr (std::is_same_v<TransposeSolve, symmetric_t>)
        return std::apply([&](auto const&... p) { return solved<F, Solve>{}(bar, p...); }, std::get<1>(rest));
      else
        return TransposeSolve{}([&](auto const& v) { return std::get<0>(pullback(v)); }, bar);
    }();
    auto const all = pullback(of_side);
    auto const first = [&] {
      if constexpr (OfRightSide)
        return of_side;
      else
        return float0{};
    }();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple{first, tree_map(negated{}, std::get<I + 1>(all))...};
    }
    (std::index_sequence_for<P...>{});
  }
};

}  // namespace detail::implicit

namespace functions {

template <class F, class Solve, class TangentSolve>
constexpr auto custom_root(F, Solve, TangentSolve) {
  return custom_vjp(detail::implicit::solved<F, Solve>{}, detail::implicit::solved_with_rest<F, Solve>{},
                    detail::implicit::solved_back<F, Solve, TangentSolve, false>{});
}
template <class Matvec, class Solve, class TransposeSolve = detail::implicit::no_transpose_solve>
  requires(!Operand<Solve>)
constexpr auto custom_linear_solve(Matvec, Solve, TransposeSolve = {}) {
  return custom_vjp(detail::implicit::solved<Matvec, Solve>{}, detail::implicit::solved_with_rest<Matvec, Solve>{},
                    detail::implicit::solved_back<Matvec, Solve, TransposeSolve, true>{});
}
// The right side between the functions, as in JAX.
template <class Matvec, Operand B, class... Solve>
constexpr auto custom_linear_solve(Matvec, B const& b, Solve const&...) {
  return detail::refused_as<written::call_as_arguments>(b, site{});
}

}  // namespace functions
}  // namespace tessera
