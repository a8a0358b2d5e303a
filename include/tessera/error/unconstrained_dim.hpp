// SPDX-License-Identifier: Apache-2.0
#pragma once
// A spec leaves a dimension unconstrained where no planner decides it, or where layouts are to be said: everywhere but in
// with_sharding_constraint over Auto axes. JAX: ValueError, in in_shardings and out_shardings, and on meshes without Auto axes.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct unconstrained_dim {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the spec leaves a dimension unconstrained where layouts are "
                                               "said. Fix: none, or an axis, in its place; "
                                               "with_sharding_constraint<P<unconstrained, ...>>(x) over Auto axes "
                                               "leaves it to the planner.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::unconstrained_dim> {
  template <class... Facts>
  using type = unconstrained_dim<Facts...>;
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    say(text, "the spec leaves dimension ", v.lhs_dim, " unconstrained, where layouts are said.");
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "none, or an axis, in its place; over Auto axes with_sharding_constraint leaves it to the planner";
  }
};

}  // namespace tessera::error
