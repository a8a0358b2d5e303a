// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers drawn as Python draws them, normal(key, {3}), randint(key, {3}, 0, 10): one error sentence instead of a
// list of candidates. Each overload is chosen only if no other can be called.

#include <tessera/api/misplaced.hpp>
#include <tessera/random/random.hpp>

namespace tessera::random {

// A shape behind the key. What each returns is written where the macro is used: misplaced.hpp.
#define TESSERA_SHAPE_AFTER_KEY(NAME, ...)                                                                \
  template <class... Element, class K>                                                                    \
  constexpr auto NAME(prng_key<K> const& key, tessera::detail::misplaced, tessera::detail::misplaced = 0, \
                      tessera::detail::misplaced = 0, tessera::detail::misplaced = 0,                     \
                      site at = std::source_location::current()) {                                        \
    using namespace tessera::detail;                                                                      \
    return __VA_ARGS__;                                                                                   \
  }                                                                                                       \
  template <class Element, std::int64_t... Extents, class K>                                              \
    requires(sizeof...(Extents) > 0)                                                                      \
  constexpr auto NAME(prng_key<K> const& key, tessera::detail::misplaced, tessera::detail::misplaced,     \
                      tessera::detail::misplaced, tessera::detail::misplaced = 0,                         \
                      site at = std::source_location::current()) {                                        \
    using namespace tessera::detail;                                                                      \
    return __VA_ARGS__;                                                                                   \
  }
TESSERA_SHAPE_AFTER_KEY(bits, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_KEY(uniform, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_KEY(normal, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_KEY(exponential, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_KEY(gumbel, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_KEY(laplace, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_KEY(rademacher, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_KEY(cauchy, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_KEY(logistic, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_KEY(maxwell, refused_as<written::shape_as_argument>(key.data, at))
#undef TESSERA_SHAPE_AFTER_KEY

// A shape, or a dimension, behind one parameter.
#define TESSERA_SHAPE_AFTER_ONE(NAME, ...)                                                                          \
  template <class... Element, class K, class A>                                                                     \
  constexpr auto NAME(prng_key<K> const& key, A const&, tessera::detail::misplaced, tessera::detail::misplaced = 0, \
                      tessera::detail::misplaced = 0, site at = std::source_location::current()) {                  \
    using namespace tessera::detail;                                                                                \
    return __VA_ARGS__;                                                                                             \
  }
TESSERA_SHAPE_AFTER_ONE(bernoulli, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(gamma, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(loggamma, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(chisquare, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(dirichlet, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(generalized_normal, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(geometric, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(lognormal, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(pareto, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(poisson, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(rayleigh, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(t, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(wald, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_ONE(categorical, refused_as<written::numbers_as_arguments>(key.data, at))
#undef TESSERA_SHAPE_AFTER_ONE

// A shape behind two parameters.
#define TESSERA_SHAPE_AFTER_TWO(NAME, ...)                                                    \
  template <class... Element, class K, class A, class B>                                      \
  constexpr auto NAME(prng_key<K> const& key, A const&, B const&, tessera::detail::misplaced, \
                      site at = std::source_location::current()) {                            \
    using namespace tessera::detail;                                                          \
    return __VA_ARGS__;                                                                       \
  }
TESSERA_SHAPE_AFTER_TWO(randint, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_TWO(beta, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_TWO(binomial, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_TWO(double_sided_maxwell, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_TWO(f, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_TWO(truncated_normal, refused_as<written::shape_as_argument>(key.data, at))
TESSERA_SHAPE_AFTER_TWO(weibull_min, refused_as<written::shape_as_argument>(key.data, at))
#undef TESSERA_SHAPE_AFTER_TWO

template <class... Element, class K, class Low, class High>
constexpr auto uniform(prng_key<K> const& key, std::initializer_list<std::int64_t>, Low const&, High const&,
                       site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
template <class... Element, class K, class Low, class High>
constexpr auto randint(prng_key<K> const& key, std::initializer_list<std::int64_t>, Low const&, High const&,
                       site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}

// Extents without the element type.
#define TESSERA_EXTENTS_ALONE(NAME, ...)                                      \
  template <std::int64_t First, std::int64_t... Rest, class K, class... More> \
  constexpr auto NAME(prng_key<K> const& key, More const&...) {               \
    using namespace tessera::detail;                                          \
    return __VA_ARGS__;                                                       \
  }
TESSERA_EXTENTS_ALONE(bits, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(uniform, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(normal, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(exponential, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(gumbel, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(laplace, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(rademacher, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(cauchy, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(logistic, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(maxwell, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(gamma, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(loggamma, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(chisquare, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(dirichlet, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(generalized_normal, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(geometric, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(lognormal, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(pareto, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(poisson, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(rayleigh, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(t, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(wald, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(randint, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(beta, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(binomial, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(double_sided_maxwell, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(f, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(truncated_normal, refused_as<written::shape_without_element>(key.data, site{}))
TESSERA_EXTENTS_ALONE(weibull_min, refused_as<written::shape_without_element>(key.data, site{}))
#undef TESSERA_EXTENTS_ALONE

}  // namespace tessera::random
