// SPDX-License-Identifier: Apache-2.0
#pragma once
// Initializers as values, for nn::parameter: functions of a key and an array type, in whose layout they draw.
//   zeros  ones  constant(0.5)  uniform(0.01)  normal(0.02)  truncated_normal(0.02)  orthogonal
//   glorot_uniform  glorot_normal  he_uniform  he_normal  lecun_uniform  lecun_normal
//   variance_scaling<fan_in, as_normal>(2.0): of variance 2 / inputs; fan_out, fan_avg; as_uniform, as_truncated_normal
// The last seven count inputs along the dimension before the last, outputs along the last, and multiply both by the extents of
// the others, the field of a kernel. In brackets they take other dimensions, and those that count for nothing, as the layers
// of a stack: he_normal(in_axis<1>, out_axis<2, 3>, batch_axis<0>).
// Numbers are those of train/initializers.hpp. Source: JAX 0.10.2 jax.nn.initializers.

#include <tessera/aval/array_type.hpp>
#include <tessera/op/create/fill.hpp>
#include <tessera/train/initializers.hpp>

namespace tessera::nn {

namespace detail {

using tessera::train::detail::axes_of;
using tessera::train::detail::axes_of_batch;
using tessera::train::detail::axes_of_inputs;
using tessera::train::detail::axes_of_outputs;
using tessera::train::detail::drawn;
using tessera::train::detail::fan;
using tessera::train::detail::side;

// draw(out) with the layout of a type, or draw() if it has no mesh.
template <Spec S, Mesh M, class Draw>
constexpr auto in_layout(Draw const& draw) {
  if constexpr (std::is_same_v<M, no_mesh>)
    return draw();
  else
    return draw(out_sharding<S, M>);
}

template <class X>
inline constexpr bool is_axes_of = false;
template <side Of, int... Dims>
inline constexpr bool is_axes_of<axes_of<Of, Dims...>> = true;

// The one of Options for this side, or Default.
template <side Of, class Default, class... Options>
struct chosen_axes : std::type_identity<Default> {};
template <side Of, class Default, class First, class... Rest>
struct chosen_axes<Of, Default, First, Rest...>
    : std::conditional_t<First::of == Of, std::type_identity<First>, chosen_axes<Of, Default, Rest...>> {};

// Of variance scale / fan.
template <fan Of, drawn How, class In = axes_of_inputs, class Out = axes_of_outputs, class Batch = axes_of_batch>
struct by_fan {
  double scale;
  constexpr explicit by_fan(double given) : scale(given) {}
  template <class K, class Element, std::int64_t... E, Spec S, Mesh M>
  constexpr auto operator()(random::prng_key<K> const& key, array_type<Element, shape<E...>, S, M>,
                            site at = std::source_location::current()) const {
    constexpr double count = train::detail::fans<In, Out, Batch, E...>(Of);
    return in_layout<S, M>([&](auto const&... out) {
      return train::detail::of_variance<How, Element, E...>(key, scale / count, at, out...);
    });
  }
  // The same along the dimensions that are named.
  template <class... Axes>
    requires(is_axes_of<Axes>&&...)
  constexpr auto operator()(Axes...) const {
    return by_fan<Of, How, typename chosen_axes<side::in, In, Axes...>::type,
                  typename chosen_axes<side::out, Out, Axes...>::type,
                  typename chosen_axes<side::batch, Batch, Axes...>::type>{scale};
  }
};

// From 0 to this number.
struct uniform_to {
  double limit = 0.01;
  template <class K, class Element, std::int64_t... E, Spec S, Mesh M>
  constexpr auto operator()(random::prng_key<K> const& key, array_type<Element, shape<E...>, S, M>,
                            site at = std::source_location::current()) const {
    return in_layout<S, M>([&](auto const&... out) { return random::uniform<Element, E...>(key, out..., at) * limit; });
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
constexpr auto uniform(double limit = 0.01) { return detail::uniform_to{limit}; }

inline constexpr auto fan_in = detail::fan::in;
inline constexpr auto fan_out = detail::fan::out;
inline constexpr auto fan_avg = detail::fan::mean;
inline constexpr auto as_uniform = detail::drawn::uniform;
inline constexpr auto as_normal = detail::drawn::normal;
inline constexpr auto as_truncated_normal = detail::drawn::truncated_normal;
template <int... Dims>
inline constexpr detail::axes_of<detail::side::in, Dims...> in_axis{};
template <int... Dims>
inline constexpr detail::axes_of<detail::side::out, Dims...> out_axis{};
template <int... Dims>
inline constexpr detail::axes_of<detail::side::batch, Dims...> batch_axis{};

template <detail::fan Of, detail::drawn How, class... Axes>
  requires(detail::is_axes_of<Axes>&&...)
constexpr auto variance_scaling(double scale, Axes... axes) { return detail::by_fan<Of, How>{scale}(axes...); }
inline constexpr detail::by_fan<fan_avg, as_uniform> glorot_uniform{1};
inline constexpr detail::by_fan<fan_avg, as_truncated_normal> glorot_normal{1};
inline constexpr detail::by_fan<fan_in, as_uniform> he_uniform{2};
inline constexpr detail::by_fan<fan_in, as_truncated_normal> he_normal{2};
inline constexpr detail::by_fan<fan_in, as_uniform> lecun_uniform{1};
inline constexpr detail::by_fan<fan_in, as_truncated_normal> lecun_normal{1};

}  // namespace initializers
}  // namespace tessera::nn
