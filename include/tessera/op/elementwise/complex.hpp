// SPDX-License-Identifier: Apache-2.0
#pragma once
// complex(re, im): two floating arrays -> complex64 or complex128, broadcast as add. real, imag, conj: x -> the same
// shape and spec; a real x is its own real part and conjugate. Move 0 bytes.
// The cotangent of z = x + i y is that of x minus i times that of y, as in JAX.
// Source: JAX 0.10.2 lax.complex, jnp.real, jnp.imag, jnp.conj.

#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/elementwise/cast.hpp>

namespace tessera {
namespace ops {

struct full_like;  // op/create/fill.hpp
struct negative;
struct imag;

struct complex : binary<complex, accepts::floats> {
  static constexpr std::string_view name = "complex";
  static constexpr verdict rule(rule_input const& in) {
    verdict v = binary<complex, accepts::floats>::rule(in);
    v.result.element = complex_of(v.result.element);
    v.result.weak = false;
    return v;
  }
  template <class T>
  TESSERA_FUNCTION static constexpr auto eval(T x, T y) {
    return complex_number<std::conditional_t<std::is_same_v<T, double>, double, float>>(x, y);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
    if (back.wants(1)) back.give(1, -make<imag>(back, {back.cotangent()}));
  }
};

struct real : unary<real, accepts::complex> {
  static constexpr std::string_view name = "real";
  static constexpr bool gives_real = true, linear = true;
  template <class T>
  TESSERA_FUNCTION static constexpr auto eval(T x) {
    return x.real();
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    return is_complex(x[0].facts().element) ? b.template emit<real>({x[0]}) : x[0];
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
  }
};

struct imag : unary<imag, accepts::complex> {
  static constexpr std::string_view name = "imag";
  static constexpr bool gives_real = true, linear = true;
  template <class T>
  TESSERA_FUNCTION static constexpr auto eval(T x) {
    return x.imag();
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    if (is_complex(x[0].facts().element)) return b.template emit<imag>({x[0]});
    return make<full_like>(b, {x[0], number(b, 0.0)});
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    auto const down = -back.cotangent();
    back.give(0, make<complex>(back, {number(back.graph(), 0.0), down}));
  }
};

struct conj : unary<conj, accepts::complex> {
  static constexpr std::string_view name = "conj";
  static constexpr bool linear = true;
  template <class T>
  TESSERA_FUNCTION static constexpr T eval(T x) {
    return {x.real(), -x.imag()};
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const&) {
    return is_complex(x[0].facts().element) ? b.template emit<conj>({x[0]}) : x[0];
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<conj>(back, {back.cotangent()}));
  }
};

}  // namespace ops

inline constexpr binary_door<ops::complex> complex;
inline constexpr unary_door<ops::real> real;
inline constexpr unary_door<ops::imag> imag;
inline constexpr unary_door<ops::conj> conj;

}  // namespace tessera

#include <tessera/op/create/fill.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
