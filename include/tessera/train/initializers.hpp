// SPDX-License-Identifier: Apache-2.0
#pragma once
// Initial values of parameters, computed in their layout on the devices that hold them: op/create has zeros and ones.
//   auto w = train::he_normal<float, 64, 128>(key, out_sharding<P<none, mp>, grid>);
// glorot (xavier), he (kaiming), lecun, each _uniform and _normal, the latter truncated at two deviations;
// scaled_normal<float, 64, 8>(key, 0.02), truncated_normal<...>(key, 0.02); orthogonal<float, 64, 32>(key). Inputs are
// the dimension before the last, outputs the last, times those before them. Moves 0 bytes; orthogonal is of whole
// matrices. Source: JAX 0.10.2 jax.nn.initializers.

#include <tessera/base/square_root.hpp>
#include <tessera/op/linalg/linalg.hpp>
#include <tessera/op/product/matmul.hpp>
#include <tessera/op/shape/permute.hpp>
#include <tessera/op/shape/reshard.hpp>
#include <tessera/random/random.hpp>

namespace tessera::train {

namespace detail {

enum class fan { in, out, mean };
enum class side { in, out, batch };
// Dimensions along which inputs or outputs are counted, or nothing.
template <side Of, int... Dims>
struct axes_of {
  static constexpr side of = Of;
  static constexpr bool has(int d, int rank) { return ((d == (Dims < 0 ? Dims + rank : Dims)) || ...); }
  static constexpr bool fit(int rank) { return ((Dims >= -rank && Dims < rank) && ...); }
};
using axes_of_inputs = axes_of<side::in, -2>;
using axes_of_outputs = axes_of<side::out, -1>;
using axes_of_batch = axes_of<side::batch>;

// How many inputs or outputs there are, times the extents of the dimensions that are of neither, nor of the batch.
template <class In, class Out, class Batch, std::int64_t... Extents>
constexpr double fans(fan which) {
  constexpr int rank = sizeof...(Extents);
  constexpr bool fit = rank >= 2 && In::fit(rank) && Out::fit(rank) && Batch::fit(rank);
  static_assert(fit,
                "tessera: an initializer of inputs and outputs needs two dimensions, and those that in_axis, out_axis "
                "and batch_axis name. Fix: scaled_normal<...>(key, deviation), normal(0.02).");
  constexpr std::int64_t extents[]{Extents..., 1};
  double in = 1, out = 1, field = 1;
  for (int d = 0; d < rank; ++d) {
    double const n = static_cast<double>(extents[d]);
    if (In::has(d, rank))
      in *= n;
    else if (Out::has(d, rank))
      out *= n;
    else if (!Batch::has(d, rank))
      field *= n;
  }
  return (which == fan::in ? in : which == fan::out ? out : (in + out) / 2) * field;
}

// Of mean 0 and this variance.
enum class drawn { uniform, normal, truncated_normal };
template <drawn How, class Element, std::int64_t... Extents, class K, class... Out>
constexpr auto of_variance(random::prng_key<K> const& key, double variance, site at, Out const&... out) {
  if constexpr (How == drawn::uniform)
    return random::uniform<Element, Extents...>(key, -1.0, 1.0, out..., at) *
           tessera::detail::square_root(3 * variance);
  else if constexpr (How == drawn::normal)
    return random::normal<Element, Extents...>(key, out..., at) * tessera::detail::square_root(variance);
  else
    return random::truncated_normal<Element, Extents...>(key, -2.0, 2.0, out..., at) *
           (tessera::detail::square_root(variance) / 0.87962566103423978);
}
// Of variance Scale / fan.
template <int Scale, fan Of, bool Uniform>
struct scaled_by_fan {
  template <class Element, std::int64_t... Extents, class K, class... Out>
  static constexpr auto of(random::prng_key<K> const& key, site at, Out const&... out) {
    constexpr drawn how = Uniform ? drawn::uniform : drawn::truncated_normal;
    constexpr double count = fans<axes_of_inputs, axes_of_outputs, axes_of_batch, Extents...>(Of);
    return of_variance<how, Element, Extents...>(key, Scale / count, at, out...);
  }
};

}  // namespace detail

template <class Element, std::int64_t... Extents, class K>
constexpr auto glorot_uniform(random::prng_key<K> const& key, site at = std::source_location::current()) {
  return detail::scaled_by_fan<1, detail::fan::mean, true>::template of<Element, Extents...>(key, at);
}
template <class Element, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto glorot_uniform(random::prng_key<K> const& key, out_sharding_t<S, M> out,
                              site at = std::source_location::current()) {
  return detail::scaled_by_fan<1, detail::fan::mean, true>::template of<Element, Extents...>(key, at, out);
}
template <class Element, std::int64_t... Extents, class K>
constexpr auto glorot_normal(random::prng_key<K> const& key, site at = std::source_location::current()) {
  return detail::scaled_by_fan<1, detail::fan::mean, false>::template of<Element, Extents...>(key, at);
}
template <class Element, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto glorot_normal(random::prng_key<K> const& key, out_sharding_t<S, M> out,
                             site at = std::source_location::current()) {
  return detail::scaled_by_fan<1, detail::fan::mean, false>::template of<Element, Extents...>(key, at, out);
}
template <class Element, std::int64_t... Extents, class K>
constexpr auto he_uniform(random::prng_key<K> const& key, site at = std::source_location::current()) {
  return detail::scaled_by_fan<2, detail::fan::in, true>::template of<Element, Extents...>(key, at);
}
template <class Element, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto he_uniform(random::prng_key<K> const& key, out_sharding_t<S, M> out,
                          site at = std::source_location::current()) {
  return detail::scaled_by_fan<2, detail::fan::in, true>::template of<Element, Extents...>(key, at, out);
}
template <class Element, std::int64_t... Extents, class K>
constexpr auto he_normal(random::prng_key<K> const& key, site at = std::source_location::current()) {
  return detail::scaled_by_fan<2, detail::fan::in, false>::template of<Element, Extents...>(key, at);
}
template <class Element, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto he_normal(random::prng_key<K> const& key, out_sharding_t<S, M> out,
                         site at = std::source_location::current()) {
  return detail::scaled_by_fan<2, detail::fan::in, false>::template of<Element, Extents...>(key, at, out);
}
template <class Element, std::int64_t... Extents, class K>
constexpr auto lecun_uniform(random::prng_key<K> const& key, site at = std::source_location::current()) {
  return detail::scaled_by_fan<1, detail::fan::in, true>::template of<Element, Extents...>(key, at);
}
template <class Element, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto lecun_uniform(random::prng_key<K> const& key, out_sharding_t<S, M> out,
                             site at = std::source_location::current()) {
  return detail::scaled_by_fan<1, detail::fan::in, true>::template of<Element, Extents...>(key, at, out);
}
template <class Element, std::int64_t... Extents, class K>
constexpr auto lecun_normal(random::prng_key<K> const& key, site at = std::source_location::current()) {
  return detail::scaled_by_fan<1, detail::fan::in, false>::template of<Element, Extents...>(key, at);
}
template <class Element, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto lecun_normal(random::prng_key<K> const& key, out_sharding_t<S, M> out,
                            site at = std::source_location::current()) {
  return detail::scaled_by_fan<1, detail::fan::in, false>::template of<Element, Extents...>(key, at, out);
}

// Normal numbers with this deviation.
template <class Element, std::int64_t... Extents, class K>
constexpr auto scaled_normal(random::prng_key<K> const& key, double deviation,
                             site at = std::source_location::current()) {
  return random::normal<Element, Extents...>(key, at) * deviation;
}
template <class Element, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto scaled_normal(random::prng_key<K> const& key, double deviation, out_sharding_t<S, M> out,
                             site at = std::source_location::current()) {
  return random::normal<Element, Extents...>(key, out, at) * deviation;
}
// The same, truncated at two deviations from 0, which leaves a deviation of 0.88 times this one, as in JAX.
template <class Element, std::int64_t... Extents, class K>
constexpr auto truncated_normal(random::prng_key<K> const& key, double deviation,
                                site at = std::source_location::current()) {
  return random::truncated_normal<Element, Extents...>(key, -2.0, 2.0, at) * deviation;
}
template <class Element, std::int64_t... Extents, class K, Spec S, Mesh M>
constexpr auto truncated_normal(random::prng_key<K> const& key, double deviation, out_sharding_t<S, M> out,
                                site at = std::source_location::current()) {
  return random::truncated_normal<Element, Extents...>(key, -2.0, 2.0, out, at) * deviation;
}

// Rows, or if there are fewer of them columns, that are orthogonal and of length 1: the Q of a normal matrix whose R
// has a positive diagonal, by two rounds of Cholesky's factors.
namespace detail {
template <class Element, std::int64_t Rows, std::int64_t Columns, class K, class... Out>
constexpr auto orthogonal_of(random::prng_key<K> const& key, site at, Out const&... whole) {
  auto const upright = [](auto const& a) {
    auto const r = cholesky(matmul(a.T(), a));
    return triangular_solve(r, a.T(), left_side, lower_triangle).T();
  };
  if constexpr (Rows >= Columns)
    return upright(upright(random::normal<Element, Rows, Columns>(key, whole..., at)));
  else
    return upright(upright(random::normal<Element, Columns, Rows>(key, whole..., at))).T();
}
}  // namespace detail
template <class Element, std::int64_t Rows, std::int64_t Columns, class K>
constexpr auto orthogonal(random::prng_key<K> const& key, site at = std::source_location::current()) {
  return detail::orthogonal_of<Element, Rows, Columns>(key, at);
}
template <class Element, std::int64_t Rows, std::int64_t Columns, class K, Spec S, Mesh M>
constexpr auto orthogonal(random::prng_key<K> const& key, out_sharding_t<S, M>,
                          site at = std::source_location::current()) {
  return reshard<S>(detail::orthogonal_of<Element, Rows, Columns>(key, at, out_sharding<P<>, M>), at);
}

}  // namespace tessera::train
