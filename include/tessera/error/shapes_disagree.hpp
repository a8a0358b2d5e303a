// SPDX-License-Identifier: Apache-2.0
#pragma once
// Extents that must be equal differ. JAX: TypeError, kind `shape_error`.

#include <tessera/error/facts.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct shapes_disagree {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the shapes do not fit each other. Fix: make the two numbers "
                                               "in extents<...> equal; often a transpose, reshape or expand_dims is "
                                               "missing.",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::shapes_disagree> {
  template <class... Facts>
  using type = shapes_disagree<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool, dtype>
  static constexpr auto numbers() {
    return facts<extents<Size, Other>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    detail::say_extents(text, v);
  }
  template <class Text>
  static constexpr void fix(Text& text, told const&, repair const&) {
    text += "make these extents equal; often a transpose, reshape or expand_dims is missing";
  }
};

}  // namespace tessera::error
