// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who decides how data is laid out over an axis, and the axis' size: the parameters of mesh<>.

#include <tessera/axis/axis.hpp>
#include <tessera/base/inplace_list.hpp>

#include <cstdint>

namespace tessera {

// automatic: the planner decides, types do not show it. explicit_: types show it, rules propagate it.
// manual: inside shard_map, code sees one device's block. unchecked: the same, and types do not say over which such axes
// blocks differ. mapped: inside vmap with an axis name, code sees one element of the batch; types do not say which values
// differ. Source: JAX jax.sharding.AxisType, jax.shard_map's check_vma, jax.vmap's axis_name.
enum class axis_kind : std::uint8_t { automatic, explicit_, manual, unchecked, mapped };

namespace detail {
template <Axis A, std::int64_t Size, axis_kind Kind, bool Uneven = false>
struct sized_axis {
  static_assert(Size > 0 || Size == dynamic,
                "tessera: a mesh axis has at least one device. Fix: a positive size, or "
                "tessera::dynamic for a size known only at run time.");
  using tag = A;
  static constexpr std::int64_t size = Size;
  static constexpr axis_kind kind = Kind;
  static constexpr bool uneven = Uneven;
};
}  // namespace detail

template <Axis A, std::int64_t Size>
struct explicit_axis : detail::sized_axis<A, Size, axis_kind::explicit_> {};
// An explicit axis that also splits dimensions which it does not divide, into blocks of ceil(extent / devices) of which
// the last ones are not full: docs/uneven.md. JAX refuses such shardings of arguments.
template <Axis A, std::int64_t Size>
struct uneven_axis : detail::sized_axis<A, Size, axis_kind::explicit_, true> {};
template <Axis A, std::int64_t Size>
struct auto_axis : detail::sized_axis<A, Size, axis_kind::automatic> {};
template <Axis A, std::int64_t Size>
struct manual_axis : detail::sized_axis<A, Size, axis_kind::manual> {};
template <Axis A, std::int64_t Size>
struct unchecked_axis : detail::sized_axis<A, Size, axis_kind::unchecked> {};
template <Axis A, std::int64_t Size>
struct mapped_axis : detail::sized_axis<A, Size, axis_kind::mapped> {};

}  // namespace tessera
