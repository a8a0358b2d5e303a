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

using tessera::train::detail::fan;

// draw(out) with the layout of a type, or draw() if it has no mesh.
template <Spec S, Mesh M, class Draw>
constexpr auto in_layout(Draw const& draw) {
  if constexpr (std::is_same_v<M, no_mesh>)
    return draw();
  else
    return draw(out_sharding<S, M>);
}

using tessera::train::detail::drawn;

enum class side { in, out, batch };
// Dimensions along which inputs or outputs are counted, or nothing.
template <side Of, int... Dims>
struct axes_of {
  static constexpr side of = Of;
  static constexpr bool has(int d, int rank) { return ((d == (Dims < 0 ? Dims + rank : Dims)) || ...); }
  static constexpr bool fit(int rank) { return ((Dims >= -rank && Dims < rank) && ...); }
};
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

template <class In, class Out, class Batch, std::int64_t... Extents>
constexpr double count_of_fan(fan which) {
  constexpr int rank = sizeof...(Extents);
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

// Of variance scale / fan.
template <fan Of, drawn How, class In = axes_of<side::in, -2>, class Out = axes_of<side::out, -1>,
          class Batch = axes_of<side::batch>>
struct by_fan {
  double scale = 1;
  template <class K, class Element, std::int64_t... E, Spec S, Mesh M>
  constexpr auto operator()(random::prng_key<K> const& key, array_type<Element, shape<E...>, S, M>,
                            site at = std::source_location::current()) const {
    constexpr int rank = sizeof...(E);
    static_assert(rank >= 2 && In::fit(rank) && Out::fit(rank) && Batch::fit(rank),
                  "tessera: an initializer counts inputs and outputs along dimensions that the parameter has, two at "
                  "least. Fix: in_axis<-2>, out_axis<-1>, batch_axis<0>; or normal(0.02).");
    return in_layout<S, M>([&](auto const&... out) {
      return train::detail::of_variance<How, Element, E...>(key, scale / count_of_fan<In, Out, Batch, E...>(Of), at,
                                                            out...);
    });
  }
  // The same along other dimensions.
  template <class First, class... Rest>
    requires(is_axes_of<First> && (is_axes_of<Rest> && ...))
  constexpr auto operator()(First, Rest...) const {
    return by_fan<Of, How, typename chosen_axes<side::in, In, First, Rest...>::type,
                  typename chosen_axes<side::out, Out, First, Rest...>::type,
                  typename chosen_axes<side::batch, Batch, First, Rest...>::type>{scale};
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
constexpr auto variance_scaling(double scale, Axes... axes) {
  if constexpr (sizeof...(Axes) == 0)
    return detail::by_fan<Of, How>{scale};
  else
    return detail::by_fan<Of, How>{scale}(axes...);
}
inline constexpr detail::by_fan<fan_avg, as_uniform> glorot_uniform{1};
inline constexpr detail::by_fan<fan_avg, as_truncated_normal> glorot_normal{1};
inline constexpr detail::by_fan<fan_in, as_uniform> he_uniform{2};
inline constexpr detail::by_fan<fan_in, as_truncated_normal> he_normal{2};
inline constexpr detail::by_fan<fan_in, as_uniform> lecun_uniform{1};
inline constexpr detail::by_fan<fan_in, as_truncated_normal> lecun_normal{1};

}  // namespace initializers
}  // namespace tessera::nn
