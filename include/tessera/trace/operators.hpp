// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operators of traced values, constants and arrays, as hidden friends that know the line they were written on.

#include <tessera/trace/invoke.hpp>

#include <type_traits>

namespace tessera {
namespace ops {
struct add;
struct subtract;
struct multiply;
struct divide;
struct negative;
struct equal;
struct not_equal;
struct less;
struct less_equal;
struct greater;
struct greater_equal;
}  // namespace ops

// An operand and where it was used: operators have no room for a default argument, a converting constructor has.
template <class X>
struct located {
  X const& value;
  site at;
  constexpr located(X const& v, std::source_location s = std::source_location::current()) : value(v), at(s) {}
};

namespace detail {
template <class T>
concept Number = std::is_arithmetic_v<T>;
}

#define TESSERA_BINARY_OPERATOR(symbol, op)                                                   \
  template <class Y>                                                                          \
  friend constexpr auto operator symbol(located<Self> x, Y const& y) {                        \
    return invoke<ops::op, no_params>(x.at, x.value, y);                                      \
  }                                                                                           \
  template <detail::Number N>                                                                 \
  friend constexpr auto operator symbol(N n, located<Self> y) {                               \
    return invoke<ops::op, no_params>(y.at, n, y.value);                                      \
  }

template <class Self>
struct operators {
  TESSERA_BINARY_OPERATOR(+, add)
  TESSERA_BINARY_OPERATOR(-, subtract)
  TESSERA_BINARY_OPERATOR(*, multiply)
  TESSERA_BINARY_OPERATOR(/, divide)
  TESSERA_BINARY_OPERATOR(==, equal)
  TESSERA_BINARY_OPERATOR(!=, not_equal)
  TESSERA_BINARY_OPERATOR(<, less)
  TESSERA_BINARY_OPERATOR(<=, less_equal)
  TESSERA_BINARY_OPERATOR(>, greater)
  TESSERA_BINARY_OPERATOR(>=, greater_equal)

  friend constexpr auto operator-(located<Self> x) { return invoke<ops::negative, no_params>(x.at, x.value); }
};

#undef TESSERA_BINARY_OPERATOR

}  // namespace tessera
