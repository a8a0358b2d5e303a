// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operation has no rule for a dimension that its axes, of a mesh with uneven_axis, do not divide. Ours: JAX has no
// such arrays.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct uneven_unsupported {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE("tessera: the operation has no rule for a dimension of size<...> in "
                                               "blocks for padded_to<...>. Fix: gather it first: reshard<P<...>>(x) "
                                               "with none in its place, or make it even: pad_to_multiple<...>(x).",
                                               Op, Facts...));
  }
};

template <>
struct words<reason::uneven_unsupported> {
  template <class... Facts>
  using type = uneven_unsupported<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool, dtype>
  static constexpr auto numbers() {
    return facts<size<Size>, padded_to<Other>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    detail::say_where(text, v);
    say(text, " has ", v.size, " elements in blocks for ", v.other, " over ");
    say_axes(text, v.axes, t.mesh);
    text += ", and no rule says what becomes of those that are not there.";
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const& found) {
    verdict const& v = t.what;
    if (found.which >= 0) {
      detail::say_reshard(text, t, found);
      text += " first, or ";
    }
    say(text, "pad_to_multiple<", v.lhs_dim, ", ", v.other, ">(", !t.rhs ? "x" : v.operand > 0 ? "rhs" : "lhs", ")");
  }
};

}  // namespace tessera::error
