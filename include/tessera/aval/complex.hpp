// SPDX-License-Identifier: Apache-2.0
#pragma once
// complex64 and complex128: pairs of floats with arithmetic that also runs on accelerators, laid out as std::complex and
// made from it.

#include <tessera/base/config.hpp>

#include <type_traits>

namespace tessera {

template <class T>
struct complex_number {
  using value_type = T;
  T re{}, im{};

  constexpr complex_number() = default;
  TESSERA_FUNCTION constexpr complex_number(T real, T imaginary = T(0)) : re(real), im(imaginary) {}
  template <class Other>
    requires requires(Other z) { static_cast<T>(z.real()), static_cast<T>(z.imag()); }
  TESSERA_FUNCTION constexpr complex_number(Other const& z)
      : re(static_cast<T>(z.real())), im(static_cast<T>(z.imag())) {}

  TESSERA_FUNCTION constexpr T real() const { return re; }
  TESSERA_FUNCTION constexpr T imag() const { return im; }
  TESSERA_FUNCTION constexpr bool operator==(complex_number const& z) const { return re == z.re && im == z.im; }
  TESSERA_FUNCTION constexpr bool operator!=(complex_number const& z) const { return !(*this == z); }
  TESSERA_FUNCTION constexpr complex_number operator-() const { return {-re, -im}; }
  TESSERA_FUNCTION constexpr complex_number& operator+=(complex_number const& z) { return *this = *this + z; }
  TESSERA_FUNCTION constexpr complex_number& operator-=(complex_number const& z) { return *this = *this - z; }
  TESSERA_FUNCTION constexpr complex_number& operator*=(complex_number const& z) { return *this = *this * z; }
  TESSERA_FUNCTION constexpr complex_number& operator/=(complex_number const& z) { return *this = *this / z; }

  TESSERA_FUNCTION friend constexpr complex_number operator+(complex_number const& x, complex_number const& y) {
    return {x.re + y.re, x.im + y.im};
  }
  TESSERA_FUNCTION friend constexpr complex_number operator-(complex_number const& x, complex_number const& y) {
    return {x.re - y.re, x.im - y.im};
  }
  TESSERA_FUNCTION friend constexpr complex_number operator*(complex_number const& x, complex_number const& y) {
    return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
  }
  // By the larger part of the divisor, so that no square overflows.
  TESSERA_FUNCTION friend constexpr complex_number operator/(complex_number const& x, complex_number const& y) {
    bool const wide = (y.re < 0 ? -y.re : y.re) >= (y.im < 0 ? -y.im : y.im);
    T const ratio = wide ? (y.im == 0 ? y.im : y.im / y.re) : y.re / y.im;
    T const below = wide ? y.re + y.im * ratio : y.re * ratio + y.im;
    return wide ? complex_number{(x.re + x.im * ratio) / below, (x.im - x.re * ratio) / below}
                : complex_number{(x.re * ratio + x.im) / below, (x.im * ratio - x.re) / below};
  }
};

using complex64 = complex_number<float>;
using complex128 = complex_number<double>;

namespace detail {
// Any type that is laid out as two numbers T and says real() and imag(): ours, std::complex, Kokkos::complex.
template <class Z>
concept ComplexLike = requires(Z z) {
  typename Z::value_type;
  static_cast<typename Z::value_type>(z.real());
  static_cast<typename Z::value_type>(z.imag());
}
&&sizeof(Z) == 2 * sizeof(typename Z::value_type) && std::is_trivially_copyable_v<Z>;

template <class T>
inline constexpr bool is_complex_type = false;
template <class T>
inline constexpr bool is_complex_type<complex_number<T>> = true;

// The type of |x|.
template <class T>
struct real_type : std::type_identity<T> {};
template <class T>
struct real_type<complex_number<T>> : std::type_identity<T> {};

template <class T>
TESSERA_FUNCTION constexpr auto real_part(T const& x) {
  if constexpr (is_complex_type<T>)
    return x.re;
  else
    return x;
}

// A complex number of other parts than complex_number<T>: ours, or std::complex.
template <class Z, class T>
concept OtherComplex = ComplexLike<Z> && !std::is_same_v<Z, complex_number<T>>;
template <class Z, class T>
concept ForeignComplex = OtherComplex<Z, T> && !is_complex_type<Z>;
template <class T, class Z>
using wider_complex = complex_number<decltype(T{} + typename Z::value_type{})>;
}  // namespace detail

// Of two precisions: the wider one's, as complex64 and complex128 promote in JAX.
template <class T, detail::OtherComplex<T> Z>
TESSERA_FUNCTION constexpr auto operator+(complex_number<T> const& x, Z const& y) {
  using wide = detail::wider_complex<T, Z>;
  return wide(x) + wide(y);
}
template <class T, detail::ForeignComplex<T> Z>
TESSERA_FUNCTION constexpr auto operator+(Z const& x, complex_number<T> const& y) {
  using wide = detail::wider_complex<T, Z>;
  return wide(x) + wide(y);
}
template <class T, detail::OtherComplex<T> Z>
TESSERA_FUNCTION constexpr auto operator-(complex_number<T> const& x, Z const& y) {
  using wide = detail::wider_complex<T, Z>;
  return wide(x) - wide(y);
}
template <class T, detail::ForeignComplex<T> Z>
TESSERA_FUNCTION constexpr auto operator-(Z const& x, complex_number<T> const& y) {
  using wide = detail::wider_complex<T, Z>;
  return wide(x) - wide(y);
}
template <class T, detail::OtherComplex<T> Z>
TESSERA_FUNCTION constexpr auto operator*(complex_number<T> const& x, Z const& y) {
  using wide = detail::wider_complex<T, Z>;
  return wide(x) * wide(y);
}
template <class T, detail::ForeignComplex<T> Z>
TESSERA_FUNCTION constexpr auto operator*(Z const& x, complex_number<T> const& y) {
  using wide = detail::wider_complex<T, Z>;
  return wide(x) * wide(y);
}
template <class T, detail::OtherComplex<T> Z>
TESSERA_FUNCTION constexpr auto operator/(complex_number<T> const& x, Z const& y) {
  using wide = detail::wider_complex<T, Z>;
  return wide(x) / wide(y);
}
template <class T, detail::ForeignComplex<T> Z>
TESSERA_FUNCTION constexpr auto operator/(Z const& x, complex_number<T> const& y) {
  using wide = detail::wider_complex<T, Z>;
  return wide(x) / wide(y);
}
template <class T, detail::OtherComplex<T> Z>
TESSERA_FUNCTION constexpr bool operator==(complex_number<T> const& x, Z const& y) {
  using wide = detail::wider_complex<T, Z>;
  return wide(x) == wide(y);
}

}  // namespace tessera
