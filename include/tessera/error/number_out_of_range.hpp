// SPDX-License-Identifier: Apache-2.0
#pragma once
// A C++ number meets an integer type that cannot hold it. JAX: OverflowError.

#include <tessera/error/facts.hpp>
#include <tessera/error/say.hpp>
#include <tessera/error/words.hpp>

namespace tessera::error {

template <class Op, class... Facts>
struct number_out_of_range {
  static consteval void explain() {
    static_assert(lawful<Op>, TESSERA_SENTENCE(
                                  "tessera: a number does not fit the element type that it meets. Fix: a number in its "
                                  "range, or astype<T>(x) to a type that holds it.",
                                  Op, Facts...));
  }
};

template <>
struct words<reason::number_out_of_range> {
  template <class... Facts>
  using type = number_out_of_range<Facts...>;
  template <std::int64_t Size, std::int64_t Other, bool, dtype Element>
  static constexpr auto numbers() {
    using number = std::conditional_t<Other == 2, unsigned_value<static_cast<std::uint64_t>(Size)>, value<Size>>;
    return facts<number, meets<element_of<Element>>>{};
  }
  template <class Text>
  static constexpr void what(Text& text, told const& t) {
    verdict const& v = t.what;
    if (v.other == static_cast<std::int64_t>(number_value::form::natural))
      say_number(text, {number_value::form::natural, 0, v.size});
    else if (v.other == not_a_number)
      text += "nan";
    else
      say(text, v.other == static_cast<std::int64_t>(number_value::form::real) ? "about " : "", v.size);
    say(text, " does not fit ", name_of(v.result.element), ".");
  }
  template <class Text>
  static constexpr void fix(Text& text, told const& t, repair const&) {
    verdict const& v = t.what;
    say(text, "a number from ", lowest_integer(v.result.element), " to ");
    say_number(text, highest_number(v.result.element));
    text += ", or astype<T>(x) to a type that holds it";
  }
};

}  // namespace tessera::error
