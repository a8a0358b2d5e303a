// SPDX-License-Identifier: Apache-2.0
#pragma once
// gamma<float, 8>(key, a): of shape a and scale 1; gamma<float>(key, a) in the shape and layout of an array a.
// loggamma: its logarithm, which is finite for every a. beta<float, 8>(key, a, b), chisquare(key, degrees), f(key,
// degrees, degrees below), t(key, degrees), generalized_normal(key, p) in the same way; dirichlet(key, a): for each row
// of a's last dimension numbers whose sum is 1. All have gradients by their parameters. Moves 0 bytes; a gradient by a
// number is one sum. Equal to JAX's except for rounding. Source: JAX 0.10.2 jax.random, functions of these names.

#include <tessera/op/elementwise/exponential.hpp>
#include <tessera/op/elementwise/powers.hpp>
#include <tessera/op/random/gamma.hpp>
#include <tessera/op/reduce/softmax.hpp>
#include <tessera/random/parameters.hpp>

namespace tessera {
namespace ops {

struct random_gamma : drawn_by_parameters<random_gamma, 1> {
  static constexpr std::string_view name = "random_gamma";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    return from.template gamma<gamma_draw>(p[0]);
  }
};
struct random_loggamma : drawn_by_parameters<random_loggamma, 1> {
  static constexpr std::string_view name = "random_loggamma";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    return from.template gamma<log_gamma_draw>(p[0]);
  }
};

// The draw for a and the one for b, each with a key of its own.
struct random_beta : drawn_by_parameters<random_beta, 2> {
  static constexpr std::string_view name = "random_beta";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    term const logs[]{from.part(0).template gamma<log_gamma_draw>(p[0]),
                      from.part(1).template gamma<log_gamma_draw>(p[1])};
    auto const most = make<maximum>(from, {logs[0], logs[1]});
    auto const own = make<exp>(from, {logs[0] - most}), other = make<exp>(from, {logs[1] - most});
    return own / (own + other);
  }
};

struct random_chisquare : drawn_by_parameters<random_chisquare, 1> {
  static constexpr std::string_view name = "random_chisquare";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    auto const two = from.real(2), half = p[0] / two;
    return make<exp>(from, {from.template gamma<log_gamma_draw>(half)}) * two;
  }
};
// (key, degrees above, degrees below)
struct random_f : drawn_by_parameters<random_f, 2> {
  static constexpr std::string_view name = "random_f";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    term const mean[]{random_chisquare::of(from.part(1), p) / p[0], random_chisquare::of(from.part(0), p + 1) / p[1]};
    return mean[0] / mean[1];
  }
};
struct random_t : drawn_by_parameters<random_t, 1> {
  static constexpr std::string_view name = "random_t";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    auto const half = p[0] / from.real(2);
    auto const spread = half / from.part(1).template gamma<gamma_draw>(half);
    return make<multiply>(from, {from.part(0).normal(), make<sqrt>(from, {spread})});
  }
};
// With density exp(-|x|^p).
struct random_generalized_normal : drawn_by_parameters<random_generalized_normal, 1> {
  static constexpr std::string_view name = "random_generalized_normal";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    auto const root = from.real(1) / p[0];
    auto const size = make<power>(from, {from.part(0).template gamma<gamma_draw>(root), root});
    return from.part(1).sign() * size;
  }
};

// (key, a): for each row of a's last dimension.
struct random_dirichlet : drawn_by_parameters<random_dirichlet, 1> {
  static constexpr std::string_view name = "random_dirichlet";
  template <class B>
  static constexpr term of(drawing<B> const& from, term const* p) {
    int const rank = p[0].facts().rank;
    if (rank < 1)
      return from.b.template refuse<random_dirichlet>(refuse(reason::ranks_disagree, -1, {}, 0, 1), p[0].facts());
    return make<softmax>(from, {from.template gamma<log_gamma_draw>(p[0])},
                         reduce_params{{from.asked.shape.count - 1}});
  }
};

}  // namespace ops

namespace random {

template <class Element = float, std::int64_t... Extents, class K, class A>
constexpr auto gamma(prng_key<K> const& key, A const& a, site at = std::source_location::current()) {
  return invoke<ops::random_gamma, drawn<Element, Extents...>>(at, key.data, a);
}
template <class Element = float, std::int64_t... Extents, class K, class A, Spec S, Mesh M>
constexpr auto gamma(prng_key<K> const& key, A const& a, out_sharding_t<S, M>,
                     site at = std::source_location::current()) {
  return invoke<ops::random_gamma, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, a);
}
template <class Element = float, std::int64_t... Extents, class K, class A>
constexpr auto loggamma(prng_key<K> const& key, A const& a, site at = std::source_location::current()) {
  return invoke<ops::random_loggamma, drawn<Element, Extents...>>(at, key.data, a);
}
template <class Element = float, std::int64_t... Extents, class K, class A, Spec S, Mesh M>
constexpr auto loggamma(prng_key<K> const& key, A const& a, out_sharding_t<S, M>,
                        site at = std::source_location::current()) {
  return invoke<ops::random_loggamma, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, a);
}
template <class Element = float, std::int64_t... Extents, class K, class X, class Y>
constexpr auto beta(prng_key<K> const& key, X const& a, Y const& b, site at = std::source_location::current()) {
  return invoke<ops::random_beta, drawn<Element, Extents...>>(at, key.data, a, b);
}
template <class Element = float, std::int64_t... Extents, class K, class X, class Y, Spec S, Mesh M>
constexpr auto beta(prng_key<K> const& key, X const& a, Y const& b, out_sharding_t<S, M>,
                    site at = std::source_location::current()) {
  return invoke<ops::random_beta, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, a, b);
}
template <class Element = float, std::int64_t... Extents, class K, class D>
constexpr auto chisquare(prng_key<K> const& key, D const& degrees, site at = std::source_location::current()) {
  return invoke<ops::random_chisquare, drawn<Element, Extents...>>(at, key.data, degrees);
}
template <class Element = float, std::int64_t... Extents, class K, class D, Spec S, Mesh M>
constexpr auto chisquare(prng_key<K> const& key, D const& degrees, out_sharding_t<S, M>,
                         site at = std::source_location::current()) {
  return invoke<ops::random_chisquare, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, degrees);
}
template <class Element = float, std::int64_t... Extents, class K, class Above, class Below>
constexpr auto f(prng_key<K> const& key, Above const& degrees, Below const& below,
                 site at = std::source_location::current()) {
  return invoke<ops::random_f, drawn<Element, Extents...>>(at, key.data, degrees, below);
}
template <class Element = float, std::int64_t... Extents, class K, class Above, class Below, Spec S, Mesh M>
constexpr auto f(prng_key<K> const& key, Above const& degrees, Below const& below, out_sharding_t<S, M>,
                 site at = std::source_location::current()) {
  return invoke<ops::random_f, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, degrees, below);
}
template <class Element = float, std::int64_t... Extents, class K, class D>
constexpr auto t(prng_key<K> const& key, D const& degrees, site at = std::source_location::current()) {
  return invoke<ops::random_t, drawn<Element, Extents...>>(at, key.data, degrees);
}
template <class Element = float, std::int64_t... Extents, class K, class D, Spec S, Mesh M>
constexpr auto t(prng_key<K> const& key, D const& degrees, out_sharding_t<S, M>,
                 site at = std::source_location::current()) {
  return invoke<ops::random_t, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, degrees);
}
template <class Element = float, std::int64_t... Extents, class K, class P>
constexpr auto generalized_normal(prng_key<K> const& key, P const& p, site at = std::source_location::current()) {
  return invoke<ops::random_generalized_normal, drawn<Element, Extents...>>(at, key.data, p);
}
template <class Element = float, std::int64_t... Extents, class K, class P, Spec S, Mesh M>
constexpr auto generalized_normal(prng_key<K> const& key, P const& p, out_sharding_t<S, M>,
                                  site at = std::source_location::current()) {
  return invoke<ops::random_generalized_normal, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, p);
}
template <class Element = float, std::int64_t... Extents, class K, class A>
constexpr auto dirichlet(prng_key<K> const& key, A const& a, site at = std::source_location::current()) {
  return invoke<ops::random_dirichlet, drawn<Element, Extents...>>(at, key.data, a);
}
template <class Element = float, std::int64_t... Extents, class K, class A, Spec S, Mesh M>
constexpr auto dirichlet(prng_key<K> const& key, A const& a, out_sharding_t<S, M>,
                         site at = std::source_location::current()) {
  return invoke<ops::random_dirichlet, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, a);
}

}  // namespace random
}  // namespace tessera
