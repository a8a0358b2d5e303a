// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operands live on different meshes. JAX: ValueError (incompatible devices or context mesh).

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

namespace detail {
// Has the mesh of an operand axes of this kind: mapped, inside vmap with an axis name; manual, inside shard_map?
template <axis_kind Kind, class Fact>
inline constexpr bool is_inside = false;
template <axis_kind Kind, class... S>
inline constexpr bool is_inside<Kind, lhs_on<mesh<S...>>> = ((S::kind == Kind) || ...);
template <axis_kind Kind, class... S>
inline constexpr bool is_inside<Kind, rhs_on<mesh<S...>>> = ((S::kind == Kind) || ...);
}  // namespace detail

template <class Op, class... Facts>
struct meshes_differ {
  static consteval void explain() {
    if constexpr ((detail::is_inside<axis_kind::mapped, Facts> || ...))
      static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operands live on different meshes. Fix: take both as "
                                                 "arguments of the vmap with an axis name, in_axes<unmapped> for one "
                                                 "that is the same for all slices.",
                                                 Op, Facts...));
    else if constexpr ((detail::is_inside<axis_kind::manual, Facts> || ...))
      static_assert(
          lawful<Op>,
          TESSERA_SENTENCE("tessera: the operands live on different meshes. Fix: take both as arguments of the "
                           "shard_map: a value from around it has no block there.",
                           Op, Facts...));
    else
      static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operands live on different meshes. Fix: bring them onto "
                                                 "one: device_put<P<...>>(x, mesh).",
                                                 Op, Facts...));
  }
};

template <>
struct words<reason::meshes_differ> {
  template <class... Facts>
  using type = meshes_differ<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const&) {
    text += "the operands live on different meshes.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "bring them onto one mesh: device_put<P<...>>(x, mesh)";
  }
};

}  // namespace tessera::error
