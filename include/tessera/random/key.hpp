// SPDX-License-Identifier: Apache-2.0
#pragma once
// Keys of random numbers. A key is data, uint32[2], and each draw is a function of a key and of an element's position:
// the same numbers on every mesh, device order and number of processes, and no communication.
//   auto key = random::key(42);   auto [a, b] = random::split(key);   auto mine = random::fold_in(key, step)
// A batch of keys, split_batch<8>(key), is what vmap maps over.
// Source: JAX 0.10.2 jax.random.key, split, fold_in, clone, key_data.

#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/op/random/key_use.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/trace/tree_arithmetic.hpp>
#include <tessera/trace/tree_parts.hpp>

#include <array>
#include <utility>

namespace tessera {

namespace random {

// Where C++ looks for a function of a key besides where it is called: none of ours, so that a user's normal(key) wins.
namespace keys {

// The result of keys.at(index...).
template <class Part>
struct part_of_keys;

// A key, or a batch of them: `data` is uint32[..., 2], a traced value, an array or a constant. A tree of one leaf.
template <class Data>
struct prng_key {
  Data data;
  template <class... Index>
  constexpr auto at(Index const&... index) const {
    return part_of_keys<decltype(data.at(index...))>{data.at(index...)};
  }
  // Of the batch.
  constexpr extents_list shape() const {
    extents_list all;
    for (int d = 0; d < ndim(); ++d) all.push_back(data.shape()[d]);
    return all;
  }
  constexpr int ndim() const { return data.ndim() - 1; }
  constexpr std::int64_t size() const { return data.size() == dynamic ? dynamic : data.size() / 2; }
  static constexpr tessera::names<1> names{"data"};
  TESSERA_TREE_ASSIGNMENT(prng_key)
};
template <class Data>
prng_key(Data) -> prng_key<Data>;

template <class Part>
struct part_of_keys {
  Part part;
  template <class... How>
  constexpr auto get(How const&... how) const {
    return prng_key{part.get(how...)};
  }
  template <class K>
  constexpr auto set(prng_key<K> const& keys) const {
    return prng_key{part.set(keys.data)};
  }
};

}  // namespace keys
using keys::prng_key;

}  // namespace random

namespace ops {

// (integer scalar) -> uint32[2]: its high 32 bits and its low ones; for a number that an int32 can hold the high ones
// are 0.
struct random_seed {
  static constexpr std::string_view name = "random_seed";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    array_value const facts = x[0].facts();
    if (facts.rank != 0)
      return b.template refuse<random_seed>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 0), facts);
    if (!is_integer(facts.element)) return b.template refuse<random_seed>(refuse(reason::element_unsupported), facts);
    auto const seed = make<cast>(b, {x[0]}, cast_params{dtype::int64, false, cast_role::asked});
    term high = make<shift_right_logical>(b, {seed, tessera::detail::whole_number(b, 32, dtype::int64)});
    if (bytes_of(facts.element) < 8 || facts.weak) {
      auto const short_one = make<cast>(b, {make<cast>(b, {seed}, cast_params{dtype::int32, false, cast_role::asked})},
                                        cast_params{dtype::int64});
      high =
          make<where>(b, {make<equal>(b, {seed, short_one}), tessera::detail::whole_number(b, 0, dtype::int64), high});
    }
    auto const which = b.template emit<iota>({}, iota_params{dtype::int64, 0, {2}});
    term const both =
        make<where>(b, {make<equal>(b, {which, tessera::detail::whole_number(b, 0, dtype::int64)}), high, seed});
    return tessera::detail::cast_to_element(b, both, dtype::uint32);
  }
};

// (key) -> uint32[shape..., 2]: for each place the pair of words of threefry.
struct random_split {
  static constexpr std::string_view name = "random_split";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    key_words const key = tessera::detail::words_of_key<random_split>(b, x[0]);
    extents_list shape = attrs.as<random_params>().shape;
    shape.push_back(2);
    auto const place = key ? tessera::detail::places_in(b, shape, attrs, 1) : key.first;
    if (!place || !key) return {&b, -1};
    return tessera::detail::unpaired(b, b.template emit<threefry_pair>({key.first, key.second, place}), attrs);
  }
};

// (key, integer scalar) -> another key. The key may be used again.
struct random_fold_in {
  static constexpr std::string_view name = "random_fold_in";
  static constexpr op_class kind = op_class::elementwise;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    key_words const key = tessera::detail::words_of_key<random_fold_in>(b, x[0], false);
    if (!key) return key.first ? key.second : key.first;
    array_value const facts = x[1].facts();
    if (facts.rank != 0)
      return b.template refuse<random_fold_in>(refuse(reason::ranks_disagree, -1, {}, facts.rank, 0), facts);
    if (!is_integer(facts.element))
      return b.template refuse<random_fold_in>(refuse(reason::element_unsupported), facts);
    auto const place = make<cast>(b, {x[1]}, cast_params{dtype::int32, false, cast_role::asked});
    auto const pair = b.template emit<threefry_pair>({key.first, key.second, place});
    auto const both = make<broadcast_to>(b, {pair}, broadcast_params{{}, {2}});
    return tessera::detail::unpaired(b, both, {});
  }
};

}  // namespace ops

namespace random {

template <class Element, std::int64_t... Extents>
struct drawn {
  using element_asked = Element;
  static_assert(((Extents >= 0) && ...), "tessera: what is drawn has extents that are numbers.");
  template <Mesh M>
  static constexpr ops::random_params on() {
    return {dtype_of<Element>(), extents_list{Extents...}};
  }
};

namespace detail {
template <std::size_t I, class K>
constexpr auto one_key(prng_key<K> const& keys, site at) {
  constexpr auto place = static_cast<std::int64_t>(I);
  return prng_key{squeeze<0>(slice_in_dim<0, place, place + 1>(keys.data, at), at)};
}
}  // namespace detail

// The key of a seed, a whole number of C++ or a traced one.
template <class Seed>
constexpr auto key(Seed const& seed, site at = std::source_location::current()) {
  return prng_key{invoke<ops::random_seed, no_params>(at, seed)};
}
// A key's data, uint32[2], as a key; a key's data is its member `data`.
template <class Data>
constexpr auto wrap_key_data(Data const& data) {
  return prng_key<Data>{data};
}
// A batch of new keys, for vmap: data uint32[Extents..., 2], in any layout. The old key is used up.
//   split_batch<16>(key, out_sharding<P<dp>, grid>)
template <std::int64_t... Extents, class K>
constexpr auto split_batch(prng_key<K> const& key, site at = std::source_location::current()) {
  return prng_key{invoke<ops::random_split, drawn<uint32, Extents...>>(at, key.data)};
}
template <std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto split_batch(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return prng_key{invoke<ops::random_split, with_out<drawn<uint32, Extents...>, S, M>>(at, key.data)};
}
// New keys one by one: auto [a, b] = split(key), or a std::array of Count keys. The old key is used up.
template <std::size_t Count = 2, class K>
constexpr auto split(prng_key<K> const& key, site at = std::source_location::current()) {
  auto const all = split_batch<static_cast<std::int64_t>(Count)>(key, at);
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::array{detail::one_key<I>(all, at)...}; }
  (std::make_index_sequence<Count>{});
}
// A new key from a key and a number, for example of a step or a device; more may be made from the same key.
template <class K, class Number>
constexpr auto fold_in(prng_key<K> const& key, Number const& number, site at = std::source_location::current()) {
  return prng_key{invoke<ops::random_fold_in, no_params>(at, key.data, number)};
}
// The same key again, to draw the same numbers twice.
template <class K>
constexpr auto clone(prng_key<K> const& key, site at = std::source_location::current()) {
  return prng_key{invoke<ops::cloned_key, no_params>(at, key.data)};
}
}  // namespace random
namespace detail {

template <class Data>
inline constexpr bool is_number_leaf<random::prng_key<Data>> = false;

}  // namespace detail

}  // namespace tessera
