// SPDX-License-Identifier: Apache-2.0
#pragma once
// randint<int32, 8, 4>(key, low, high): whole numbers in [low, high), of any integer type; low and high are integers;
// high may be one past the type's last. bernoulli<8, 4>(key, p): true with probability p, a number, 0.5 by default;
// bernoulli(key, p) in the shape and layout of an array p. Moves 0 bytes. Source: JAX 0.10.2 jax.random.randint,
// bernoulli; equal bit for bit.

#include <tessera/op/elementwise/compare.hpp>
#include <tessera/random/uniform.hpp>

namespace tessera {
namespace ops {

// From twice as many bits as the type has: the remainder by the count of numbers in the range.
struct random_integers {
  static constexpr std::string_view name = "random_integers";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    for (int k = 0; k < 3; ++k) {
      dtype const given = k == 0 ? asked.element : x[k].facts().element;
      if (!is_integer(given))
        return b.template refuse<random_integers>(refuse(reason::element_unsupported), x[k].facts());
    }
    bool const small = bytes_of(asked.element) < 4;  // drawn in 32 bits
    dtype const element = small ? dtype::int32 : asked.element, bare = unsigned_integer(bytes_of(element));
    key_words const key = tessera::detail::words_of_key<random_integers>(b, x[0]);
    term const high_bits =
        tessera::detail::random_bits(b, tessera::detail::split_words(b, key, 0), bare, asked.shape, attrs);
    term const low_bits =
        tessera::detail::random_bits(b, tessera::detail::split_words(b, key, 1), bare, asked.shape, attrs);
    term beyond{};
    auto const low = within(b, x[1], asked.element, element, 0, beyond),
               high = within(b, x[2], asked.element, element, 1, beyond);
    auto const some = make<greater>(b, {high, low});
    auto const one = tessera::detail::whole_number(b, 1, bare);
    auto const bits_of = [&](term t) { return tessera::detail::cast_to_element(b, t, bare); };
    term span = make<where>(b, {some, make<subtract>(b, {bits_of(high), bits_of(low)}), one});
    if (beyond.graph) span = make<where>(b, {make<logical_and>(b, {beyond, some}), span + one, span});
    term factor = rest(b, tessera::detail::whole_number(b, std::int64_t{1} << (4 * bytes_of(element)), bare), span);
    factor = rest(b, factor * factor, span);
    auto const sum = make<add>(b, {rest(b, high_bits, span) * factor, rest(b, low_bits, span)});
    auto const drawn = low + tessera::detail::cast_to_element(b, rest(b, sum, span), element);
    return tessera::detail::cast_to_element(b, drawn, asked.element);
  }

private:
  // x % n, or x if n is 0, which means all numbers of the type.
  template <class B>
  static constexpr term rest(B& b, term x, term n) {
    if (!x || !n) return {&b, -1};
    auto const none = make<equal>(b, {n, tessera::detail::whole_number(b, 0, n.facts().element)});
    return make<where>(b, {none, x, make<fmod>(b, {x, n})});
  }
  // A bound for numbers of type `result`, in the type in which they are drawn, which may hold up to `more` above the
  // largest of them. `beyond`: whether the last bound was larger than that.
  template <class B>
  static constexpr term within(B& b, term bound, dtype result, dtype drawn, int more, term& beyond) {
    array_value const given = bound.facts();
    beyond = {};
    if (bytes_of(drawn) == 8) {
      if (is_unsigned(drawn) && !is_unsigned(given.element) && !given.weak)
        bound = make<maximum>(b, {bound, tessera::detail::whole_number(b, 0, given.element)});
      return make<cast>(b, {bound}, cast_params{drawn, false, cast_role::asked});
    }
    bound = make<cast>(b, {bound}, cast_params{dtype::int64, false, cast_role::asked});
    bool const room = drawn != result;
    auto const least = lowest_integer(result), most = highest_integer(result) + (room ? more : 0);
    auto const end = tessera::detail::whole_number(b, most, dtype::int64);
    if (!room) beyond = make<greater>(b, {bound, end});
    bound = make<maximum>(b, {bound, tessera::detail::whole_number(b, least, dtype::int64)});
    return tessera::detail::cast_to_element(b, make<minimum>(b, {bound, end}), drawn);
  }
};

// (key, p)
struct random_bernoulli {
  static constexpr std::string_view name = "random_bernoulli";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const p = x[1].facts();
    auto asked = attrs.as<random_params>();
    asked.element = is_floating(p.element) ? p.element : dtype::float32;
    if (is_complex(p.element)) return b.template refuse<random_bernoulli>(refuse(reason::element_unsupported), p);
    attributes like = attrs;
    if (asked.shape.empty() && p.rank > 0) {
      asked.shape = p.shape();
      if (!like.has_out) like = attributes(asked, layout_of(p));
    }
    key_words const key = tessera::detail::words_of_key<random_bernoulli>(b, x[0]);
    auto const unit = tessera::detail::random_unit(b, key, asked.element, asked.shape, like);
    return unit ? make<less>(b, {unit, x[1]}) : unit;
  }
};

}  // namespace ops

namespace random {

template <class Element = std::int32_t, std::int64_t... Extents, class K, class Low, class High>
constexpr auto randint(prng_key<K> const& key, Low const& low, High const& high,
                       site at = std::source_location::current()) {
  return invoke<ops::random_integers, drawn<Element, Extents...>>(at, key.data, low, high);
}
template <class Element = std::int32_t, std::int64_t... Extents, class K, class Low, class High, Spec S, Mesh M>
constexpr auto randint(prng_key<K> const& key, Low const& low, High const& high, out_sharding_t<S, M>,
                       site at = std::source_location::current()) {
  return invoke<ops::random_integers, with_out<drawn<Element, Extents...>, S, M>>(at, key.data, low, high);
}

template <std::int64_t... Extents, class K, class P = float>
constexpr auto bernoulli(prng_key<K> const& key, P const& p = 0.5f, site at = std::source_location::current()) {
  return invoke<ops::random_bernoulli, drawn<float, Extents...>>(at, key.data, p);
}
template <std::int64_t... Extents, class K, class P, Spec S, Mesh M>
constexpr auto bernoulli(prng_key<K> const& key, P const& p, out_sharding_t<S, M>,
                         site at = std::source_location::current()) {
  return invoke<ops::random_bernoulli, with_out<drawn<float, Extents...>, S, M>>(at, key.data, p);
}

}  // namespace random
}  // namespace tessera
