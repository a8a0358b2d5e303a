// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective, or a spec of shard_map, names an axis that is not Manual there; a collective names none.
// JAX: NameError, ValueError, kinds `unbound_axis`, `spec_axis_not_manual`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct axis_not_manual {
  static consteval void explain() {
    if constexpr (names_axes_in<not_in_mesh, Facts...>)
      static_assert(
          lawful<Op>,
          TESSERA_SENTENCE(
              "tessera: an axis is named that the mesh does not have: not_in_mesh<...>. Fix: name one of mesh_has<...>, which are all that it has, or add the axis to the mesh; collectives stand inside shard_map over it.",
              Op, Facts...));
    else if constexpr ((std::is_same_v<Facts, asked<P<axes<>>>> || ...))
      static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: no axis is named. Fix: the axes stand in angle brackets, "
                                                 "psum<dp>(x), axis_index<dp>().",
                                                 Op, Facts...));
    else
      static_assert(lawful<Op>,
                    TESSERA_SENTENCE("tessera: an axis is named that is not Manual here. Fix: use collectives "
                                     "inside shard_map over that axis; name in its specs only axes that it runs "
                                     "over.",
                                     Op, Facts...));
  }
};

template <>
struct words<reason::axis_not_manual> {
  template <class... Facts>
  using type = axis_not_manual<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    if ((v.axes & t.mesh.axes()).empty()) {
      text += "it names no axis, or one that is not Manual here; the mesh has ";
      say_axes(text, t.mesh.axes(), t.mesh);
      text += '.';
      return;
    }
    say_axes(text, v.axes, t.mesh);
    text += " is not Manual here.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const&) {
    verdict const& v = t.what;
    text += (v.axes & t.mesh.axes()).empty()
                ? "name one of these, or add the axis to the mesh; collectives stand inside shard_map over it"
                : "use it inside shard_map over that axis; name in shard_map's specs only axes that it runs over";
  }
};

}  // namespace tessera::error
