// SPDX-License-Identifier: Apache-2.0
#pragma once
// Batches of keys as arrays of keys: what puts the elements of an array in another order or shape does so with keys. Dimensions
// are those of the batch; the two words of a key stay together.
//   keys.at(i).get()   reshape<4, 2>(keys)   transpose(keys)   concatenate<0>(a, b)   where(mask, a, b)   keys.shape()
// Bytes: as of arrays with two words for a key. Source: JAX 0.10.2, key arrays of jax.random.key.

#include <tessera/op/index/at.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/ops.hpp>
#include <tessera/random/key.hpp>
#include <tessera/trace/mapped_as.hpp>

#include <array>
#include <utility>

namespace tessera {
namespace detail {

// The dimension of the data.
constexpr int dim_of_keys(int dim) { return dim < 0 ? dim - 1 : dim; }

template <class Data>
inline constexpr int rank_of_data = 1;
template <class Data>
  requires requires { Data::ndim(); }
inline constexpr int rank_of_data<Data> = Data::ndim();

template <class Data, int... Dims>
constexpr auto transposed_keys(Data const& data, site at) {
  constexpr int dims = rank_of_data<Data> - 1;
  return random::prng_key{transpose<(Dims < 0 ? Dims + dims : Dims)..., dims>(data, at)};
}
template <class Data, int... I>
constexpr auto reversed_keys(Data const& data, std::integer_sequence<int, I...>, site at) {
  return transposed_keys<Data, static_cast<int>(sizeof...(I)) - 1 - I...>(data, at);
}
template <std::size_t N, class Data, std::size_t... I>
constexpr auto each_key(std::array<Data, N> const& data, std::index_sequence<I...>) {
  return std::array{random::prng_key{data[I]}...};
}

}  // namespace detail

namespace functions {

template <std::int64_t... Extents, class K>
constexpr auto reshape(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  return random::prng_key{reshape<Extents..., 2>(keys.data, at)};
}
template <std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto reshape(random::prng_key<K> const& keys, out_sharding_t<S, M> layout,
                       site at = std::source_location::current()) {
  return random::prng_key{reshape<Extents..., 2>(keys.data, layout, at)};
}
template <class K>
constexpr auto ravel(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  return random::prng_key{reshape<infer, 2>(keys.data, at)};
}
template <std::int64_t... Extents, class K>
constexpr auto broadcast_to(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  return random::prng_key{broadcast_to<Extents..., 2>(keys.data, at)};
}
template <int... Dims, class K>
constexpr auto transpose(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  if constexpr (sizeof...(Dims) == 0) {
    return detail::reversed_keys(keys.data, std::make_integer_sequence<int, detail::rank_of_data<K> - 1>{}, at);
  } else {
    return detail::transposed_keys<K, Dims...>(keys.data, at);
  }
}
template <int A, int B, class K>
constexpr auto swapaxes(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  return random::prng_key{swapaxes<detail::dim_of_keys(A), detail::dim_of_keys(B)>(keys.data, at)};
}
template <int From, int To, class K>
constexpr auto moveaxis(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  return random::prng_key{moveaxis<detail::dim_of_keys(From), detail::dim_of_keys(To)>(keys.data, at)};
}
template <int... Dims, class K>
constexpr auto expand_dims(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  return random::prng_key{expand_dims<detail::dim_of_keys(Dims)...>(keys.data, at)};
}
template <int... Dims, class K>
constexpr auto squeeze(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  return random::prng_key{squeeze<detail::dim_of_keys(Dims)...>(keys.data, at)};
}
template <int... Dims, class K>
constexpr auto flip(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  return random::prng_key{flip<detail::dim_of_keys(Dims)...>(keys.data, at)};
}
template <std::int64_t Shift, int Dim, class K>
constexpr auto roll(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  return random::prng_key{roll<Shift, detail::dim_of_keys(Dim)>(keys.data, at)};
}
template <int Dim = 0, class A, class B>
constexpr auto concatenate(random::prng_key<A> const& a, random::prng_key<B> const& b,
                           site at = std::source_location::current()) {
  return random::prng_key{concatenate<detail::dim_of_keys(Dim)>(a.data, b.data, at)};
}
template <int Dim = 0, class A, class B>
constexpr auto stack(random::prng_key<A> const& a, random::prng_key<B> const& b,
                     site at = std::source_location::current()) {
  return random::prng_key{stack<detail::dim_of_keys(Dim)>(a.data, b.data, at)};
}
template <int Dim = 0, class K, std::size_t N>
constexpr auto stack(std::array<random::prng_key<K>, N> const& keys, site at = std::source_location::current()) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return random::prng_key{stack<detail::dim_of_keys(Dim)>(std::array{keys[I].data...}, at)};
  }
  (std::make_index_sequence<N>{});
}
// A std::array of keys, or of batches of them.
template <int Dim = 0, class K>
constexpr auto unstack(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  auto const all = unstack<detail::dim_of_keys(Dim)>(keys.data, at);
  return detail::each_key(all, std::make_index_sequence<std::tuple_size_v<decltype(all)>>{});
}
template <class C, class A, class B>
constexpr auto where(C const& mask, random::prng_key<A> const& a, random::prng_key<B> const& b,
                     site at = std::source_location::current()) {
  if constexpr (std::is_arithmetic_v<C>) {
    return random::prng_key{where(mask, a.data, b.data, at)};
  } else {
    return random::prng_key{where(expand_dims<-1>(mask, at), a.data, b.data, at)};
  }
}
template <int Dim = 0, class K, class I>
constexpr auto take(random::prng_key<K> const& keys, I const& places, site at = std::source_location::current()) {
  return random::prng_key{take<detail::dim_of_keys(Dim)>(keys.data, places, at)};
}
template <int Dim, std::int64_t Start, std::int64_t Limit, std::int64_t Stride = 1, class K>
constexpr auto slice_in_dim(random::prng_key<K> const& keys, site at = std::source_location::current()) {
  return random::prng_key{slice_in_dim<detail::dim_of_keys(Dim), Start, Limit, Stride>(keys.data, at)};
}
template <int Dim, std::int64_t Size, class K, class Start>
constexpr auto dynamic_slice_in_dim(random::prng_key<K> const& keys, Start const& start,
                                    site at = std::source_location::current()) {
  return random::prng_key{dynamic_slice_in_dim<detail::dim_of_keys(Dim), Size>(keys.data, start, at)};
}
template <int Dim = 0, bool Keepdims = true, class K, class Start>
constexpr auto dynamic_index_in_dim(random::prng_key<K> const& keys, Start const& index,
                                    site at = std::source_location::current()) {
  return random::prng_key{dynamic_index_in_dim<detail::dim_of_keys(Dim), Keepdims>(keys.data, index, at)};
}

}  // namespace functions

namespace detail {

// vmap(f)(split<8>(key)), scan(f, x, split<8>(key)): a batch of them.
template <class K, std::size_t N>
struct mapped_as<std::array<random::prng_key<K>, N>> : std::true_type {
  static constexpr auto of(std::array<random::prng_key<K>, N> const& keys, site at) { return stack(keys, at); }
};

}  // namespace detail

}  // namespace tessera
