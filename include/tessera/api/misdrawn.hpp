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

// What stands for the key, for an error; a refused value, of which enough is said.
constexpr int asked_key() { return 0; }
template <class First, class... Rest>
constexpr decltype(auto) asked_key(First const& first, Rest const&... rest) {
  if constexpr ((Refused<Rest> || ...))
    return tessera::detail::first_refused(rest...);
  else if constexpr (is_key<First>)
    return (first.data);
  else
    return (first);
}

}  // namespace detail

// What each returns is written where the macro is used: api/misplaced.hpp.
#define TESSERA_DRAWS(NAME, NEEDED, ...)                                \
  template <class Element = float, std::int64_t... Extents, class... X> \
    requires detail::Misdrawn<NEEDED, X...>                             \
  constexpr auto NAME(X const&... x) {                                  \
    using namespace tessera::detail;                                    \
    return __VA_ARGS__;                                                 \
  }
#define TESSERA_DRAWS_EXTENTS(NAME, NEEDED, ...) \
  template <std::int64_t... Extents, class... X> \
    requires detail::Misdrawn<NEEDED, X...>      \
  constexpr auto NAME(X const&... x) {           \
    using namespace tessera::detail;             \
    return __VA_ARGS__;                          \
  }
#define TESSERA_DRAWS_VALUES(NAME, NEEDED, ...) \
  template <class... X>                         \
    requires detail::Misdrawn<NEEDED, X...>     \
  constexpr auto NAME(X const&... x) {          \
    using namespace tessera::detail;            \
    return __VA_ARGS__;                         \
  }

TESSERA_DRAWS(bits, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(uniform, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(normal, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(exponential, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(gumbel, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(laplace, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(rademacher, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(cauchy, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(logistic, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(maxwell, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(gamma, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(loggamma, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(chisquare, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(dirichlet, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(generalized_normal, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(geometric, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(lognormal, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(pareto, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(poisson, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(rayleigh, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(t, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(wald, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(randint, 3, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(beta, 3, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(binomial, 3, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(double_sided_maxwell, 3, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(f, 3, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(multivariate_normal, 3, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(truncated_normal, 3, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(weibull_min, 3, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS(triangular, 4, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS_EXTENTS(bernoulli, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS_EXTENTS(categorical, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS_EXTENTS(choice, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS_EXTENTS(split_batch, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS_VALUES(normal_like, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS_VALUES(uniform_like, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS_VALUES(rademacher_like, 2,
                     refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS_VALUES(fold_in, 2, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))
TESSERA_DRAWS_VALUES(clone, 1, refused_as<written::draw_misses_values>(random::detail::asked_key(x...), site{}))

#undef TESSERA_DRAWS
#undef TESSERA_DRAWS_EXTENTS
#undef TESSERA_DRAWS_VALUES

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
template <std::size_t Count = 2, class... X>
  requires detail::Misdrawn<1, X...>
constexpr auto split(X const&... x) {
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
