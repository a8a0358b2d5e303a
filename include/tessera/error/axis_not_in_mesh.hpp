// SPDX-License-Identifier: Apache-2.0
#pragma once
// A spec names a mesh axis that the mesh does not have. JAX: ValueError, kind `unknown_axis`.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct axis_not_in_mesh {
  static consteval void explain() {
    if constexpr ((std::is_same_v<Facts, mesh_has<>> || ...))
      static_assert(lawful<Op>,
                    TESSERA_SENTENCE("tessera: the spec names a mesh axis, and the array is on no mesh. Fix: "
                                     "device_put<P<...>>(x, mesh) and reshard<P<...>, grid>(x) give an array one, "
                                     "out_sharding<P<...>, grid> what is made or drawn, "
                                     "jit<out_shardings<...>, grid>(f) its results.",
                                     Op, Facts...));
    else
      static_assert(lawful<Op>,
                    TESSERA_SENTENCE("tessera: the spec names an axis that the mesh does not have. Fix: "
                                     "name one of mesh_has<...>, or add the axis to the mesh; "
                                     "device_put<P<...>>(x, mesh) and reshard<P<...>, grid>(x) give an array one, "
                                     "out_sharding<P<...>, grid> what is made or drawn, "
                                     "jit<out_shardings<...>, grid>(f) its results.",
                                     Op, Facts...));
  }
};

template <>
struct words<reason::axis_not_in_mesh> {
  template <class... Facts>
  using type = axis_not_in_mesh<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    text += "the spec names an axis that the mesh does not have; it has ";
    say_axes(text, t.mesh.axes(), t.mesh);
    text += '.';
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "name an axis of the mesh, or add this one to it";
  }
};

}  // namespace tessera::error
