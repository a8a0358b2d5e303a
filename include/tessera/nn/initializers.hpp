// SPDX-License-Identifier: Apache-2.0
#pragma once
// Initializers as values, for nn::parameter: functions of a key and an array type, in whose layout they draw.
//   zeros  ones  constant(0.5)  normal(0.02)  truncated_normal(0.02)  orthogonal
//   glorot_uniform  glorot_normal  he_uniform  he_normal  lecun_uniform  lecun_normal
// Numbers are those of train/initializers.hpp. Source: JAX 0.10.2 jax.nn.initializers.

#include <tessera/aval/array_type.hpp>
#include <tessera/op/create/fill.hpp>
#include <tessera/train/initializers.hpp>

namespace tessera::nn {

namespace detail {

using tessera::train::detail::fan;

// draw(out) with the layout of a type, or draw() if it has no mesh.
template <Spec S, Mesh M, class Draw>
constexpr auto in_layout(Draw const& draw) {
  if constexpr (std::is_same_v<M, no_mesh>)
    return draw();
  else
    return draw(out_sharding<S, M>);
}

template <int Scale, fan Of, bool Uniform>
struct by_fan {
  template <class K, class Element, std::int64_t... E, Spec S, Mesh M>
  constexpr auto operator()(random::prng_key<K> const& key, array_type<Element, shape<E...>, S, M>,
                            site at = std::source_location::current()) const {
    return in_layout<S, M>([&](auto const&... out) {
      return train::detail::scaled_by_fan<Scale, Of, Uniform>::template of<Element, E...>(key, at, out...);
    });
  }
};

// Number everywhere.
struct constant_value {
  double number = 0;
  template <class K, class Element, std::int64_t... E, Spec S, Mesh M>
  constexpr auto operator()(random::prng_key<K> const&, array_type<Element, shape<E...>, S, M>,
                            site at = std::source_location::current()) const {
    return in_layout<S, M>([&](auto const&... out) { return full<Element, E...>(number, out..., at); });
  }
};

// Of mean 0 and this deviation; truncated at two deviations.
template <bool Truncated>
struct normal_of {
  double deviation = 0.01;
  template <class K, class Element, std::int64_t... E, Spec S, Mesh M>
  constexpr auto operator()(random::prng_key<K> const& key, array_type<Element, shape<E...>, S, M>,
                            site at = std::source_location::current()) const {
    return in_layout<S, M>([&](auto const&... out) {
      if constexpr (Truncated)
        return train::truncated_normal<Element, E...>(key, deviation, out..., at);
      else
        return train::scaled_normal<Element, E...>(key, deviation, out..., at);
    });
  }
};

// A matrix of orthogonal rows or columns, which each device computes whole.
struct orthogonal_matrix {
  template <class K, class Element, std::int64_t Rows, std::int64_t Columns, Spec S, Mesh M>
  constexpr auto operator()(random::prng_key<K> const& key, array_type<Element, shape<Rows, Columns>, S, M>,
                            site at = std::source_location::current()) const {
    return in_layout<S, M>(
        [&](auto const&... out) { return train::orthogonal<Element, Rows, Columns>(key, out..., at); });
  }
};

}  // namespace detail

namespace initializers {

inline constexpr detail::constant_value zeros{0};
inline constexpr detail::constant_value ones{1};
constexpr auto constant(double number) { return detail::constant_value{number}; }
constexpr auto normal(double deviation = 0.01) { return detail::normal_of<false>{deviation}; }
constexpr auto truncated_normal(double deviation = 0.01) { return detail::normal_of<true>{deviation}; }
inline constexpr detail::orthogonal_matrix orthogonal{};
inline constexpr detail::by_fan<1, detail::fan::mean, true> glorot_uniform{};
inline constexpr detail::by_fan<1, detail::fan::mean, false> glorot_normal{};
inline constexpr detail::by_fan<2, detail::fan::in, true> he_uniform{};
inline constexpr detail::by_fan<2, detail::fan::in, false> he_normal{};
inline constexpr detail::by_fan<1, detail::fan::in, true> lecun_uniform{};
inline constexpr detail::by_fan<1, detail::fan::in, false> lecun_normal{};

}  // namespace initializers
}  // namespace tessera::nn
