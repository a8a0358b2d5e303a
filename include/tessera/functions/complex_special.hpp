// SPDX-License-Identifier: Apache-2.0
#pragma once
// Special functions of complex numbers: z -> the same shape and layout.
//   loggamma(z): the logarithm of gamma that is real for z > 0 and continued to the plane cut along the negative numbers; on
//     the cut it is continuous from above. Real z: NaN below 0
//   wofz(z): e^(-z^2) erfc(-i z), Faddeeva's function; complex also of real z
// Elementwise: moves 0 bytes. loggamma: Stirling's series, after steps up; below 1/2 by reflection, whose logarithm of sin is
// taken apart so that it is continuous. wofz: Weideman's rational series (SIAM J. Numer. Anal. 31 (1994) 1497) of 20 or 40
// terms, below the real axis 2 e^(-z^2) - w(-z). Errors are relative to the modulus, of loggamma to 1 + its modulus.
// Source: JAX 0.10.2 jax.scipy.special; DLMF 5.5, 5.11, 7.2.

#include <tessera/functions/special.hpp>
#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/elementwise/complex_math.hpp>

#include <array>

namespace tessera {
namespace detail::bodies {

template <class X>
inline constexpr bool of_complex = is_complex(facts_in_body<X>.element);
template <class X>
inline constexpr bool of_wide_complex = facts_in_body<X>.element == dtype::complex128;

struct loggamma {
  constexpr auto operator()(auto const& given) const {
    auto const z = in_floats(given);
    using Z = std::remove_const_t<decltype(z)>;
    if constexpr (of_complex<Z>)
      return of_plane(z);
    else
      return where(z < 0, not_a_number, gammaln{}(z));
  }

private:
  // Of real parts of 1/2 and more.
  template <class Z>
  static constexpr auto of_right_half(Z const& z) {
    constexpr int steps = of_wide_complex<Z> ? 13 : 7;
    auto sum = 0.0 * z;
    for (int k = 0; k < steps; ++k) sum = sum + log(z + static_cast<double>(k));
    auto const y = z + static_cast<double>(steps);
    auto const r = 1.0 / (y * y);
    auto const series = polynomial(r, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360) / y;
    return (y - 0.5) * log(y) - y + log_of_root_two_pi + series - sum;
  }
  // log sin(pi z), continuous where the imaginary part is not negative.
  static constexpr auto log_sin(auto const& z) {
    auto const x = from_whole(real(z));
    auto const y = imag(z);
    auto const angle = std::numbers::pi * x;
    auto const less = exp(-2.0 * std::numbers::pi * y);
    // 1 - e^(2 pi i z), without a difference of what is nearly 1
    auto const rest =
        log(complex(-expm1(-2.0 * std::numbers::pi * y) + 2.0 * less * square(sin(angle)), -less * sin(2.0 * angle)));
    return complex(std::numbers::pi * y - std::numbers::ln2 + real(rest),
                   std::numbers::pi * (0.5 - real(z)) + imag(rest));
  }
  static constexpr auto of_plane(auto const& given) {
    auto const below = imag(given) < 0;
    auto const z = where(below, conj(given), given);
    auto const turned = real(z) < 0.5;
    auto const right = of_right_half(where(turned, 1.0 - z, z));
    constexpr double log_pi = 1.1447298858494001741;
    auto const left = log_pi - log_sin(where(turned, z, 0.25)) - right;
    auto const value = where(turned, left, right);
    return where(below, conj(value), value);
  }
};

template <int N>
struct weideman;
template <>
struct weideman<20> {
  static constexpr double length = 3.7606030930863934;
  static constexpr std::array<double, 20> of{
      1.9853009774971668,     1.6232081325119645,     1.1520634115639845,      0.7008013310382897,
      0.35704125599214176,    0.14575157593250515,    0.042984283879017225,    0.006026110195026273,
      -0.0017307240967378153, -0.0011928210147636026, -0.0001611300969241895,  9.81458181089201e-05,
      4.1457517212429406e-05, -5.11116944491738e-06,  -6.451117611615168e-06,  -6.512434151052441e-08,
      9.520915116775804e-07,  7.42341599057476e-08,   -1.4871913157632817e-07, -1.4742731218431282e-08};
};
template <>
struct weideman<40> {
  static constexpr double length = 5.3182958969449885;
  static constexpr std::array<double, 40> of{
      2.8996245093897053,      2.61605415276186,        2.201513794878312,       1.7253830848179779,
      1.2563815675765133,      0.8472174576593818,      0.5266528988277086,      0.29989437996150065,
      0.15504263802479495,     0.07182361779074337,     0.029202916471241867,    0.010048186242783424,
      0.0027054056330737914,   0.0004398070159869668,   -3.939363145489569e-05,  -5.591309264248318e-05,
      -1.8007447144750956e-05, -1.0660138984947143e-06, 1.483566113220078e-06,   5.912136951899494e-07,
      1.4198642399935674e-08,  -6.35177348504429e-08,   -1.8315616783040462e-08, 3.2497465180436973e-09,
      3.0177805400090707e-09,  2.1086006347066517e-10,  -3.5632339865976533e-10, -9.055124450928292e-11,
      3.47272670930455e-11,    1.7714495214011192e-11,  -2.7276023158200452e-12, -2.907688342182867e-12,
      1.2031458219387989e-13,  4.5329666782606727e-13,  1.37256205867155e-14,    -7.074086260286855e-14,
      -5.409310282882142e-15,  1.1357687198999241e-14,  1.128073562364402e-15,   -1.899694947394927e-15};
};

struct wofz {
  constexpr auto operator()(auto const& given) const {
    auto const x = in_floats(given);
    using X = std::remove_const_t<decltype(x)>;
    if constexpr (of_complex<X>)
      return of_plane(x);
    else
      return of_plane(complex(x, 0.0 * x));
  }

private:
  template <class Z>
  static constexpr auto of_plane(Z const& given) {
    using rule = weideman<of_wide_complex<Z> ? 40 : 20>;
    constexpr double over_root_pi = 0.56418958354775628695;
    auto const below = imag(given) < 0;
    auto const z = where(below, -given, given);
    auto const turned = complex(-imag(z), real(z));  // i z
    auto const r = 1.0 / (rule::length - turned);
    auto const at = (rule::length + turned) * r;
    auto sum = 0.0 * at;
    for (int k = static_cast<int>(rule::of.size()); k > 0; --k) sum = sum * at + rule::of[k - 1];
    auto const value = (2.0 * sum * r + over_root_pi) * r;
    auto const inside = where(below, given, 0.0);
    return where(below, 2.0 * exp(-inside * inside) - value, value);
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::loggamma> loggamma;
inline constexpr detail::composed_door<detail::bodies::wofz> wofz;

}  // namespace tessera
