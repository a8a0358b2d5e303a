// SPDX-License-Identifier: Apache-2.0
#pragma once
// bits<uint32, 8, 4>(key); uniform<float, 8, 4>(key) in [0, 1), uniform<float, 8>(key, low, high) in [low, high):
// shapes and element types as in zeros, any floating one, layouts by out_sharding<P<dp, none>>(). low and high are
// scalars, or arrays that broadcast, and have gradients. Moves 0 bytes. Source: JAX 0.10.2 jax.random.bits, uniform;
// equal bit for bit.

#include <tessera/random/key.hpp>

namespace tessera {
namespace ops {

struct random_bits {
  static constexpr std::string_view name = "random_bits";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    if (!is_unsigned(asked.element))
      return b.template refuse<random_bits>(refuse(reason::element_unsupported), x[0].facts());
    key_words const key = tessera::detail::words_of_key<random_bits>(b, x[0]);
    return tessera::detail::random_bits(b, key, asked.element, asked.shape, attrs);
  }
};

// (key) or (key, low, high)
struct random_uniform {
  static constexpr std::string_view name = "random_uniform";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    if (!is_floating(asked.element))
      return b.template refuse<random_uniform>(refuse(reason::element_unsupported), x[0].facts());
    key_words const key = tessera::detail::words_of_key<random_uniform>(b, x[0]);
    auto const unit = tessera::detail::random_unit(b, key, asked.element, asked.shape, attrs);
    return unit && count > 1 ? between(b, unit, x[1], x[2]) : unit;
  }
  // [0, 1) -> [low, high)
  template <class B>
  static constexpr term between(B& b, term unit, term low, term high) {
    dtype const element = unit.facts().element;
    low = tessera::detail::cast_to_element(b, low, element);
    high = tessera::detail::cast_to_element(b, high, element);
    term const wide = unit * (high - low);
    return make<maximum>(b, {low, wide + low});
  }
};

}  // namespace ops

namespace random {

template <class Element = std::uint32_t, std::int64_t... Extents, class K>
constexpr auto bits(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_bits, drawn<Element, Extents...>>(at, key.data);
}
template <class Element = std::uint32_t, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto bits(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_bits, with_out<drawn<Element, Extents...>, S, M>>(at, key.data);
}

template <class Element = float, std::int64_t... Extents, class K>
constexpr auto uniform(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_uniform, drawn<Element, Extents...>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto uniform(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_uniform, with_out<drawn<Element, Extents...>, S, M>>(at, key.data);
}
template <class Element = float, std::int64_t... Extents, class K, class Low, class High>
constexpr auto uniform(prng_key<K> const& key, Low const& low, High const& high,
                       site at = std::source_location::current()) {
  return invoke<ops::random_uniform, drawn<Element, Extents...>>(at, key.data, low, high);
}
template <class Element = float, std::int64_t... Extents, class K, class Low, class High, Spec S, Mesh M>
constexpr auto uniform(prng_key<K> const& key, Low const& low, High const& high, out_sharding_t<S, M>,
                       site at = std::source_location::current()) {
  return invoke<ops::random_uniform, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, low, high);
}

}  // namespace random
}  // namespace tessera
