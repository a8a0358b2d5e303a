// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operands live on different meshes. JAX: ValueError (incompatible devices or context mesh).

#include <tessera/error/facts.hpp>

namespace tessera::error {

namespace detail {
// Of an operand inside vmap with an axis name.
template <class Fact>
inline constexpr bool in_named_vmap = false;
template <class... S>
inline constexpr bool in_named_vmap<lhs_on<mesh<S...>>> = ((S::kind == axis_kind::mapped) || ...);
template <class... S>
inline constexpr bool in_named_vmap<rhs_on<mesh<S...>>> = ((S::kind == axis_kind::mapped) || ...);
}  // namespace detail

template <class Op, class... Facts>
struct meshes_differ {
  static consteval void explain() {
    if constexpr ((detail::in_named_vmap<Facts> || ...))
      static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operands live on different meshes. Fix: take both as "
                                                 "arguments of the vmap with an axis name, in_axes<unmapped> for one "
                                                 "that is the same for all slices.",
                                                 Op, Facts...));
    else
      static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operands live on different meshes. Fix: bring them onto "
                                                 "one: device_put<P<...>>(x, mesh).",
                                                 Op, Facts...));
  }
};

}  // namespace tessera::error
