// SPDX-License-Identifier: Apache-2.0
#pragma once
// How values of each element type are combined, on host and device, and the registers in which they are computed.
// Maximum and minimum of a NaN are NaN, as in JAX.

#include <tessera/aval/dtype.hpp>
#include <tessera/base/config.hpp>
#include <tessera/base/wrapping.hpp>
#include <tessera/graph/op_info.hpp>

#include <cstring>
#include <limits>
#include <type_traits>

namespace tessera::detail {

// A register's value as the element type represents it: integers wrap.
template <class T>
TESSERA_FUNCTION constexpr register_of<T> settled(register_of<T> value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<register_of<T>>(static_cast<T>(value));
  else
    return value;
}

// f(std::type_identity<T>) for the storage type T of `element`.
template <class F>
constexpr decltype(auto) with_element(dtype element, F&& f) {
  switch (element) {
    case dtype::boolean: return f(std::type_identity<bool>{});
    case dtype::int8: return f(std::type_identity<std::int8_t>{});
    case dtype::int16: return f(std::type_identity<std::int16_t>{});
    case dtype::int32: return f(std::type_identity<std::int32_t>{});
    case dtype::uint8: return f(std::type_identity<std::uint8_t>{});
    case dtype::uint16: return f(std::type_identity<std::uint16_t>{});
    case dtype::uint32: return f(std::type_identity<std::uint32_t>{});
    case dtype::uint64: return f(std::type_identity<std::uint64_t>{});
    case dtype::int64: return f(std::type_identity<std::int64_t>{});
    case dtype::float8_e4m3fn: return f(std::type_identity<float8_e4m3fn>{});
    case dtype::float8_e5m2: return f(std::type_identity<float8_e5m2>{});
    case dtype::float16: return f(std::type_identity<float16>{});
    case dtype::bfloat16: return f(std::type_identity<bfloat16>{});
    case dtype::float64: return f(std::type_identity<double>{});
    case dtype::complex64: return f(std::type_identity<complex64>{});
    case dtype::complex128: return f(std::type_identity<complex128>{});
    default: return f(std::type_identity<float>{});
  }
}

inline constexpr int most_register_bytes = 16;

constexpr int register_bytes(dtype element) { return bytes_of(wide_float(wide_integer(element))); }

// A value from its first eight bytes.
template <class A>
TESSERA_FUNCTION inline A literal_as(std::int64_t bits) {
  A value{};
  std::memcpy(static_cast<void*>(&value), &bits, sizeof(A) < sizeof(bits) ? sizeof(A) : sizeof(bits));
  return value;
}

template <monoid M, class A>
TESSERA_FUNCTION constexpr A combine(A x, A y) {
  if constexpr (std::is_same_v<A, bool>) {
    if constexpr (M == monoid::product || M == monoid::min || M == monoid::logical_and)
      return x && y;
    else
      return x || y;
  } else if constexpr (M == monoid::sum)
    return static_cast<A>(wrapping(x) + wrapping(y));
  else if constexpr (M == monoid::product)
    return static_cast<A>(wrapping(x) * wrapping(y));
  else if constexpr (M == monoid::max)
    return ((x >= y) | (x != x)) ? x : y;
  else if constexpr (M == monoid::min)
    return ((x <= y) | (x != x)) ? x : y;
  else if constexpr (M == monoid::logical_and)
    return static_cast<A>(x != A{} && y != A{});
  else
    return static_cast<A>(x != A{} || y != A{});
}

template <monoid M, class A>
TESSERA_FUNCTION constexpr A identity_of() {
  if constexpr (M == monoid::product || M == monoid::logical_and)
    return static_cast<A>(1);
  else if constexpr (std::is_same_v<A, bool>)
    return M == monoid::min;
  else if constexpr (M == monoid::max)
    return std::numeric_limits<A>::has_infinity ? -std::numeric_limits<A>::infinity()
                                                : std::numeric_limits<A>::lowest();
  else if constexpr (M == monoid::min)
    return std::numeric_limits<A>::has_infinity ? std::numeric_limits<A>::infinity() : std::numeric_limits<A>::max();
  else
    return A{};
}

template <monoid M>
using monoid_constant = std::integral_constant<monoid, M>;

// f(monoid_constant<M>) for the monoid. For bool there are logical and and or; for numbers these two are min and max of
// 0 and 1. For complex numbers there are the sum and the product; rules refuse the others.
template <class T, class F>
constexpr decltype(auto) with_monoid(monoid m, F&& f) {
  if constexpr (std::is_same_v<T, bool>) {
    bool const both = m == monoid::product || m == monoid::min || m == monoid::logical_and;
    return both ? f(monoid_constant<monoid::logical_and>{}) : f(monoid_constant<monoid::logical_or>{});
  } else if constexpr (is_complex_type<T>) {
    return m == monoid::product ? f(monoid_constant<monoid::product>{}) : f(monoid_constant<monoid::sum>{});
  } else {
    switch (m) {
      case monoid::product: return f(monoid_constant<monoid::product>{});
      case monoid::max: return f(monoid_constant<monoid::max>{});
      case monoid::min: return f(monoid_constant<monoid::min>{});
      case monoid::logical_and: return f(monoid_constant<monoid::min>{});
      case monoid::logical_or: return f(monoid_constant<monoid::max>{});
      default: return f(monoid_constant<monoid::sum>{});
    }
  }
}

}  // namespace tessera::detail
