// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers drawn as Python draws them, normal(key, {3}), randint(key, {3}, 0, 10): one error sentence instead of a
// list of candidates. Each overload is chosen only if no other can be called.

#include <tessera/api/misplaced.hpp>
#include <tessera/random/random.hpp>

namespace tessera::random {

// A shape behind the key.
template <class... Element, class K>
constexpr auto bits(prng_key<K> const& key, tessera::detail::misplaced, site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
template <class... Element, class K>
constexpr auto uniform(prng_key<K> const& key, tessera::detail::misplaced, site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
template <class... Element, class K>
constexpr auto normal(prng_key<K> const& key, tessera::detail::misplaced, site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
template <class... Element, class K>
constexpr auto exponential(prng_key<K> const& key, tessera::detail::misplaced,
                           site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
template <class... Element, class K>
constexpr auto gumbel(prng_key<K> const& key, tessera::detail::misplaced, site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
template <class... Element, class K>
constexpr auto laplace(prng_key<K> const& key, tessera::detail::misplaced, site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
template <class... Element, class K>
constexpr auto rademacher(prng_key<K> const& key, tessera::detail::misplaced,
                          site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
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

// A shape behind the parameters.
template <class... Element, class K, class A>
constexpr auto bernoulli(prng_key<K> const& key, A const&, std::initializer_list<std::int64_t>,
                         site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
template <class... Element, class K, class A>
constexpr auto gamma(prng_key<K> const& key, A const&, std::initializer_list<std::int64_t>,
                     site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
template <class... Element, class K, class A, class B>
constexpr auto beta(prng_key<K> const& key, A const&, B const&, std::initializer_list<std::int64_t>,
                    site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}
template <class... Element, class K, class A, class B>
constexpr auto truncated_normal(prng_key<K> const& key, A const&, B const&, std::initializer_list<std::int64_t>,
                                site at = std::source_location::current()) {
  return tessera::detail::refused_as<written::shape_as_argument>(key.data, at);
}

// Extents without the element type.
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto bits(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto uniform(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto normal(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto exponential(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto gumbel(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto laplace(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto rademacher(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto randint(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto gamma(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto beta(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}
template <std::int64_t First, std::int64_t... Rest, class K, class... More>
constexpr auto truncated_normal(prng_key<K> const& key, More const&...) {
  return tessera::detail::refused_as<written::shape_without_element>(key.data, site{});
}

}  // namespace tessera::random
