// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text of a tree's type: {w: float32[8@dp,4], b: float32[4]} of one with names, (float32[8], int32[]) of a tuple, nested. A
// leaf that is no array, a static argument, is "static".

#include <tessera/aval/type_text.hpp>
#include <tessera/trace/tree_functions.hpp>

#include <string_view>
#include <utility>

namespace tessera::detail {

template <class T, class Text>
constexpr void say_type(Text& text);

template <class T, std::size_t I, class Text>
constexpr void say_part(Text& text) {
  if (I > 0) text += ", ";
  if constexpr (NamedTree<T>) {
    text += step_of<T, I>::name;
    text += ": ";
  }
  say_type<part_type<I, T>>(text);
}
template <class T, class Text>
constexpr void say_type(Text& text) {
  if constexpr (Tree<T>) {
    text += NamedTree<T> ? '{' : '(';
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (say_part<T, I>(text), ...);
      if (!NamedTree<T> && sizeof...(I) == 1) text += ',';
    }
    (positions_in<T>{});
    text += NamedTree<T> ? '}' : ')';
  } else if constexpr (is_no_leaf<T>) {
    text += "none";
  } else if constexpr (requires { typename T::error; }) {
    text += "(refused)";
  } else if constexpr (requires { typename array_type_found_in<T>::type; }) {
    text += text_of_any<T>::text;
  } else {
    text += "static";
  }
}

template <Tree T>
struct text_of_any<T> {
  static constexpr auto buffer = [] {
    constexpr std::size_t length = [] {
      text_length counted;
      say_type<T>(counted);
      return counted.count;
    }();
    fixed_text<length> text;
    say_type<T>(text);
    return text;
  }();
  static constexpr std::string_view text = buffer.view();
};

}  // namespace tessera::detail
