// SPDX-License-Identifier: Apache-2.0
#pragma once
// Text built while compiling: a fixed buffer with the appending half of std::string's interface.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

template <std::size_t Capacity>
struct fixed_text {
  std::array<char, Capacity> chars{};
  std::size_t count = 0;

  constexpr fixed_text& operator+=(char c) {
    if (count < Capacity) chars[count++] = c;
    return *this;
  }
  constexpr fixed_text& operator+=(std::string_view text) {
    for (char c : text) *this += c;
    return *this;
  }
  constexpr std::size_t size() const { return count; }
  constexpr std::string_view view() const { return {chars.data(), count}; }
};

// A string literal as a template argument: einsum<"bij,bjk->bik">.
template <std::size_t N>
struct fixed_string {
  char chars[N]{};
  constexpr fixed_string(char const (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) chars[i] = literal[i];
  }
  constexpr std::string_view view() const { return {chars, N - 1}; }
};

// Appends a decimal number to std::string or fixed_text.
template <class Text>
constexpr void append_number(Text& text, std::int64_t number) {
  auto rest = static_cast<std::uint64_t>(number);
  if (number < 0) {
    text += '-';
    rest = 0 - rest;
  }
  char digits[20]{};
  int n = 0;
  do digits[n++] = static_cast<char>('0' + rest % 10);
  while (rest /= 10);
  while (n) text += digits[--n];
}

}  // namespace tessera
