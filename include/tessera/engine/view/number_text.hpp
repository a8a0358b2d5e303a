// SPDX-License-Identifier: Apache-2.0
#pragma once
// The texts of an array's elements, aligned with each other as in numpy. Source: numpy 2.4 str(np.ndarray), which JAX
// prints: positional or scientific notation for all elements, no more digits than distinguish a value from its
// neighbors, at most `precision` after the point. bfloat16 and floats of 8 bits: six digits, not aligned, as in JAX.

#include <tessera/aval/complex.hpp>
#include <tessera/aval/dtype.hpp>
#include <tessera/engine/view/decimal.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::detail {

template <class T>
struct float_limits {
  static constexpr double scientific_from = std::is_same_v<T, double> ? 1e8 : std::is_same_v<T, float> ? 1e6 : 1e3;
};

// numpy's choice between the two notations, computed in the element type's own arithmetic.
template <class T>
bool needs_scientific(std::vector<T> const& values) {
  T least{}, most{};
  bool any = false;
  for (T x : values) {
    T const size = static_cast<T>(std::abs(x));
    if (!std::isfinite(static_cast<double>(x)) || size == static_cast<T>(0)) continue;
    least = any ? std::min(least, size) : size;
    most = any ? std::max(most, size) : size;
    any = true;
  }
  return any && (static_cast<double>(most) >= float_limits<T>::scientific_from || least < static_cast<T>(0.0001f) ||
                 static_cast<T>(most / least) > static_cast<T>(1000.f));
}

template <class T>
std::vector<std::string> float_texts(std::vector<T> const& values, int precision) {
  bool const exponents = needs_scientific(values);
  std::vector<std::string> texts;
  std::size_t whole = 0, fraction = 0, power = 0;
  bool special = false, negative_infinity = false;
  for (T x : values) {
    double const wide = static_cast<double>(x);
    if (!std::isfinite(wide)) {
      special = true;
      negative_infinity = negative_infinity || (std::isinf(wide) && wide < 0);
      texts.push_back(std::isnan(wide) ? "nan" : wide < 0 ? "-inf" : "inf");
      continue;
    }
    texts.push_back(exponents ? scientific(for_scientific(x, precision)) : positional(for_positional(x, precision)));
    std::string const& text = texts.back();
    auto const point = text.find('.'), e = std::min(text.find('e'), text.size());
    whole = std::max(whole, point);
    fraction = std::max(fraction, e - point - 1);
    if (exponents) power = std::max(power, text.size() - e - 2);
  }
  std::size_t const right = exponents ? power + 2 + fraction : fraction;
  if (special && whole + right + 1 < 3u + negative_infinity) whole = 3u + negative_infinity - right - 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string& text = texts[i];
    if (!std::isfinite(static_cast<double>(values[i]))) {
      text.insert(0, whole + right + 1 - text.size(), ' ');
      continue;
    }
    if (exponents)  // all have the same number of digits, which may be more than a value needs
      text = scientific(rounded(static_cast<double>(values[i]), static_cast<int>(fraction) + 1), fraction, power);
    auto const point = text.find('.');
    if (!exponents) text.append(fraction - (text.size() - point - 1), ' ');
    text.insert(0, whole - point, ' ');
  }
  return texts;
}

// The text of a single value: 1.0, 0.33333334, 1e+20, True.
template <class T>
std::string scalar_text(T x) {
  if constexpr (is_complex_type<T>) {
    auto const part = [](auto value) {  // without the ".0" of a single number
      std::string text = scalar_text(value);
      return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
    };
    std::string const turned = part(x.im);
    bool const bare = x.re == 0 && !std::signbit(x.re);
    return bare ? turned + 'j' : '(' + part(x.re) + (turned[0] == '-' ? "" : "+") + turned + "j)";
  } else if constexpr (std::is_same_v<T, bool>) {
    return x ? "True" : "False";
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(x);
  } else {
    double const wide = static_cast<double>(x), size = std::abs(wide);
    if (std::isnan(wide)) return "nan";
    if (std::isinf(wide)) return wide < 0 ? "-inf" : "inf";
    if constexpr (SmallFloat<T> && !std::is_same_v<T, float16>) {
      char text[32];
      auto const end = std::to_chars(text, text + sizeof text, wide, std::chars_format::general, 6).ptr;
      return {text, end};
    } else {
      decimal const d = shortest(x);
      double const limit = std::is_same_v<T, double> ? 1e16 : float_limits<T>::scientific_from;
      if (size == 0 || (size >= 1e-4 && size < limit)) {
        std::string const text = positional(d);
        return text.back() == '.' ? text + '0' : text;
      }
      std::string text = scientific(d);
      if (auto const bare = text.find(".e"); bare != std::string::npos) text.erase(bare, 1);
      return text;
    }
  }
}

template <class T>
std::vector<std::string> element_texts(std::vector<T> const& values, int precision) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, float16>) {
    return float_texts(values, precision);
  } else if constexpr (is_complex_type<T>) {
    using R = typename T::value_type;
    std::vector<R> parts[2];
    for (T const& z : values) {
      parts[0].push_back(z.re);
      parts[1].push_back(std::abs(z.im));
    }
    auto texts = float_texts(parts[0], precision), sizes = float_texts(parts[1], precision);
    for (std::size_t i = 0; i < values.size(); ++i) {  // the sign before the digits, j after them
      std::string& size = sizes[i];
      size.insert(size.find_first_not_of(' '), 1, std::signbit(values[i].im) ? '-' : '+');
      size.insert(size.find_last_not_of(' ') + 1, 1, 'j');
      texts[i] += size;
    }
    return texts;
  } else {
    std::vector<std::string> texts;
    std::size_t width = 0;
    for (T x : values) texts.push_back(scalar_text(x)), width = std::max(width, texts.back().size());
    if constexpr (SmallFloat<T>) width = 0;
    if constexpr (std::is_same_v<T, bool>) width = values.empty() ? 0 : 5;  // the width of False
    for (auto& text : texts)
      if (text.size() < width) text.insert(0, width - text.size(), ' ');
    return texts;
  }
}

}  // namespace tessera::detail
