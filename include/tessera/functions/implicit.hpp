// SPDX-License-Identifier: Apache-2.0
#pragma once
// Solutions whose gradient follows from the equation, not from the steps of the solver:
//   custom_root(f, solve, tangent_solve)(guess, p...): the x with f(x, p...) = 0 that solve(g, guess) finds, g(x) = f(x, p...)
//   custom_linear_solve(matvec, solve)(b, p...): the x with matvec(x, p...) = b that solve(g, b) finds; matvec is linear in x
//   custom_linear_solve(matvec, solve, transpose_solve): the transposed system is solved by transpose_solve(g^T, b)
// x and b are arrays or trees, p... what the equation depends on: gradients flow to b and p, none to the guess.
// tangent_solve(g, y) gives the x with g(x) = y of a linear g: the transpose of f's derivative by x. Without
// transpose_solve, solve is called with the transpose of matvec, which is derived. Solvers may loop (while_loop, too) and
// are not differentiated, so no value of their steps is kept. Bytes: those of f and of the solvers.
// Source: JAX lax.custom_root, lax.custom_linear_solve. Differs: what JAX's functions close over are arguments here; forward
// mode only where the solvers of the backward pass are linear in y (solve, but no while_loop).

#include <tessera/trace/composed.hpp>
#include <tessera/transform/custom_vjp.hpp>
#include <tessera/transform/vjp.hpp>

namespace tessera {
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

template <class F, class Solve>
struct root {
  template <class X, class... P>
  constexpr auto operator()(X const& guess, P const&... p) const {
    return Solve{}([&](auto const& x) { return F{}(x, p...); }, guess);
  }
};
template <class F, class Solve>
struct root_with_rest {
  template <class X, class... P>
  constexpr auto operator()(X const& guess, P const&... p) const {
    auto const x = root<F, Solve>{}(guess, p...);
    return std::tuple{x, std::tuple{x, std::tuple{p...}}};
  }
};
template <class F, class TangentSolve>
struct root_back {
  template <class X, class... P>
  constexpr auto operator()(std::tuple<X, std::tuple<P...>> const& rest, auto const& bar) const {
    auto const made =
        std::apply([&](auto const&... p) { return vjp(F{}, std::get<0>(rest), p...); }, std::get<1>(rest));
    auto const& pullback = std::get<1>(made);
    auto const by_x = [&](auto const& v) { return std::get<0>(pullback(v)); };
    auto const all = pullback(TangentSolve{}(by_x, bar));
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple{float0{}, tree_map(negated{}, std::get<I + 1>(all))...};
    }
    (std::index_sequence_for<P...>{});
  }
};

template <class Matvec, class Solve>
struct linear {
  template <class B, class... P>
  constexpr auto operator()(B const& b, P const&... p) const {
    return Solve{}([&](auto const& x) { return Matvec{}(x, p...); }, b);
  }
};
template <class Matvec, class Solve>
struct linear_with_rest {
  template <class B, class... P>
  constexpr auto operator()(B const& b, P const&... p) const {
    auto const x = linear<Matvec, Solve>{}(b, p...);
    return std::tuple{x, std::tuple{x, std::tuple{p...}}};
  }
};
template <class Matvec, class TransposeSolve>
struct linear_back {
  template <class X, class... P>
  constexpr auto operator()(std::tuple<X, std::tuple<P...>> const& rest, auto const& bar) const {
    auto const made =
        std::apply([&](auto const&... p) { return vjp(Matvec{}, std::get<0>(rest), p...); }, std::get<1>(rest));
    auto const& pullback = std::get<1>(made);
    auto const transposed = [&](auto const& v) { return std::get<0>(pullback(v)); };
    auto const of_b = TransposeSolve{}(transposed, bar);
    auto const all = pullback(of_b);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple{of_b, tree_map(negated{}, std::get<I + 1>(all))...};
    }
    (std::index_sequence_for<P...>{});
  }
};

}  // namespace detail::implicit

namespace functions {

template <class F, class Solve, class TangentSolve>
constexpr auto custom_root(F, Solve, TangentSolve) {
  return custom_vjp(detail::implicit::root<F, Solve>{}, detail::implicit::root_with_rest<F, Solve>{},
                    detail::implicit::root_back<F, TangentSolve>{});
}
template <class Matvec, class Solve, class TransposeSolve = Solve>
constexpr auto custom_linear_solve(Matvec, Solve, TransposeSolve = {}) {
  return custom_vjp(detail::implicit::linear<Matvec, Solve>{}, detail::implicit::linear_with_rest<Matvec, Solve>{},
                    detail::implicit::linear_back<Matvec, TransposeSolve>{});
}

}  // namespace functions
}  // namespace tessera
