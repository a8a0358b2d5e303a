// SPDX-License-Identifier: Apache-2.0
#pragma once
// categorical(key, logits): for each row of the last dimension a place in it, int32, with probabilities proportional to
// exp of the logits; categorical<5, 3>(key, logits): places of this shape, to which the rows' shape broadcasts;
// permutation<8>(key): 0..7 in random order; permutation(key, x): x with its first dimension in random order. Each
// device computes the order, so none of it is sent; elements of a sharded x are gathered as by take, into the layout of
// out_sharding<P<...>>, the last argument. No gradient by logits. Source: JAX 0.10.2 jax.random.categorical (mode
// "low"), permutation; equal bit for bit, except for ties of rounding with logits.

#include <tessera/op/index/sort.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/reduce/argmax.hpp>
#include <tessera/op/shape/reshard.hpp>
#include <tessera/random/normal.hpp>

namespace tessera {
namespace ops {

struct random_categorical {
  static constexpr std::string_view name = "random_categorical";
  static constexpr op_class kind = op_class::reduce;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const logits = x[1].facts();
    if (logits.rank < 1)
      return b.template refuse<random_categorical>(refuse(reason::ranks_disagree, -1, {}, 0, 1), logits);
    array_value drawn = logits;
    if (attrs.kind() != params_kind::none) {
      extents_list const asked = attrs.as<random_params>().shape;
      int const last = logits.rank - 1, more = asked.size() - last;
      if (more < 0)
        return b.template refuse<random_categorical>(refuse(reason::ranks_disagree, -1, {}, asked.size(), last),
                                                     logits);
      drawn.rank = 0;
      for (int d = 0; d < asked.size(); ++d) {
        std::int64_t const size = d < more ? 1 : logits.extent(d - more);
        if (size != asked[d] && size != 1)
          return b.template refuse<random_categorical>(refuse(reason::shapes_disagree, d, {}, asked[d], size), logits);
        if (d < more || size != asked[d])
          drawn.add_dim(asked[d]);
        else
          drawn.add_dim(size, logits.entry(d - more));
      }
      drawn.add_dim(logits.extent(last), logits.entry(last));
    }
    attributes const like{random_params{logits.element, drawn.shape()}, attrs.has_out ? attrs.out : layout_of(drawn)};
    auto const split = attrs.has_out && drawn.same_shape(logits) ? make<reshard>(b, {x[1]}, like) : x[1];
    if (!split) return split;
    auto const noise = make<random_gumbel>(b, {x[0]}, like);
    term const all = noise ? noise + split : noise;
    return all ? make<argmax>(b, {all}, reduce_params{{drawn.rank - 1}}) : all;
  }
};

// 0, 1, ... in random order: sorted by random bits, as many times as make equal bits unlikely.
struct random_permutation {
  static constexpr std::string_view name = "random_permutation";
  static constexpr op_class kind = op_class::gather;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const asked = attrs.as<random_params>();
    auto const n = asked.shape[0];
    key_words key = tessera::detail::words_of_key<random_permutation>(b, x[0]);
    attributes const whole = iota_params{dtype::int32, 0, {n}};
    term order = key ? b.template emit<iota>({}, whole) : key.first;
    double const most = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    for (double sorted = 1; sorted < most && order; sorted *= 4294967295.0) {
      key_words const now = tessera::detail::split_words(b, key, 1);
      key = tessera::detail::split_words(b, key, 0);
      auto const bits = tessera::detail::random_bits(b, now, dtype::uint32, asked.shape, {});
      auto const places = bits ? make<argsort>(b, {bits}, along_one_params{0}) : bits;
      order = places ? make<take>(b, {order, places}, take_params{{0}}) : places;
    }
    return attrs.has_out && order ? make<reshard>(b, {order}, attrs) : order;
  }
};

// (key, x): x's first dimension permuted.
struct random_shuffle {
  static constexpr std::string_view name = "random_shuffle";
  static constexpr op_class kind = op_class::gather;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const facts = x[1].facts();
    if (facts.rank < 1) return b.template refuse<random_shuffle>(refuse(reason::ranks_disagree, -1, {}, 0, 1), facts);
    if (facts.extent(0) == 0 && !attrs.has_out) return x[1];
    auto const order = make<random_permutation>(b, {x[0]}, random_params{dtype::int32, {facts.extent(0)}});
    return taken(b, x[1], order, attrs);
  }
  // Rows of x.
  template <class B>
  static constexpr term taken(B& b, term x, term places, attributes const& attrs) {
    if (!places) return places;
    attributes along = attrs;
    along.set(take_params{{0}});
    return make<take>(b, {x, places}, along);
  }
};

}  // namespace ops

namespace random {

template <class K, class Logits>
constexpr auto categorical(prng_key<K> const& key, Logits const& logits, site at = std::source_location::current()) {
  return invoke<ops::random_categorical, no_params>(at, key.data, logits);
}
template <class K, class Logits, Spec S, Mesh M>
constexpr auto categorical(prng_key<K> const& key, Logits const& logits, out_sharding_t<S, M>,
                           site at = std::source_location::current()) {
  return invoke<ops::random_categorical, with_out<no_params, S, M>>(at, key.data, logits);
}
template <std::int64_t... Shape, class K, class Logits>
  requires(sizeof...(Shape) > 0)
constexpr auto categorical(prng_key<K> const& key, Logits const& logits, site at = std::source_location::current()) {
  return invoke<ops::random_categorical, drawn<int32, Shape...>>(at, key.data, logits);
}
template <std::int64_t... Shape, class K, class Logits, Spec S, Mesh M>
  requires(sizeof...(Shape) > 0)
constexpr auto categorical(prng_key<K> const& key, Logits const& logits, out_sharding_t<S, M>,
                           site at = std::source_location::current()) {
  return invoke<ops::random_categorical, with_out<drawn<int32, Shape...>, S, M>>(at, key.data, logits);
}

template <std::int64_t Count, class K>
constexpr auto permutation(prng_key<K> const& key, site at = std::source_location::current()) {
  return invoke<ops::random_permutation, drawn<int32, Count>>(at, key.data);
}
template <std::int64_t Count, class K, Spec S, Mesh M>
constexpr auto permutation(prng_key<K> const& key, out_sharding_t<S, M>, site at = std::source_location::current()) {
  return invoke<ops::random_permutation, with_out<drawn<int32, Count>, S, M>>(at, key.data);
}
template <class K, class X>
  requires(!std::is_same_v<X, site>)
constexpr auto permutation(prng_key<K> const& key, X const& x, site at = std::source_location::current()) {
  return invoke<ops::random_shuffle, no_params>(at, key.data, x);
}
template <class K, class X, Spec S, Mesh M>
constexpr auto permutation(prng_key<K> const& key, X const& x, out_sharding_t<S, M>,
                           site at = std::source_location::current()) {
  return invoke<ops::random_shuffle, with_out<no_params, S, M>>(at, key.data, x);
}

}  // namespace random
}  // namespace tessera
