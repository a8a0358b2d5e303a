// SPDX-License-Identifier: Apache-2.0
#pragma once
// gamma<float, 8>(key, a): of shape a and scale 1; gamma(key, a) in the shape and layout of an array a. beta<float, 8>(key, a, b)
// likewise. float32 and float64. Moves 0 bytes. The same as JAX's but for rounding; no gradient by a and b.
// Source: JAX 0.10.2 jax.random.gamma, beta.

#include <tessera/op/random/gamma.hpp>
#include <tessera/random/uniform.hpp>

namespace tessera {
namespace ops {

namespace drawing {
// Of each element a draw of Draw with its own key, one of as many as split would give.
template <class Draw, class Op, class B>
constexpr term gammas(B& b, key_words const& key, term a, random_params asked, attributes attrs) {
  array_value const facts = a.facts();
  if (asked.shape.empty() && facts.rank > 0) {
    asked.shape = facts.shape();
    if (!attrs.has_out) attrs = attributes(asked, layout_of(facts));
  }
  if (asked.element != dtype::float32 && asked.element != dtype::float64)
    return b.template refuse<Op>(refuse(reason::element_unsupported), facts);
  term const keys = tessera::detail::random_pairs(b, key, asked.shape, attrs);
  a = tessera::detail::cast_to_element(b, a, asked.element);
  if (!keys || !a) return {&b, -1};
  if (facts.rank > 0 && facts.rank < asked.shape.count) {
    attributes wide = attrs;
    wide.set(broadcast_params{{}, asked.shape});
    a = b.template make<broadcast_to>({a}, wide);
  }
  return a ? b.template emit<Draw>({keys, a}) : a;
}
}  // namespace drawing

struct random_gamma {
  static constexpr std::string_view name = "random_gamma";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    key_words const key = tessera::detail::words_of_key<random_gamma>(b, x[0]);
    return drawing::gammas<gamma_draw, random_gamma>(b, key, x[1], attrs.as<random_params>(), attrs);
  }
};

// a's draw beside b's, each with a key of its own.
struct random_beta {
  static constexpr std::string_view name = "random_beta";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    key_words const key = tessera::detail::words_of_key<random_beta>(b, x[0]);
    term logs[2]{};
    for (int k = 0; k < 2; ++k) {
      logs[k] = drawing::gammas<log_gamma_draw, random_beta>(b, tessera::detail::split_words(b, key, k), x[k + 1],
                                                             attrs.as<random_params>(), attrs);
      if (!logs[k]) return logs[k];
    }
    term const most = b.template make<maximum>({logs[0], logs[1]});
    term parts[2]{};
    for (int k = 0; k < 2; ++k) parts[k] = b.template make<exp>({b.template make<subtract>({logs[k], most})});
    return b.template make<divide>({parts[0], b.template make<add>({parts[0], parts[1]})});
  }
};

}  // namespace ops

namespace random {

template <class Element, std::int64_t... Extents, class K, class A>
constexpr auto gamma(prng_key<K> const& key, A const& a, site at = std::source_location::current()) {
  return invoke<ops::random_gamma, drawn<Element, Extents...>>(at, key.data, a);
}
template <class Element, std::int64_t... Extents, class K, class A, Spec S, Mesh M>
constexpr auto gamma(prng_key<K> const& key, A const& a, out_sharding_t<S, M>,
                     site at = std::source_location::current()) {
  return invoke<ops::random_gamma, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, a);
}
template <class Element, std::int64_t... Extents, class K, class X, class Y>
constexpr auto beta(prng_key<K> const& key, X const& a, Y const& b, site at = std::source_location::current()) {
  return invoke<ops::random_beta, drawn<Element, Extents...>>(at, key.data, a, b);
}
template <class Element, std::int64_t... Extents, class K, class X, class Y, Spec S, Mesh M>
constexpr auto beta(prng_key<K> const& key, X const& a, Y const& b, out_sharding_t<S, M>,
                    site at = std::source_location::current()) {
  return invoke<ops::random_beta, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, a, b);
}

}  // namespace random
}  // namespace tessera
