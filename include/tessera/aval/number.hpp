// SPDX-License-Identifier: Apache-2.0
#pragma once
// A C++ number at its full value: weakly typed, it becomes an element of the dtype that it meets. What no integer type
// there can hold is refused; floating types take the nearest value, infinity beyond their ends, as in JAX.

#include <tessera/aval/dtype.hpp>
#include <tessera/base/functions.hpp>
#include <tessera/base/text.hpp>

#include <limits>

namespace tessera {

struct number_value {
  enum class form : std::uint8_t { real, whole, natural };  // natural: an unsigned number, `whole` holds its bits
  form is = form::whole;
  double real = 0;
  std::int64_t whole = 0;
};

namespace functions {

template <class X>
constexpr number_value number_value_of(X x) {
  number_value n;
  if constexpr (detail::SmallFloat<X>) {
    return number_value_of(static_cast<float>(x));
  } else if constexpr (std::is_floating_point_v<X>) {
    n.is = number_value::form::real;
    n.real = static_cast<double>(x);
  } else {
    n.whole = static_cast<std::int64_t>(x);
    if (!std::is_same_v<X, bool> && std::is_unsigned_v<X> && n.whole < 0) n.is = number_value::form::natural;
  }
  return n;
}

}  // namespace functions

// The C++ type in which every number of X's kind has its value: what a program stores of a number given to it.
template <class X>
using number_storage = std::conditional_t<
    std::is_floating_point_v<X>, double,
    std::conditional_t<std::is_unsigned_v<X> && sizeof(X) == sizeof(std::uint64_t), std::uint64_t, std::int64_t>>;

constexpr double real_of(number_value const& n) {
  if (n.is == number_value::form::real) return n.real;
  if (n.is == number_value::form::natural) return static_cast<double>(static_cast<std::uint64_t>(n.whole));
  return static_cast<double>(n.whole);
}

constexpr number_value highest_number(dtype element) {
  number_value n;
  if (element == dtype::uint64) n.is = number_value::form::natural;
  n.whole = highest_integer(element);
  return n;
}

// Whether an integer type or bool can hold it, fractions dropped. Types of other kinds take any number.
constexpr bool fits(number_value const& n, dtype element) {
  if (!is_integer(element)) return true;
  bool const widest = element == dtype::uint64;
  if (n.is == number_value::form::natural) return widest;
  if (n.is == number_value::form::whole)
    return n.whole >= lowest_integer(element) && (widest || n.whole <= highest_integer(element));
  double const two_64 = 18446744073709551616.0, two_63 = 9223372036854775808.0;
  double const end = widest                    ? two_64
                     : element == dtype::int64 ? two_63
                                               : static_cast<double>(highest_integer(element)) + 1;
  double const begin = static_cast<double>(lowest_integer(element));
  return n.real < end && (n.real > begin - 1 || n.real >= begin);  // NaN is not
}

// The nearest integer of that type toward zero; the bits of it. Whole numbers that do not fit wrap.
constexpr std::int64_t integer_in(number_value const& n, dtype element) {
  if (element == dtype::boolean) return real_of(n) != 0;
  std::int64_t bits = n.whole;
  if (n.is == number_value::form::real) {
    if (n.real != n.real) return 0;
    if (!fits(n, element)) return n.real < 0 ? lowest_integer(element) : highest_integer(element);
    bits = element == dtype::uint64 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(n.real))
                                    : static_cast<std::int64_t>(n.real);
  }
  int const unused = 64 - 8 * bytes_of(element);
  auto const high = static_cast<std::uint64_t>(bits) << unused;
  return is_unsigned(element) ? static_cast<std::int64_t>(high >> unused) : static_cast<std::int64_t>(high) >> unused;
}

// As text: 1099511627776. Of a whole number only.
template <class Text>
constexpr void say_number(Text& text, number_value const& n) {
  if (n.is != number_value::form::natural) return append_number(text, n.whole);
  auto const value = static_cast<std::uint64_t>(n.whole);
  append_number(text, static_cast<std::int64_t>(value / 10));
  append_number(text, static_cast<std::int64_t>(value % 10));
}

}  // namespace tessera
