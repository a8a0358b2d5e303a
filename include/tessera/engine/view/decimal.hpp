// SPDX-License-Identifier: Apache-2.0
#pragma once
// A number as decimal digits: the fewest that read back as the number, or rounded; in positional or scientific
// notation.

#include <tessera/aval/complex.hpp>
#include <tessera/aval/half.hpp>

#include <charconv>
#include <cmath>
#include <string>
#include <type_traits>

namespace tessera::detail {

// Digits without a point; the first digit has the weight 10^exponent.
struct decimal {
  bool negative = false;
  std::string digits;
  int exponent = 0;  // of the first digit
};

inline decimal parsed(char const* begin, char const* end) {
  decimal d;
  if (*begin == '-') d.negative = true, ++begin;
  for (; begin != end && *begin != 'e'; ++begin)
    if (*begin != '.') d.digits += *begin;
  if (begin != end && *++begin == '+') ++begin;
  std::from_chars(begin, end, d.exponent);
  while (d.digits.size() > 1 && d.digits.back() == '0') d.digits.pop_back();
  return d;
}

inline decimal rounded(double x, int significant) {
  char text[400];
  auto const end = std::to_chars(text, text + sizeof text, x, std::chars_format::scientific, significant - 1).ptr;
  return parsed(text, end);
}

// The fewest digits that read back as x.
template <class T>
decimal shortest(T x) {
  if constexpr (std::is_same_v<T, float16>) {
    for (int n = 1; n < 5; ++n) {
      decimal const d = rounded(x, n);
      double scale = std::pow(10.0, d.exponent - static_cast<int>(d.digits.size()) + 1);
      double const back = static_cast<double>(std::stoll(d.digits)) * scale * (d.negative ? -1 : 1);
      if (float16(back).bits == x.bits) return d;
    }
    return rounded(x, 5);
  } else {
    char text[64];
    auto const end = std::to_chars(text, text + sizeof text, x, std::chars_format::scientific).ptr;
    return parsed(text, end);
  }
}

// Positional notation: zeros at the end of the fraction are dropped, the point is kept: "1.", "0.25".
inline std::string positional(decimal const& d) {
  std::string whole, fraction;
  for (int i = 0; i <= d.exponent; ++i) whole += i < static_cast<int>(d.digits.size()) ? d.digits[i] : '0';
  if (d.exponent < 0) {
    whole = "0";
    fraction = std::string(-d.exponent - 1, '0') + d.digits;
  } else if (static_cast<int>(d.digits.size()) > d.exponent + 1) {
    fraction = d.digits.substr(d.exponent + 1);
  }
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return (d.negative ? "-" : "") + whole + '.' + fraction;
}

// Scientific notation, "1.5e+03": at least `fraction` digits after the point (zeros are added) and `exponent_digits`
// digits of exponent.
inline std::string scientific(decimal const& d, std::size_t fraction = 0, std::size_t exponent_digits = 2) {
  std::string tail = d.digits.substr(1);
  if (tail.size() < fraction) tail.append(fraction - tail.size(), '0');
  std::string power = std::to_string(std::abs(d.exponent));
  if (power.size() < exponent_digits) power.insert(0, exponent_digits - power.size(), '0');
  return (d.negative ? "-" : "") + d.digits.substr(0, 1) + '.' + tail + 'e' + (d.exponent < 0 ? '-' : '+') + power;
}

template <class T>
decimal for_positional(T x, int precision) {
  decimal const d = shortest(x);
  if (static_cast<int>(d.digits.size()) - 1 - d.exponent <= precision) return d;
  char text[400];
  auto const end =
      std::to_chars(text, text + sizeof text, static_cast<double>(x), std::chars_format::fixed, precision).ptr;
  decimal cut;  // the digits of a text such as "-12.340000"
  char const* at = text;
  if (*at == '-') cut.negative = true, ++at;
  cut.exponent = -1;
  bool fraction = false;
  for (; at != end; ++at) {
    if (*at == '.')
      fraction = true;
    else
      cut.digits += *at, cut.exponent += !fraction;
  }
  return cut;
}

template <class T>
decimal for_scientific(T x, int precision) {
  decimal const d = shortest(x);
  return static_cast<int>(d.digits.size()) - 1 <= precision ? d : rounded(static_cast<double>(x), precision + 1);
}

}  // namespace tessera::detail
