// SPDX-License-Identifier: Apache-2.0
#pragma once
// bitwise_and, bitwise_or, bitwise_xor, bitwise_not of integers and bool; left_shift, right_shift (keeps the sign),
// shift_right_logical of integers: broadcast shape, merged spec. A shift by as many bits as there are, or by a negative
// number, gives 0, right_shift the sign. floor_divide, fmod: the quotient rounded down, the remainder with the
// dividend's sign. logical_xor, isinf, signbit, copysign. No gradient, or 0, but for fmod. Moves 0 bytes.
// bitcast<int32>(x): the same bits in another type of the same width. Source: JAX 0.10.2 jax.numpy, lax.

#include <tessera/op/rounding.hpp>

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
    attributes to;
    to.element = dtype::int32;
    for (term& t : both)
      if (t.facts().element == dtype::boolean) t = b.template make<cast>({t}, to);
    return binary<Op, accepts::integers>::build(b, both, count, attrs);
  }
  template <class T>
  static constexpr T bits = static_cast<T>(sizeof(T) * 8);
};
struct left_shift : shift<left_shift> {
  static constexpr std::string_view name = "left_shift";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    using U = std::make_unsigned_t<T>;
    return y < 0 || y >= bits<T> ? T(0) : static_cast<T>(static_cast<U>(x) << y);
  }
};
struct right_shift : shift<right_shift> {
  static constexpr std::string_view name = "right_shift";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    return static_cast<T>(x >> (y < 0 || y >= bits<T> ? bits<T> - 1 : y));
  }
};
struct shift_right_logical : shift<shift_right_logical> {
  static constexpr std::string_view name = "shift_right_logical";
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x, T y) {
    using U = std::make_unsigned_t<T>;
    return y < 0 || y >= bits<T> ? T(0) : static_cast<T>(static_cast<U>(x) >> y);
  }
};

struct floor_divide : binary<floor_divide> {
  static constexpr std::string_view name = "floor_divide";
  template <class T>
  TESSERA_FUNCTION static T eval(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {  // as Python's //: the quotient of what has no remainder
      T const rest = std::fmod(x, y);
      T q = (x - rest) / y;
      if (rest != 0 && (rest < 0) != (y < 0)) q -= 1;
      T const whole = std::floor(q);
      return y == 0 ? x / y : q - whole > T(0.5) ? whole + 1 : whole;
    } else {
      if (y == 0) return -1;  // as XLA
      T const q = y == -1 ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x)) : static_cast<T>(x / y);
      return y != -1 && x % y != 0 && (x < 0) != (y < 0) ? q - 1 : q;
    }
  }
  template <class B>
  static constexpr void transpose(B&, int) {}
};
struct fmod : binary<fmod> {
  static constexpr std::string_view name = "fmod";
  template <class T>
  TESSERA_FUNCTION static T eval(T x, T y) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmod(x, y);
    else
      return y == 0 ? x : y == -1 ? T(0) : static_cast<T>(x % y);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {  // x - y trunc(x / y)
    back.give(0, back.cotangent());
    if (!back.wants(1)) return;
    term const times = back.template make<trunc>({back.template make<divide>({back.operand(0), back.operand(1)})});
    back.give(1, back.template make<negative>({back.template make<multiply>({back.cotangent(), times})}));
  }
};

struct logical_xor : comparison<logical_xor, accepts::booleans> {
  static constexpr std::string_view name = "logical_xor";
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x, T y) {
    return (x != 0) != (y != 0);
  }
};
template <class Op>
struct question : unary<Op, accepts::floats> {
  static constexpr bool gives_bool = true;
  template <class B>
  static constexpr void transpose(B&, int) {}
};
struct isinf : question<isinf> {
  static constexpr std::string_view name = "isinf";
  template <class T>
  TESSERA_FUNCTION static constexpr bool eval(T x) {
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
    term const x = back.operand(0);
    term const kept =
        back.template make<multiply>({back.template make<sign>({x}), back.template make<sign>({back.result()})});
    back.give(0, back.template make<multiply>({back.cotangent(), kept}));
  }
};

// attrs.element: the type. Registers hold 16-bit types as floats, so that these are cast by what stands beside them.
struct bitcast {
  static constexpr std::string_view name = "bitcast_convert_type";
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 1;
  static constexpr verdict rule(rule_input const& in) {
    array_value out = in[0];
    if (bytes_of(out.element) != bytes_of(in.attrs.element) || bytes_of(out.element) < 4 || is_complex(out.element) ||
        is_complex(in.attrs.element))
      return refuse(reason::element_unsupported);
    if (!out.unreduced.empty()) return refuse(reason::unreduced_operand, -1, out.unreduced);
    out.element = in.attrs.element;
    out.weak = false;
    return accept(out);
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    return x[0].facts().element == attrs.element ? x[0] : b.template emit<bitcast>({x[0]}, attrs);
  }
  template <class R, class T>
  TESSERA_FUNCTION static constexpr R convert(T x) {
    if constexpr (sizeof(R) == sizeof(T))
      return std::bit_cast<R>(x);
    else
      return R{};  // never reached: the rule refuses it
  }
  template <class B>
  static constexpr void transpose(B&, int) {}
  static void block(dtype result, dtype operand, void* out, void const* const* in, std::int64_t count) {
    detail::with_compute_type(operand, [&]<class T>(std::type_identity<T>) {
      detail::with_compute_type(result, [&]<class R>(std::type_identity<R>) {
        for (std::int64_t i = 0; i < count; ++i) static_cast<R*>(out)[i] = convert<R>(static_cast<T const*>(in[0])[i]);
      });
    });
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
inline constexpr binary_door<ops::floor_divide> floor_divide;
inline constexpr binary_door<ops::fmod> fmod;
inline constexpr binary_door<ops::logical_xor> logical_xor;
inline constexpr unary_door<ops::isinf> isinf;
inline constexpr unary_door<ops::signbit> signbit;
inline constexpr binary_door<ops::copysign> copysign;

template <class Element, class X>
constexpr auto bitcast(X const& x, site at = std::source_location::current()) {
  return invoke<ops::bitcast, to_element<Element>>(at, x);
}

}  // namespace tessera
