// SPDX-License-Identifier: Apache-2.0
#pragma once
// The formats of debug_print: `{}` and `{0}` stand for an operand's value, {:type} and {0:type} for its type; {{ and }}
// are braces. Types are written out while compiling.

#include <tessera/aval/type_text.hpp>
#include <tessera/base/text.hpp>
#include <tessera/trace/operand.hpp>

#include <bit>

namespace tessera::detail {

// f(text, operand, as a type) for each piece of a format: text, or the number of an operand. False: malformed.
template <class F>
constexpr bool each_piece(std::string_view format, int operands, F const& f) {
  constexpr std::string_view type = ":type";
  int next = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    char const c = format[i];
    bool const twice = i + 1 < format.size() && format[i + 1] == c;
    if (c != '{' && c != '}') {
      f(format.substr(i, 1), -1, false);
    } else if (twice) {
      f(format.substr(i++, 1), -1, false);
    } else {
      if (c == '}') return false;
      int which = 0;
      std::size_t digits = 0;
      for (++i; i < format.size() && format[i] >= '0' && format[i] <= '9'; ++i, ++digits)
        which = which * 10 + (format[i] - '0');
      bool const typed = format.substr(i).starts_with(type);
      if (typed) i += type.size();
      if (i >= format.size() || format[i] != '}') return false;
      if (digits == 0) which = next++;
      if (which >= operands) return false;
      f(std::string_view(), which, typed);
    }
  }
  return true;
}
constexpr bool is_format(std::string_view format, int operands) {
  unsigned used = 0;
  bool const well_formed = each_piece(format, operands, [&](std::string_view, int which, bool) {
    if (which >= 0) used |= 1u << which;
  });
  return well_formed && used == (1u << operands) - 1;
}

// The axes along which each device does an effect: those of code that sees one device's block.
template <Mesh M>
inline constexpr axis_set axes_of_effects =
    M::value.of_kind(axis_kind::manual) | M::value.of_kind(axis_kind::unchecked);

// A format with operands X...: its text with types written out, and the operands whose values it shows.
template <fixed_string Format, class... X>
struct print_format {
  static constexpr unsigned shown = [] {
    unsigned mask = 0;
    each_piece(Format.view(), sizeof...(X), [&](std::string_view, int which, bool typed) {
      if (which >= 0 && !typed) mask |= 1u << which;
    });
    return mask;
  }();
  template <class F>
  static constexpr void write(F const& put) {
    constexpr std::string_view types[]{type_text<typename operand_traits<X>::type>..., ""};
    auto const quoted = [&](std::string_view text) {
      for (char c : text) {
        put(c);
        if (c == '{' || c == '}') put(c);
      }
    };
    each_piece(Format.view(), sizeof...(X), [&](std::string_view text, int which, bool typed) {
      if (which < 0) return quoted(text);
      if (typed) return quoted(types[which]);
      put('{');
      put(static_cast<char>('0' + std::popcount(shown & ((1u << which) - 1))));
      put('}');
    });
  }
  static constexpr std::size_t size = [] {
    std::size_t count = 0;
    write([&](char) { ++count; });
    return count;
  }();
  static constexpr auto table = [] {
    std::array<std::int32_t, size + 1> codes{static_cast<std::int32_t>(size)};
    std::size_t next = 1;
    write([&](char c) { codes[next++] = static_cast<unsigned char>(c); });
    return codes;
  }();
  template <Mesh M>
  static constexpr effect_params on() {
    effect_params what;
    what.text = table.data();
    if (shown != 0) what.axes = axes_of_effects<M>;
    return what;
  }
};

}  // namespace tessera::detail
