// SPDX-License-Identifier: Apache-2.0
#pragma once
// bitwise_and, bitwise_or, bitwise_xor, bitwise_not of integers and bool; left_shift, right_shift (keeps the sign),
// shift_right_logical of integers: broadcast shape, merged spec. A shift by as many bits as there are, or by a negative
// number, gives 0, right_shift the sign. logical_xor, isinf, signbit, copysign. No gradient, or 0. Moves 0 bytes.
// Source: JAX 0.10.2 jax.numpy, lax.

#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/rounding.hpp>

#include <bit>

namespace tessera {
namespace ops {

struct bitwise_and : binary<bitwise_and, accepts::booleans> {
  static constexpr std::string_view name = "bitwise_and";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    return static_cast<T>(x & y);
  }
};
struct bitwise_or : binary<bitwise_or, accepts::booleans> {
  static constexpr std::string_view name = "bitwise_or";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    return static_cast<T>(x | y);
  }
};
struct bitwise_xor : binary<bitwise_xor, accepts::booleans> {
  static constexpr std::string_view name = "bitwise_xor";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    return static_cast<T>(x ^ y);
  }
};
struct bitwise_not : unary<bitwise_not, accepts::booleans> {
  static constexpr std::string_view name = "bitwise_not";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x) {
    if constexpr (std::is_same_v<T, bool>)
      return !x;
    else
      return static_cast<T>(~x);
  }
};

// bool is int32 here, as in jax.numpy.
template <class Op>
struct shift : binary<Op, accepts::integers> {
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    term both[]{x[0], x[1]};
    cast_params const to{dtype::int32};
    for (term& t : both)
      if (t.facts().element == dtype::boolean) t = make<cast>(b, {t}, to);
    return binary<Op, accepts::integers>::build(b, both, count, attrs);
  }
  // Less than 0, or as many bits as T has, or more.
  template <class T>
  TESSERA_FUNCTION static constexpr bool beyond(T y) {
    return static_cast<std::make_unsigned_t<T>>(y) >= sizeof(T) * 8;
  }
};
struct left_shift : shift<left_shift> {
  static constexpr std::string_view name = "left_shift";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    using U = std::make_unsigned_t<T>;
    return shift::beyond(y) ? T(0) : static_cast<T>(static_cast<U>(x) << y);
  }
};
struct right_shift : shift<right_shift> {
  static constexpr std::string_view name = "right_shift";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    bool const beyond = shift::beyond(y);
    return beyond && std::is_unsigned_v<T> ? T(0) : static_cast<T>(x >> (beyond ? T(sizeof(T) * 8 - 1) : y));
  }
};
struct shift_right_logical : shift<shift_right_logical> {
  static constexpr std::string_view name = "shift_right_logical";
  // Zeros come from above a small signed type, whose register has its sign there.
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    term both[]{x[0], x[1]};
    dtype const joint = tessera::detail::joint_dtype(both, 2).element;
    if (!is_integer(joint) || bytes_of(joint) >= 4 || is_unsigned(joint))
      return shift<shift_right_logical>::build(b, both, count, attrs);
    cast_params const bare{unsigned_integer(bytes_of(joint))}, back{joint};
    for (term& t : both) t = make<cast>(b, {make<cast>(b, {t}, back)}, bare);
    return make<cast>(b, {shift<shift_right_logical>::build(b, both, count, attrs)}, back);
  }
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    using U = std::make_unsigned_t<T>;
    return shift::beyond(y) ? T(0) : static_cast<T>(static_cast<U>(x) >> y);
  }
};

struct logical_xor : logical<logical_xor> {
  static constexpr std::string_view name = "logical_xor";
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x, T y) {
    return (x != 0) != (y != 0);
  }
};
template <class Op>
struct question : unary<Op, accepts::floats> {
  static constexpr bool gives_bool = true;
  static constexpr bool locally_constant = true;
};
struct isinf : question<isinf> {
  static constexpr std::string_view name = "isinf";
  static constexpr bool of_complex = true;
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x) {
    if constexpr (tessera::detail::is_complex_type<T>)
      return eval(x.real()) || eval(x.imag());
    else
      return x == x && x - x != T(0);
  }
};
struct signbit : question<signbit> {
  static constexpr std::string_view name = "signbit";
  template <class T>
  TESSERA_FUNCTION static bool eval(T x) {
    if constexpr (sizeof(T) == 4)
      return std::bit_cast<std::int32_t>(x) < 0;
    else
      return std::bit_cast<std::int64_t>(x) < 0;
  }
};
struct copysign : binary<copysign, accepts::floats> {
  static constexpr std::string_view name = "copysign";
  template <class T>
  TESSERA_FUNCTION static T eval(T x, T y) {
    return std::copysign(x, y);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const above = make<greater_equal>(back, {back.operand(0), number(back.graph(), 0.0)});
    give_by_sign(back, make<not_equal>(back, {above, make<signbit>(back, {back.operand(1)})}));
  }
};

}  // namespace ops

inline constexpr binary_door<ops::bitwise_and> bitwise_and;
inline constexpr binary_door<ops::bitwise_or> bitwise_or;
inline constexpr binary_door<ops::bitwise_xor> bitwise_xor;
inline constexpr unary_door<ops::bitwise_not> bitwise_not;
inline constexpr binary_door<ops::left_shift> left_shift;
inline constexpr binary_door<ops::right_shift> right_shift;
inline constexpr binary_door<ops::shift_right_logical> shift_right_logical;
inline constexpr binary_door<ops::logical_xor> logical_xor;
inline constexpr unary_door<ops::isinf> isinf;
inline constexpr unary_door<ops::signbit> signbit;
inline constexpr binary_door<ops::copysign> copysign;

}  // namespace tessera
