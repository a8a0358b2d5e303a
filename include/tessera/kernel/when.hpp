// SPDX-License-Identifier: Apache-2.0
#pragma once
// when(pred, f, x...): if pred, f(x...), which assigns variables of traced code; if not, nothing runs:
//   when(program_id<1>(program) == 0, [](auto& sum) { sum = zeros_like(sum); }, sum);
// pred: a bool or integer scalar. It is cond with variables; also outside of kernels. Bytes, gradient: those of cond.
// Source: JAX 0.10.2 pallas.when.

#include <tessera/control/cond.hpp>

namespace tessera {
namespace detail {

template <class F>
struct run_on_copies {
  F f;
  template <class... X>
  constexpr auto operator()(X... x) const {
    f(x...);
    return std::tuple{x...};
  }
};
struct keep_as_it_is {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return std::tuple{x...};
  }
};
template <class P, class F, class... X>
constexpr void assign_when(site at, P const& pred, F const& f, X&... x) {
  auto const made = branching<std::tuple<keep_as_it_is, run_on_copies<F>>>{{{}, {f}}}.at_line(at, pred, x...);
  if constexpr (is_std_tree<std::remove_const_t<decltype(made)>>)
    std::apply([&](auto const&... y) { (static_cast<void>(x = y), ...); }, made);
  else
    (static_cast<void>(x = made), ...);  // refused
}

}  // namespace detail

namespace functions {

// One for each number of variables: the line of the call comes after them.
template <class P, class F, class A>
constexpr void when(P const& pred, F const& f, A& a, site at = std::source_location::current()) {
  detail::assign_when(at, pred, f, a);
}
template <class P, class F, class A, class B>
constexpr void when(P const& pred, F const& f, A& a, B& b, site at = std::source_location::current()) {
  detail::assign_when(at, pred, f, a, b);
}
template <class P, class F, class A, class B, class C>
constexpr void when(P const& pred, F const& f, A& a, B& b, C& c, site at = std::source_location::current()) {
  detail::assign_when(at, pred, f, a, b, c);
}
template <class P, class F, class A, class B, class C, class D>
constexpr void when(P const& pred, F const& f, A& a, B& b, C& c, D& d, site at = std::source_location::current()) {
  detail::assign_when(at, pred, f, a, b, c, d);
}

}  // namespace functions
}  // namespace tessera
