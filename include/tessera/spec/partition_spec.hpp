// SPDX-License-Identifier: Apache-2.0
#pragma once
// P<dp, none, axes<tp, sp>>: how each dimension is split over a mesh; dimensions beyond its length are not split.
// P<unconstrained, mp>: dimension 0 is unspecified.
// P<...> with unreduced<A...> / reduced<A...> among its entries: partial sums over those axes.
// Source: JAX jax.sharding.PartitionSpec.

#include <tessera/base/written_otherwise.hpp>
#include <tessera/spec/asked_layout.hpp>
#include <tessera/spec/entry.hpp>

#include <array>

namespace tessera {

template <Axis... A>
struct unreduced {};
template <Axis... A>
struct reduced {};

template <class... AxisTypes>
struct P : asked_layout {
  constexpr P() = default;
  // P("dp") does not compile.
  template <class Name, class... More>
  constexpr explicit P(Name const&, More const&...) {
    written::axes_as_arguments<Name, More...>::explain();
  }
};

// A spec as plain data on some mesh.
struct spec_value {
  int rank = 0;
  by_dim<entry_value> entries{};
  axis_set unreduced{};
  axis_set reduced{};
  bool too_long = false;

  constexpr entry_value operator[](int d) const { return d < rank ? entries.items[d] : entry_value{}; }
  // The first dimension that is unconstrained, or -1.
  constexpr int open_dim() const {
    for (int d = 0; d < rank; ++d)
      if (entries.items[d].is_open()) return d;
    return -1;
  }
  constexpr bool operator==(spec_value const&) const = default;
};

namespace detail {
template <Mesh M, class E>
struct spec_part {
  static constexpr void add(spec_value& spec) {
    if (spec.rank == max_rank)
      spec.too_long = true;
    else
      spec.entries[spec.rank++] = entry_value_of<M, E>;
  }
};
template <Mesh M, Axis... A>
struct spec_part<M, unreduced<A...>> {
  static constexpr void add(spec_value& spec) { ((spec.unreduced |= axis_set::of(M::template index<A>)), ...); }
};
template <Mesh M, Axis... A>
struct spec_part<M, reduced<A...>> {
  static constexpr void add(spec_value& spec) { ((spec.reduced |= axis_set::of(M::template index<A>)), ...); }
};
template <Mesh M, class Spec>
struct spec_of;
template <Mesh M, class... E>
struct spec_of<M, P<E...>> {
  static constexpr spec_value value = [] {
    spec_value spec;
    (spec_part<M, E>::add(spec), ...);
    return spec;
  }();
};
template <class T>
inline constexpr bool is_spec = false;
template <class... E>
inline constexpr bool is_spec<P<E...>> = true;
}  // namespace detail

template <class S>
concept Spec = detail::is_spec<S>;

template <Mesh M, Spec S>
inline constexpr spec_value spec_value_of = detail::spec_of<M, S>::value;

}  // namespace tessera
