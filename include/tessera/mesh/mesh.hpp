// SPDX-License-Identifier: Apache-2.0
#pragma once
// mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>: the abstract mesh, a type without devices.
// Source: JAX jax.sharding.AbstractMesh. A concrete mesh adds devices to it (array/device_mesh.hpp).

#include <tessera/base/written_otherwise.hpp>
#include <tessera/mesh/value.hpp>

#include <boost/mp11.hpp>

#include <initializer_list>
#include <type_traits>

namespace tessera {

namespace detail {
template <class... Names>
constexpr bool print_alike(Names... names) {
  std::string_view all[]{names..., ""};
  constexpr int count = sizeof...(Names);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j)
      if (all[i] == all[j]) return true;
  return false;
}
template <bool... Flag>
constexpr axis_set positions_where() {
  axis_set set;
  [[maybe_unused]] int a = 0;
  ((set.bits |= static_cast<std::uint32_t>(Flag) << a++), ...);
  return set;
}
template <class A>
concept SizedAxis = requires {
  typename A::tag;
  A::size;
  A::kind;
};
// Nothing if no axis has one.
template <class... A>
constexpr by_dim<std::int32_t> prices_of() {
  if constexpr ((requires { A::byte_price; } || ...))
    return {price_of_axis<A>()...};
  else
    return {};
}
}  // namespace detail

template <class... SizedAxes>
struct mesh {
  static_assert(sizeof...(SizedAxes) <= max_rank, "tessera: a mesh has at most 8 axes.");
  static_assert((std::is_base_of_v<axis, typename SizedAxes::tag> && ...),
                "tessera: a mesh axis is a type of its own. Fix: struct A : tessera::axis {};");
  static_assert(!detail::print_alike(axis_name<typename SizedAxes::tag>...),
                "tessera: two axes of a mesh have the same name. Fix: rename one of the tag types.");
  using axes = boost::mp11::mp_list<typename SizedAxes::tag...>;
  static constexpr int rank = sizeof...(SizedAxes);
  static constexpr mesh_value value{rank,
                                    {SizedAxes::size...},
                                    {SizedAxes::kind...},
                                    {axis_name<typename SizedAxes::tag>...},
                                    detail::positions_where<SizedAxes::uneven...>(),
                                    {},
                                    detail::prices_of<typename SizedAxes::tag...>()};
  // The axis' position, or rank if the mesh does not have it.
  template <Axis A>
  static constexpr int index = boost::mp11::mp_find<axes, A>::value;

  constexpr mesh() = default;
  // mesh({4, 2}, {"dp", "mp"}) and mesh(devices, {"dp"}) do not compile.
  template <class Devices, class Name>
  constexpr explicit mesh(Devices const&, std::initializer_list<Name>) {
    written::mesh_in_brackets<Devices, Name>::explain();
  }
  template <class Size, class Name>
  constexpr explicit mesh(std::initializer_list<Size>, std::initializer_list<Name>) {
    written::mesh_in_brackets<Size, Name>::explain();
  }
};

// Not sized: mesh<dp, mp>.
template <class... Axes>
  requires(!(detail::SizedAxis<Axes> && ...))
struct mesh<Axes...> {
  static_assert(sizeof...(Axes) == 0,  // which it never is here
                "tessera: an axis of a mesh has a kind and a size. Fix: mesh<explicit_axis<dp, 4>, auto_axis<mp, 2>>.");
  using axes = boost::mp11::mp_list<>;
  static constexpr int rank = 0;
  static constexpr mesh_value value{};
  template <Axis A>
  static constexpr int index = 0;
};

using no_mesh = mesh<>;  // arrays on one device; combines with any mesh

template <class T>
inline constexpr bool is_mesh = false;
template <class... SizedAxes>
inline constexpr bool is_mesh<mesh<SizedAxes...>> = true;
template <class M>
concept Mesh = is_mesh<M>;

}  // namespace tessera
