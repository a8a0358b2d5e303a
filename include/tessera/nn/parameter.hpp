// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parameters declared once, by type and initializer. A tree of declarations says all that is known of a model:
//   constexpr layer declared{.w = nn::parameter<array_type<float, shape<64, 128>, P<none, mp>, grid>>(),
//                            .b = nn::parameter<array_type<float, shape<128>, P<mp>, grid>>()};
//   using parameters = nn::types_of<decltype(declared)>;      the tree of array types: for comm_of, checkpoints, check
//   auto p = jit([](auto key) { return nn::initialize(declared, key); })(random::key(0));
//   nn::repeated<12>(declared)    12 of it, a std::array
//   nn::stacked<12>(declared)     12 of it as one: each array has a first dimension of 12, as scan takes it
// An initializer is a function of a key and an array type, of which nn/initializers.hpp has those of JAX; without one a
// matrix is lecun_normal and what has fewer dimensions zeros, as in Flax. Each parameter is drawn from a key of its own,
// fold_in(key, a number of its path): another field of the tree does not change it. Each device computes its own block:
// 0 bytes. Source: Flax nnx.Param and its partitioning.

#include <tessera/aval/array_type.hpp>
#include <tessera/nn/initializers.hpp>
#include <tessera/trace/tree_functions.hpp>
#include <tessera/transform/vmap.hpp>

#include <array>

namespace tessera::nn {

// A parameter to be.
template <ArrayType T, class Initializer>
struct declaration {
  using type = T;
  [[no_unique_address]] Initializer initializer;
};

template <ArrayType T, class Initializer>
constexpr declaration<T, Initializer> parameter(Initializer const& initializer) {
  return {initializer};
}
template <ArrayType T>
constexpr auto parameter() {
  if constexpr (T::rank >= 2)
    return parameter<T>(initializers::lecun_normal);
  else
    return parameter<T>(initializers::zeros);
}

namespace detail {

template <std::int64_t N, class T>
struct one_dim_more;
template <std::int64_t N, class Element, std::int64_t... E, class... Entries, Mesh M, class... State>
struct one_dim_more<N, array_type<Element, shape<E...>, P<Entries...>, M, State...>> {
  using type = array_type<Element, shape<N, E...>, P<none, Entries...>, M, State...>;
};

// N parameters of type T, each drawn from its own key.
template <std::int64_t N, class T, class Initializer>
struct stacked_initializer {
  [[no_unique_address]] Initializer each;
  template <class K, class Whole>
  constexpr auto operator()(random::prng_key<K> const& key, Whole) const {
    return vmap([this](auto k) { return each(k, T{}); })(random::split_batch<N>(key));
  }
};

template <std::int64_t N>
struct stack_declaration {
  template <class T, class Initializer>
  constexpr auto operator()(declaration<T, Initializer> const& one) const {
    using all = stacked_initializer<N, T, Initializer>;
    return declaration<typename one_dim_more<N, T>::type, all>{all{one.initializer}};
  }
};
struct declared_type {
  template <class T, class Initializer>
  constexpr T operator()(declaration<T, Initializer> const&) const {
    return {};
  }
};
// A leaf of a tree of declarations, drawn.
template <class K>
struct draw_parameter {
  random::prng_key<K> const& key;
  site at;
  template <class Path, class T, class Initializer>
  constexpr auto operator()(Path, declaration<T, Initializer> const& one) const {
    return one.initializer(random::fold_in(key, Path::number, at), T{});
  }
};

}  // namespace detail

// Declarations with a first dimension of N, which is not split.
template <std::int64_t N, class Declared>
constexpr auto stacked(Declared const& declared) {
  return tree_map(detail::stack_declaration<N>{}, declared);
}

// N declarations, one after the other.
template <std::size_t N, class Declared>
constexpr std::array<Declared, N> repeated(Declared const& declared) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<Declared, N>{(static_cast<void>(I), declared)...};
  }
  (std::make_index_sequence<N>{});
}

// The tree of array types of a tree of declarations.
template <class Declared>
using types_of = decltype(tree_map(detail::declared_type{}, std::declval<Declared const&>()));

// (tree of declarations, key) -> the tree of parameters. Traced code.
template <class Declared, class K>
constexpr auto initialize(Declared const& declared, random::prng_key<K> const& key,
                          site at = std::source_location::current()) {
  return tree_map_with_path(detail::draw_parameter<K>{key, at}, declared);
}

}  // namespace tessera::nn
