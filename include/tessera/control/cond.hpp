// SPDX-License-Identifier: Apache-2.0
#pragma once
// cond(pred, if_true, if_false, x...): if_true(x...) or if_false(x...); only the chosen one runs. switch_(index,
// std::tuple{f0, f1, ...}, x...): the branch of that number; for a number out of range the nearest.
// pred: a scalar that is the same on all devices: bool, or a number, which is true unless it is 0. Branches give values
// of exactly the same types and may read any value around them. Inside shard_map, a pred that varies chooses for each
// device: all branches are computed, and must not communicate over the axes that it varies over. Bytes: those of the
// branch that runs. Gradient: the chosen branch is computed again and transposed. Source: JAX 0.10.2 lax.cond,
// lax.switch.

#include <tessera/base/unpack.hpp>
#include <tessera/control/branch_run.hpp>

namespace tessera {
namespace detail {

// Saves: the policy of a checkpoint, void for other branches.
template <class Branches, class Saves = void>
struct branching {
  [[no_unique_address]] Branches branches;
  template <class S, class... X>
  constexpr auto operator()(S const& selector, X const&... x) const {
    return at_line(site{}, selector, x...);
  }
  template <class S, class... X>
  constexpr auto at_line(site at, S const& selector, X const&... x) const {
    if constexpr (contains_array<S>() || (contains_array<X>() || ...)) {
      using call = run_traced<branching, S, X...>;
      call::refused::explain();
      return call::run(selector, x...);
    } else {
      auto const probed = probe(
          [&](auto const&, auto const&... y) {
            return unpack(
                [&](auto const&... f) { return std::make_tuple(call_in(nullptr, at, f, std::make_tuple(y...))...); },
                branches);
          },
          selector, x...);
      using refused = error_in<std::remove_cvref_t<decltype(probed)>>;
      if constexpr (std::is_void_v<refused>) {
        auto const results =
            branch_run<ops::branch, Saves, S, Branches, X...>(selector, branches, at, x...).recorded(probed);
        said_here<decltype(results)>::explain();
        return as_said(results);
      } else {
        error_at_once<refused, decltype(probed)>::explain();
        return poisoned<later_error<refused, decltype(probed)>>{refusal_in(probed)};
      }
    }
  }
};

}  // namespace detail

namespace functions {

// One for each number of operands: the line of the call comes after them.
template <class S, class T, class F>
constexpr auto cond(S const& pred, T const& if_true, F const& if_false, site at = std::source_location::current()) {
  return detail::branching<std::tuple<F, T>>{{if_false, if_true}}.at_line(at, detail::truth_of(pred, at));
}
template <class S, class T, class F, class X0>
constexpr auto cond(S const& pred, T const& if_true, F const& if_false, X0 const& x0,
                    site at = std::source_location::current()) {
  return detail::branching<std::tuple<F, T>>{{if_false, if_true}}.at_line(at, detail::truth_of(pred, at), x0);
}
template <class S, class T, class F, class X0, class X1>
constexpr auto cond(S const& pred, T const& if_true, F const& if_false, X0 const& x0, X1 const& x1,
                    site at = std::source_location::current()) {
  return detail::branching<std::tuple<F, T>>{{if_false, if_true}}.at_line(at, detail::truth_of(pred, at), x0, x1);
}
template <class S, class T, class F, class X0, class X1, class X2>
constexpr auto cond(S const& pred, T const& if_true, F const& if_false, X0 const& x0, X1 const& x1, X2 const& x2,
                    site at = std::source_location::current()) {
  return detail::branching<std::tuple<F, T>>{{if_false, if_true}}.at_line(at, detail::truth_of(pred, at), x0, x1, x2);
}
template <class S, class T, class F, class X0, class X1, class X2, class X3>
constexpr auto cond(S const& pred, T const& if_true, F const& if_false, X0 const& x0, X1 const& x1, X2 const& x2,
                    X3 const& x3, site at = std::source_location::current()) {
  return detail::branching<std::tuple<F, T>>{{if_false, if_true}}.at_line(at, detail::truth_of(pred, at), x0, x1, x2,
                                                                          x3);
}

template <class S, class... F>
  requires(sizeof...(F) > 0)
constexpr auto switch_(S const& index, std::tuple<F...> const& branches, site at = std::source_location::current()) {
  return detail::branching<std::tuple<F...>>{branches}.at_line(at, index);
}
template <class S, class... F, class X0>
  requires(sizeof...(F) > 0)
constexpr auto switch_(S const& index, std::tuple<F...> const& branches, X0 const& x0,
                       site at = std::source_location::current()) {
  return detail::branching<std::tuple<F...>>{branches}.at_line(at, index, x0);
}
template <class S, class... F, class X0, class X1>
  requires(sizeof...(F) > 0)
constexpr auto switch_(S const& index, std::tuple<F...> const& branches, X0 const& x0, X1 const& x1,
                       site at = std::source_location::current()) {
  return detail::branching<std::tuple<F...>>{branches}.at_line(at, index, x0, x1);
}
template <class S, class... F, class X0, class X1, class X2>
  requires(sizeof...(F) > 0)
constexpr auto switch_(S const& index, std::tuple<F...> const& branches, X0 const& x0, X1 const& x1, X2 const& x2,
                       site at = std::source_location::current()) {
  return detail::branching<std::tuple<F...>>{branches}.at_line(at, index, x0, x1, x2);
}
template <class S, class... F, class X0, class X1, class X2, class X3>
  requires(sizeof...(F) > 0)
constexpr auto switch_(S const& index, std::tuple<F...> const& branches, X0 const& x0, X1 const& x1, X2 const& x2,
                       X3 const& x3, site at = std::source_location::current()) {
  return detail::branching<std::tuple<F...>>{branches}.at_line(at, index, x0, x1, x2, x3);
}

}  // namespace functions

}  // namespace tessera
