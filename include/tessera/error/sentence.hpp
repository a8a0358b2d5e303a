// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is wrong and what to write instead, in the words of the refusal's reason.

#include <tessera/error/all.hpp>

#include <utility>

namespace tessera::error {

namespace detail {
// f.template operator()<words of the reason>(); nothing for reason::none.
template <class F>
constexpr void with_words(reason why, F const& f) {
  [&]<std::size_t... R>(std::index_sequence<R...>) {
    (void)((why == static_cast<reason>(R + 1) && (f.template operator()<words<static_cast<reason>(R + 1)>>(), true)) ||
           ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(reason::count) - 1>{});
}
}  // namespace detail

// What is wrong, as one sentence.
template <class Text>
constexpr void say_what(Text& text, told const& t) {
  detail::with_words(t.what.why, [&]<class Words>() { Words::what(text, t); });
}

// What to write instead, and what that moves.
template <class Text>
constexpr void say_fix(Text& text, told const& t) {
  auto const found = t.lhs ? repair_of(t.what, *t.lhs, t.rhs, 1, t.mesh) : repair{};
  detail::with_words(t.what.why, [&]<class Words>() { Words::fix(text, t, found); });
  if (found.bytes > 0) say(text, "; that moves at most ", found.bytes, " bytes per device");
  text += '.';
}

}  // namespace tessera::error
