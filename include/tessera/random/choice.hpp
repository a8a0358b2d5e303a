// SPDX-License-Identifier: Apache-2.0
#pragma once
// choice<4>(key, x): four elements of x along its first dimension, with replacement; choice<4>(key, x, p): as often as the
// numbers p say; choice<4>(key, x, without_replacement). Orders, layouts and bytes are as in choose.hpp. No gradient by p.
// Source: JAX 0.10.2 jax.random.choice; equal bit for bit, but for ties of rounding where p is.

#include <tessera/op/index/searchsorted.hpp>
#include <tessera/random/choose.hpp>
#include <tessera/random/integers.hpp>

namespace tessera {
namespace ops {

enum class choosing : std::uint8_t { evenly, by_weight, each_once };
struct choice_params {
  extents_list shape{};
  choosing how = choosing::evenly;
  static constexpr void fields(auto& p, auto&& each) { each(p.shape, p.how); }
};
// (key, x) or (key, x, p)
struct random_choice {
  static constexpr std::string_view name = "random_choice";
  static constexpr op_class kind = op_class::gather;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    auto const [shape, how] = attrs.as<choice_params>();
    array_value const from = x[1].facts();
    if (from.rank < 1) return b.template refuse<random_choice>(refuse(reason::ranks_disagree, -1, {}, 0, 1), from);
    auto const n = from.extent(0);
    if (n == 0) return b.template refuse<random_choice>(refuse(reason::no_elements, 0), from);
    term places{};
    if (how == choosing::evenly) {
      auto const none = tessera::detail::whole_number(b, 0, dtype::int32),
                 all = tessera::detail::whole_number(b, n, dtype::int64);
      places = make<random_integers>(b, {x[0], none, all}, random_params{dtype::int32, shape});
    } else if (how == choosing::by_weight) {
      array_value const p = x[2].facts();
      if (p.rank != 1 || p.extent(0) != n || !is_floating(p.element))
        return b.template refuse<random_choice>(refuse(reason::shapes_disagree, 0, {}, n, p.rank ? p.extent(0) : 0),
                                                from, p);
      auto const sums = make<cumsum>(b, {x[2]}, along_one_params{0});
      auto const unit = make<random_uniform>(b, {x[0]}, random_params{p.element, shape});
      if (!sums || !unit) return {&b, -1};
      term const total =
          make<squeeze>(b, {make<slice>(b, {sums}, slice_in_dim_params{0, n - 1, n})}, squeeze_params{{0}});
      auto const left = number(b, 1.0, p.element) - unit;
      places = make<searchsorted>(b, {sums, total * left}, searchsorted_params{});
    } else {
      std::int64_t count = 1;
      for (auto extent : shape) count *= extent;
      if (count > n) return b.template refuse<random_choice>(refuse(reason::index_out_of_range, 0, {}, count, n), from);
      auto const order = make<random_permutation>(b, {x[0]}, random_params{dtype::int32, {n}});
      places = order ? make<slice>(b, {order}, slice_in_dim_params{0, 0, count}) : order;
      places = places ? make<reshape>(b, {places}, reshape_params{shape}) : places;
    }
    return random_shuffle::taken(b, x[1], places, attrs);
  }
};

}  // namespace ops

namespace random {

struct without_replacement_t {};
inline constexpr without_replacement_t without_replacement{};

template <ops::choosing How, std::int64_t... Extents>
struct chosen {
  template <Mesh M>
  static constexpr ops::choice_params on() {
    return {extents_list{Extents...}, How};
  }
};

template <std::int64_t... Extents, class K, class X>
constexpr auto choice(prng_key<K> const& key, X const& x, site at = std::source_location::current()) {
  return invoke<ops::random_choice, chosen<ops::choosing::evenly, Extents...>>(at, key.data, x);
}
template <std::int64_t... Extents, class K, class X>
constexpr auto choice(prng_key<K> const& key, X const& x, without_replacement_t,
                      site at = std::source_location::current()) {
  return invoke<ops::random_choice, chosen<ops::choosing::each_once, Extents...>>(at, key.data, x);
}
template <std::int64_t... Extents, class K, class X, class P>
  requires(!std::is_same_v<P, site>)
constexpr auto choice(prng_key<K> const& key, X const& x, P const& p, site at = std::source_location::current()) {
  return invoke<ops::random_choice, chosen<ops::choosing::by_weight, Extents...>>(at, key.data, x, p);
}

template <std::int64_t... Extents, class K, class X, Spec S, Mesh M>
constexpr auto choice(prng_key<K> const& key, X const& x, out_sharding_t<S, M>,
                      site at = std::source_location::current()) {
  return invoke<ops::random_choice, with_out<chosen<ops::choosing::evenly, Extents...>, S, M>>(at, key.data, x);
}
template <std::int64_t... Extents, class K, class X, Spec S, Mesh M>
constexpr auto choice(prng_key<K> const& key, X const& x, without_replacement_t, out_sharding_t<S, M>,
                      site at = std::source_location::current()) {
  return invoke<ops::random_choice, with_out<chosen<ops::choosing::each_once, Extents...>, S, M>>(at, key.data, x);
}
template <std::int64_t... Extents, class K, class X, class P, Spec S, Mesh M>
constexpr auto choice(prng_key<K> const& key, X const& x, P const& p, out_sharding_t<S, M>,
                      site at = std::source_location::current()) {
  return invoke<ops::random_choice, with_out<chosen<ops::choosing::by_weight, Extents...>, S, M>>(at, key.data, x, p);
}

}  // namespace random
}  // namespace tessera
