// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops, branches and transformations whose functions and values stand in another order or place, scan(init, f, xs), jit(f, x),
// grad(f, 0), or whose rules are missing, custom_vjp(f): one sentence instead of a list of candidates.

#include <tessera/api/misplaced.hpp>
#include <tessera/base/functions_otherwise.hpp>
#include <tessera/transform/custom_jvp.hpp>
#include <tessera/transform/custom_vjp.hpp>

namespace tessera {
namespace detail {

// A value before a function.
template <class C, class F>
concept starts_with = (Operand<C> || is_std_tree<C>)&&!Operand<F> && !is_std_tree<F> && std::is_class_v<F>;

}  // namespace detail

namespace functions {

// The value that a loop begins with, before its functions.
template <class L, class U, class C, class F>
  requires detail::starts_with<C, F>
constexpr auto fori_loop(L const&, U const&, C const& init, F const&, site at = std::source_location::current()) {
  return detail::refused_as<written::functions_after_values>(init, at);
}
template <class G, class C, class F>
  requires detail::starts_with<C, F>
constexpr auto while_loop(G const&, C const& init, F const&, site at = std::source_location::current()) {
  return detail::refused_as<written::functions_after_values>(init, at);
}
template <class C, class G, class F>
  requires(detail::starts_with<C, G>&& detail::starts_with<C, F>)
constexpr auto while_loop(C const& init, G const&, F const&, site at = std::source_location::current()) {
  return detail::refused_as<written::functions_after_values>(init, at);
}
template <class C, class F, class X>
  requires detail::starts_with<C, F>
constexpr auto scan(C const& init, F const&, X const&, site at = std::source_location::current()) {
  return detail::refused_as<written::functions_after_values>(init, at);
}
template <class C, class X, class F>
  requires detail::starts_with<C, F>
constexpr auto scan(C const& init, X const&, F const&, site at = std::source_location::current()) {
  return detail::refused_as<written::functions_after_values>(init, at);
}
// Without their functions or values.
template <class F, class... X>
  requires(sizeof...(X) < 2)
constexpr auto jvp(F const&, X const&...) {
  written::function_or_value_missing<F>::explain();
  poisoned<explained<F>> const refused{};
  return std::tuple{refused, refused};
}
template <class S, class... F>
  requires(sizeof...(F) < 2)
constexpr auto cond(S const&, F const&...) {
  written::function_or_value_missing<S>::explain();
  return poisoned<explained<>>{};
}
template <class S>
constexpr auto switch_(S const&) {
  written::function_or_value_missing<S>::explain();
  return poisoned<explained<>>{};
}
template <class G>
constexpr auto while_loop(G const&) {
  written::function_or_value_missing<G>::explain();
  return poisoned<explained<>>{};
}
template <class L, class... U>
  requires(sizeof...(U) < 2)
constexpr auto fori_loop(L const&, U const&...) {
  written::function_or_value_missing<L>::explain();
  return poisoned<explained<>>{};
}
template <class F>
constexpr auto scan(F const&) {
  written::function_or_value_missing<F>::explain();
  poisoned<explained<F>> const refused{};
  return std::tuple{refused, refused};
}
template <class F>
constexpr auto map(F const&) {
  written::function_or_value_missing<F>::explain();
  return poisoned<explained<>>{};
}
template <class F>
constexpr auto associative_scan(F const&) {
  written::function_or_value_missing<F>::explain();
  return poisoned<explained<>>{};
}
template <class F>
constexpr auto tree_map(F const&) {
  written::function_or_value_missing<F>::explain();
  return poisoned<explained<>>{};
}
template <class F, class X>
constexpr auto associative_scan(F const&, X const& xs, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(detail::first_traced(xs), at);
}
template <class... F>
  requires(sizeof...(F) == 0)
constexpr auto jit() {
  written::function_or_value_missing<F...>::explain();
  return detail::takes_anything{};
}
template <int... Wanted>
constexpr auto grad() {
  written::function_or_value_missing<std::integer_sequence<int, Wanted...>>::explain();
  return detail::takes_anything{};
}
template <int... Wanted>
constexpr auto value_and_grad() {
  written::function_or_value_missing<std::integer_sequence<int, Wanted...>>::explain();
  return detail::takes_anything{};
}
template <class... Settings>
constexpr auto vmap() {
  written::function_or_value_missing<Settings...>::explain();
  return detail::takes_anything{};
}

// scan(f, init, xs, length=10).
template <std::int64_t Turns, class F, class C, class X, class... More>
constexpr auto scan(F const&, C const& init, X const& xs, More const&...) {
  return detail::refused_as<written::turns_twice>(detail::first_traced(init, xs), site{});
}
// Loops without the value that they begin with, with several, and scan(f, init, nothing, length).
template <class L, class U, class F>
constexpr auto fori_loop(L const&, U const&, F const&) {
  written::loop_of_one_value<F>::explain();
  return poisoned<explained<>>{};
}
template <class G, class F>
constexpr auto while_loop(G const&, F const&) {
  written::loop_of_one_value<F>::explain();
  return poisoned<explained<>>{};
}
template <class F, class C>
constexpr auto scan(F const&, C const&) {
  written::loop_of_one_value<F>::explain();
  return poisoned<explained<>>{};
}
template <class L, class U, class F, class X, class Y, class... More>
constexpr auto fori_loop(L const&, U const&, F const&, X const& x, Y const& y, More const&...) {
  return detail::refused_as<written::loop_of_one_value>(detail::first_traced(x, y), site{});
}
template <class G, class F, class X, class Y, class... More>
constexpr auto while_loop(G const&, F const&, X const& x, Y const& y, More const&...) {
  return detail::refused_as<written::loop_of_one_value>(detail::first_traced(x, y), site{});
}
template <class F, class C, class X, class Turns, class... More>
constexpr auto scan(F const&, C const& init, X const& xs, Turns const&, More const&...) {
  return detail::refused_as<written::loop_of_one_value>(detail::first_traced(init, xs), site{});
}

template <class S, class X, class T, class F>
  requires detail::starts_with<X, T>
constexpr auto cond(S const&, X const& x, T const&, F const&, site at = std::source_location::current()) {
  return detail::refused_as<written::functions_after_values>(x, at);
}

// Branches outside of a tuple, or none.
template <class S, class F>
  requires(std::is_same_v<F, std::tuple<>> || !detail::is_std_tree<F>)
constexpr auto switch_(S const& index, F const&) {
  return detail::refused_as<written::branches_without_tuple>(index, site{});
}
template <class S, class F, class X, class... Rest>
  requires(std::is_same_v<F, std::tuple<>> || !detail::is_std_tree<F>)
constexpr auto switch_(S const& index, F const&, X const& x, Rest const&... rest) {
  return detail::refused_as<written::branches_without_tuple>(detail::first_traced(index, x, rest...), site{});
}

// fori_loop<0, 10>(body, init).
template <auto Lower, auto... Upper, class F, class... X>
constexpr auto fori_loop(F const&, X const&... x) {
  return detail::refused_as<written::bounds_in_brackets>(detail::first_traced(x...), site{});
}

// jit(f, x) for jit(f)(x).
template <class F, class X, class... Rest>
  requires(!detail::is_shardings<F> && !std::is_base_of_v<comparand<F>, F> && detail::Handle<X>)
constexpr auto jit(F const&, X const& x, Rest const&...) {
  return detail::refused_as<written::call_as_arguments>(x, site{});
}
// f(g, x) for f(g)(x). What it returns is written where the macro is used, as in misplaced.hpp.
#define TESSERA_CALL_AS_ARGUMENTS(NAME, ...)                \
  template <int... Wanted, class F, class X, class... Rest> \
    requires detail::Handle<X>                              \
  constexpr auto NAME(F const&, X const& x, Rest const&...) { return __VA_ARGS__; }
TESSERA_CALL_AS_ARGUMENTS(grad, detail::refused_as<written::call_as_arguments>(x, site{}))
TESSERA_CALL_AS_ARGUMENTS(value_and_grad, detail::refused_as<written::call_as_arguments>(x, site{}))
TESSERA_CALL_AS_ARGUMENTS(hessian, detail::refused_as<written::call_as_arguments>(x, site{}))
TESSERA_CALL_AS_ARGUMENTS(jacfwd, detail::refused_as<written::call_as_arguments>(x, site{}))
TESSERA_CALL_AS_ARGUMENTS(jacrev, detail::refused_as<written::call_as_arguments>(x, site{}))
#undef TESSERA_CALL_AS_ARGUMENTS
template <int... Wanted, class F>
constexpr auto grad(F const&, detail::misplaced) {
  written::argnums_as_argument<F>::explain();
  return detail::takes_anything{};
}
template <int... Wanted, class F>
constexpr auto value_and_grad(F const&, detail::misplaced) {
  written::argnums_as_argument<F>::explain();
  return detail::takes_anything{};
}
template <class... Settings, class F>
constexpr auto vmap(F const&, detail::misplaced, detail::misplaced = 0) {
  written::settings_otherwise<F>::explain();
  return detail::takes_anything{};
}
template <int First, int... Rest, class F>
constexpr auto vmap(F const&) {
  written::settings_otherwise<F>::explain();
  return detail::takes_anything{};
}
// named_scope(f), named_scope("attention", f), named_scope<"attention">(f, x).
template <class... X>
constexpr auto named_scope(X const&...) {
  written::scope_otherwise<X...>::explain();
  return detail::takes_anything{};
}
template <fixed_string Name, class F, class X, class... Rest>
constexpr auto named_scope(F const&, X const& x, Rest const&...) {
  return detail::refused_as<written::call_as_arguments>(x, site{});
}
template <class... Settings, class F, class First, class... Rest>
constexpr auto shard_map(F const&, First const&, Rest const&...) {
  written::results_not_placed<F>::explain();
  return detail::takes_anything{};
}

// A function whose rules are missing.
template <class F, class... Rule>
  requires(sizeof...(Rule) < 2)
constexpr auto custom_vjp(F const&, Rule const&...) {
  written::rule_is_missing<F>::explain();
  return detail::takes_anything{};
}
template <class F>
constexpr auto custom_jvp(F const&) {
  written::rule_is_missing<F>::explain();
  return detail::takes_anything{};
}

}  // namespace functions
}  // namespace tessera
