// SPDX-License-Identifier: Apache-2.0
#pragma once
// Element types: their names as JAX prints them, sizes, and the C++ type of each.

#include <tessera/aval/complex.hpp>
#include <tessera/aval/float8.hpp>
#include <tessera/aval/half.hpp>
#include <tessera/base/written_otherwise.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tessera {

enum class dtype : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float8_e4m3fn,
  float8_e5m2,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128
};

using float32 = float;
using float64 = double;
using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;

constexpr std::string_view name_of(dtype element) {
  constexpr std::string_view names[]{"bool",     "int8",    "int16",   "int32",         "int64",       "uint8",
                                     "uint16",   "uint32",  "uint64",  "float8_e4m3fn", "float8_e5m2", "float16",
                                     "bfloat16", "float32", "float64", "complex64",     "complex128"};
  return names[static_cast<int>(element)];
}
constexpr int bytes_of(dtype element) {
  constexpr int sizes[]{1, 1, 2, 4, 8, 1, 2, 4, 8, 1, 1, 2, 2, 4, 8, 8, 16};
  return sizes[static_cast<int>(element)];
}
constexpr bool is_floating(dtype element) { return element >= dtype::float8_e4m3fn && element <= dtype::float64; }
constexpr bool is_complex(dtype element) { return element >= dtype::complex64; }
// What has gradients: floating and complex.
constexpr bool is_inexact(dtype element) { return element >= dtype::float8_e4m3fn; }
constexpr bool is_float8(dtype element) { return element == dtype::float8_e4m3fn || element == dtype::float8_e5m2; }
// What a double is rounded to once: bfloat16 is reached by way of float, as in XLA.
constexpr bool rounds_once(dtype element) { return is_float8(element) || element == dtype::float16; }
constexpr bool is_half(dtype element) { return element == dtype::float16 || element == dtype::bfloat16; }
constexpr bool is_integer(dtype element) { return element >= dtype::int8 && element <= dtype::uint64; }
constexpr bool is_unsigned(dtype element) { return element >= dtype::uint8 && element <= dtype::uint64; }
// The signed type and the unsigned one of as many bytes.
constexpr dtype signed_integer(int bytes) {
  return bytes == 1 ? dtype::int8 : bytes == 2 ? dtype::int16 : bytes == 4 ? dtype::int32 : dtype::int64;
}
constexpr dtype unsigned_integer(int bytes) {
  return bytes == 1 ? dtype::uint8 : bytes == 2 ? dtype::uint16 : bytes == 4 ? dtype::uint32 : dtype::uint64;
}
// What whole numbers are computed in: integers without a register of their own are held in a wider signed one.
constexpr dtype wide_integer(dtype element) {
  if (!is_integer(element) || element == dtype::uint64) return element;
  return bytes_of(element) < 4 ? dtype::int32 : element == dtype::uint32 ? dtype::int64 : element;
}
// What floats of 8 and 16 bits are computed in where they have no loops of their own: float32.
constexpr dtype wide_float(dtype element) {
  return is_floating(element) && bytes_of(element) < 4 ? dtype::float32 : element;
}
// The ends of an integer type, or of bool; of uint64 the bits of the highest.
constexpr std::int64_t highest_integer(dtype element) {
  int const bits = 8 * bytes_of(element);
  if (element == dtype::boolean) return 1;
  if (element == dtype::uint64) return -1;
  return static_cast<std::int64_t>((std::uint64_t{1} << (is_unsigned(element) ? bits : bits - 1)) - 1);
}
constexpr std::int64_t lowest_integer(dtype element) {
  return element == dtype::boolean || is_unsigned(element) ? 0 : -highest_integer(element) - 1;
}
// Of a complex type the type of its parts, of others the type itself; and the way back, float32 for 16 bits.
constexpr dtype real_of(dtype element) {
  return element == dtype::complex64 ? dtype::float32 : element == dtype::complex128 ? dtype::float64 : element;
}
constexpr dtype complex_of(dtype element) {
  bool const wide =
      element == dtype::float64 || element == dtype::complex128 || (is_integer(element) && bytes_of(element) == 8);
  return wide ? dtype::complex128 : dtype::complex64;
}
// The type in which a floating function of this type computes.
constexpr dtype inexact(dtype element) {
  return is_inexact(element) ? element : bytes_of(element) == 8 ? dtype::float64 : dtype::float32;
}

namespace detail {
template <dtype>
struct element_type;
template <>
struct element_type<dtype::boolean> : std::type_identity<bool> {};
template <>
struct element_type<dtype::int8> : std::type_identity<int8> {};
template <>
struct element_type<dtype::int16> : std::type_identity<int16> {};
template <>
struct element_type<dtype::uint8> : std::type_identity<uint8> {};
template <>
struct element_type<dtype::uint16> : std::type_identity<uint16> {};
template <>
struct element_type<dtype::uint32> : std::type_identity<uint32> {};
template <>
struct element_type<dtype::uint64> : std::type_identity<uint64> {};
template <>
struct element_type<dtype::int32> : std::type_identity<int32> {};
template <>
struct element_type<dtype::int64> : std::type_identity<int64> {};
template <>
struct element_type<dtype::float8_e4m3fn> : std::type_identity<tessera::float8_e4m3fn> {};
template <>
struct element_type<dtype::float8_e5m2> : std::type_identity<tessera::float8_e5m2> {};
template <>
struct element_type<dtype::float16> : std::type_identity<tessera::float16> {};
template <>
struct element_type<dtype::bfloat16> : std::type_identity<tessera::bfloat16> {};
template <>
struct element_type<dtype::float32> : std::type_identity<float> {};
template <>
struct element_type<dtype::float64> : std::type_identity<double> {};
template <>
struct element_type<dtype::complex64> : std::type_identity<tessera::complex64> {};
template <>
struct element_type<dtype::complex128> : std::type_identity<tessera::complex128> {};
}  // namespace detail

namespace detail {
// What an element is held in while computing: see wide_integer; float for the storage types of 8 and 16 bits.
template <class T>
struct register_type : std::type_identity<T> {};
template <>
struct register_type<tessera::float8_e4m3fn> : std::type_identity<float> {};
template <>
struct register_type<tessera::float8_e5m2> : std::type_identity<float> {};
template <>
struct register_type<tessera::float16> : std::type_identity<float> {};
template <>
struct register_type<tessera::bfloat16> : std::type_identity<float> {};
template <>
struct register_type<int8> : std::type_identity<int32> {};
template <>
struct register_type<int16> : std::type_identity<int32> {};
template <>
struct register_type<uint8> : std::type_identity<int32> {};
template <>
struct register_type<uint16> : std::type_identity<int32> {};
template <>
struct register_type<uint32> : std::type_identity<int64> {};
template <class T>
using register_of = typename register_type<T>::type;
}  // namespace detail

template <dtype D>
using element_of = typename detail::element_type<D>::type;

namespace detail {
// The floating types that C++ does not have.
template <class T>
concept SmallFloat = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16> || std::is_same_v<T, float8_e4m3fn> ||
    std::is_same_v<T, float8_e5m2>;
}  // namespace detail

// A C++ type that dtype_of takes.
template <class T>
concept ElementType = (std::is_integral_v<T> && sizeof(T) <= 8) || std::is_same_v<T, float> ||
                      std::is_same_v<T, double> || detail::SmallFloat<T> || detail::ComplexLike<T>;

// The dtype of a C++ type; any integer counts by its size and sign, std::complex as complex.
template <class T>
constexpr dtype dtype_of() {
  if constexpr (std::is_same_v<T, bool>)
    return dtype::boolean;
  else if constexpr (std::is_same_v<T, float>)
    return dtype::float32;
  else if constexpr (std::is_same_v<T, double>)
    return dtype::float64;
  else if constexpr (std::is_same_v<T, float8_e4m3fn>)
    return dtype::float8_e4m3fn;
  else if constexpr (std::is_same_v<T, float8_e5m2>)
    return dtype::float8_e5m2;
  else if constexpr (std::is_same_v<T, float16>)
    return dtype::float16;
  else if constexpr (std::is_same_v<T, bfloat16>)
    return dtype::bfloat16;
  else if constexpr (detail::ComplexLike<T>)
    return complex_of(dtype_of<typename T::value_type>());
  else {
    if constexpr (!ElementType<T>) written::not_an_element<T>::explain();
    return std::is_signed_v<T> ? signed_integer(sizeof(T)) : unsigned_integer(sizeof(T));
  }
}

namespace detail {
// f(std::type_identity<T>) for a floating type of 8 or 16 bits.
template <class F>
constexpr decltype(auto) with_small_float(dtype element, F&& f) {
  switch (element) {
    case dtype::float8_e4m3fn: return f(std::type_identity<float8_e4m3fn>{});
    case dtype::float8_e5m2: return f(std::type_identity<float8_e5m2>{});
    case dtype::float16: return f(std::type_identity<float16>{});
    default: return f(std::type_identity<bfloat16>{});
  }
}
}  // namespace detail

// A number that can be an element: of C++, of 8 or 16 bits, or complex.
template <class T>
concept ElementNumber = std::is_arithmetic_v<T> || detail::SmallFloat<T> || detail::ComplexLike<T>;
// One that keeps its type where it meets another, since a plain number would have done. The other numbers of C++ are
// weakly typed.
template <class T>
concept TypedNumber = ElementNumber<T> &&(std::is_same_v<T, bool> || !std::is_arithmetic_v<T>);

}  // namespace tessera
