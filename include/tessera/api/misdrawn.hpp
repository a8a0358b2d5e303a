// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers drawn without their key, normal<float, 3>(), normal(0), or without the values of their distribution,
// randint<int, 3>(key), permutation(key): one sentence instead of a list of candidates.

#include <tessera/api/misplaced.hpp>
#include <tessera/random/random.hpp>

namespace tessera::random {

namespace detail {

template <class X>
inline constexpr bool is_key = false;
template <class K>
inline constexpr bool is_key<prng_key<K>> = true;

// What a function that takes a key and Needed - 1 values is not called with.
template <std::size_t Needed, class... X>
inline constexpr bool misses_values = true;
template <std::size_t Needed, class First, class... Rest>
inline constexpr bool misses_values<Needed, First, Rest...> = !is_key<First> || sizeof...(Rest) + 1 < Needed;
template <std::size_t Needed, class... X>
concept Misdrawn = misses_values<Needed, X...>;

// What stands for the key, for an error.
constexpr int asked_key() { return 0; }
template <class First, class... Rest>
constexpr auto const& asked_key(First const& first, Rest const&...) {
  if constexpr (is_key<First>)
    return first.data;
  else
    return first;
}

}  // namespace detail

template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto bits(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto uniform(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto normal(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto exponential(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto gumbel(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto laplace(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto rademacher(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto cauchy(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto logistic(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto maxwell(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto gamma(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto loggamma(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto chisquare(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto dirichlet(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto generalized_normal(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto geometric(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto lognormal(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto pareto(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto poisson(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto rayleigh(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto t(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto wald(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<3, X...>
constexpr auto randint(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<3, X...>
constexpr auto beta(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<3, X...>
constexpr auto binomial(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<3, X...>
constexpr auto double_sided_maxwell(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<3, X...>
constexpr auto f(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<3, X...>
constexpr auto multivariate_normal(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<3, X...>
constexpr auto truncated_normal(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<3, X...>
constexpr auto weibull_min(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<4, X...>
constexpr auto triangular(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto bernoulli(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto categorical(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <std::int64_t... Extents, class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto choice(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <std::int64_t... Count, class... X>
  requires detail::Misdrawn<sizeof...(Count) ? 1 : 2, X...>
constexpr auto permutation(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element, std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto ball(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class Element = float, class... X>
  requires detail::Misdrawn<3, X...>
constexpr auto multinomial(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto normal_like(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto uniform_like(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto rademacher_like(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class... X>
  requires detail::Misdrawn<2, X...>
constexpr auto fold_in(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <std::size_t Count = 2, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto split(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <std::int64_t... Extents, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto split_batch(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto clone(X const&... x) {
  return tessera::detail::refused_as<written::draw_misses_values>(detail::asked_key(x...), site{});
}
template <class... Seed>
constexpr auto key() {
  written::draw_misses_values<Seed...>::explain();
  return poisoned<explained<>>{};
}

// uniform<float, 3>(key, low), without the upper bound.
template <class Element, std::int64_t... Extents, class K, class Low>
  requires(sizeof...(Extents) > 0 && std::is_arithmetic_v<Low>)
constexpr auto uniform(prng_key<K> const& key, Low const&) {
  return tessera::detail::refused_as<written::draw_misses_values>(key.data, site{});
}

}  // namespace tessera::random
