// SPDX-License-Identifier: Apache-2.0
#pragma once
// Integrals of waves: x -> std::tuple of two of the same shape and layout, float32 or float64; integers become floats.
//   fresnel(x): S and C, the integrals of sin(pi t^2 / 2) and of cos(pi t^2 / 2) from 0 to x
//   sici(x): Si, the integral of sin(t) / t from 0 to x, and Ci, that of -cos(t) / t from |x| to infinity
// Gradients: the integrands. Elementwise: moves 0 bytes. Near 0 Taylor's series; elsewhere sines and cosines times f and g
// (DLMF 7.4, 6.4), which are fitted by Chebyshev series (chebyshev.hpp). The phase pi x^2 / 2 is taken from the fraction
// of x. Error: tests/functions. Source: JAX 0.10.2 jax.scipy.special; DLMF chapters 6 and 7.

#include <tessera/functions/chebyshev.hpp>

namespace tessera {
namespace detail::bodies {

// f and g of x = 4 + 10 (1 + u) / (1 - u) times x and x^2; and of pi x^2 / 2 = 3 + 7 (1 + u) / (1 - u) times pi x, pi^2 x^3.
inline constexpr double sici_f[]{
    0.9750955511968349,     0.037535076173331475,   -0.01596201621885664,    0.003962800987383001,
    -0.0007302593053737661, 0.00011398231809627769, -1.763708024936964e-05,  2.9203175571665003e-06,
    -4.87780836660319e-07,  8.15357480596032e-08,   -1.429885777581218e-08,  2.533231888963094e-09,
    -4.478248622798082e-10, 8.269644877158375e-11,  -1.5222033429929525e-11, 2.7966765131627245e-12,
    -5.398903456215382e-13, 1.0103968550439497e-13, -1.923203567106943e-14,  3.858292523928428e-15,
    -7.131975957516123e-16, 1.4445095602176014e-16, -2.920617711749403e-17};
inline constexpr double sici_g[]{
    0.9354774742800651,     0.09528528155119607,     -0.03729297230496898,   0.00726533461279506,
    -0.0007616924340107893, 2.452741669303489e-05,   2.24964408227214e-06,   -3.399186162854597e-07,
    1.7846812887493148e-07, -4.6769129987543065e-08, 6.734854324165015e-09,  -1.5909062736398312e-09,
    3.4846558077371e-10,    -4.8718807053535766e-11, 1.2305214264200244e-11, -2.4589978909368493e-12,
    3.154789326518427e-13,  -1.0563704277659675e-13, 1.582994203471488e-14,  -2.129204377033308e-15,
    1.0571129101739184e-15, -4.692756753908274e-17,  2.6436358487891e-17};
inline constexpr double fresnel_f[]{
    0.9836536703402149,      0.0242436735700441,     -0.009702017707047228,   0.0020869631332036064,
    -0.0003223235083916715,  4.683913130957398e-05,  -7.974018834949268e-06,  1.3536331550030262e-06,
    -2.1840224616194014e-07, 3.992207218282762e-08,  -7.0872984937176775e-09, 1.1966326192703427e-09,
    -2.382590127588567e-10,  4.1370333694926853e-11, -7.353435260740388e-12,  1.6218713846267744e-12,
    -2.3666414966589976e-13, 5.433982529387775e-14,  -1.1413793670692791e-14, 1.0523844848607334e-15,
    -5.983687675751091e-16,  3.440059620076501e-17};
inline constexpr double fresnel_g[]{
    0.9325912478624862,      0.09727870925803711,     -0.034642782955913554,  0.004991519338866982,
    -0.00020902181060713522, -5.098351571450681e-06,  -4.782360931480371e-06, 6.617357676221075e-08,
    1.225397772005226e-07,   1.90482185902167e-08,    2.4453008768951263e-09, -9.034002364988334e-10,
    -2.3037798981557352e-10, -5.844870608755158e-11,  9.266053394454215e-13,  2.626489855765333e-12,
    1.2121225151563166e-12,  2.318118338638951e-13,   1.4051216161237825e-14, -1.4706899573319242e-14,
    -7.21622080575567e-15,   -2.0765426556074307e-15, -2.990338912786978e-16, 4.880269917980801e-17,
    5.380978086986422e-17,   2.207276072602597e-17};

// The sum of (-y)^k / ((2 k + First)! (Step k + Start)), k from First to Terms.
template <int First, int Step, int Start, int From>
constexpr auto alternating(auto const& y, int terms) {
  auto const coefficient = [](int k) {
    double c = k % 2 == 0 ? 1 : -1;
    for (int i = 2; i <= 2 * k + First; ++i) c /= i;
    return k < From ? 0.0 : c / (Step * k + Start);
  };
  auto sum = 0.0 * y + coefficient(terms);
  for (int k = terms - 1; k >= 0; --k) sum = sum * y + coefficient(k);
  return sum;
}

struct sici_value {
  template <class X>
  constexpr auto operator()(X const& x) const {
    auto const size = abs(x);
    auto const near = size < 4;
    auto const t = where(near, size, 1.0);
    auto const r = square(t);
    constexpr int terms = in_double<X> ? 17 : 11;
    auto const si_near = t * alternating<1, 2, 1, 0>(r, terms);
    auto const ci_near = std::numbers::egamma + log(t) + alternating<0, 2, 0, 1>(r, terms);

    auto const infinite = isinf(x);
    auto const far = where(near, 4.0, where(infinite, 1e30, size));
    auto const u = half_line(far, 4, 10);
    auto const f = chebyshev<sici_f>(u) / far;
    auto const g = chebyshev<sici_g>(u) / far / far;
    auto const sine = sin(far);
    auto const cosine = cos(far);
    auto const si_far = std::numbers::pi / 2 - where(infinite, 0.0, f * cosine + g * sine);
    auto const ci_far = where(infinite, 0.0, f * sine - g * cosine);
    return std::tuple{copysign(where(near, si_near, si_far), x),
                      where(x == -infinity, not_a_number, where(near, ci_near, ci_far))};
  }
};
struct sici {
  constexpr auto operator()(auto const& given) const {
    return custom_jvp(sici_value{}, [](auto const& at, auto const& moved) {
      auto const& x = std::get<0>(at);
      auto const& dx = std::get<0>(moved);
      auto const zero = x == 0;
      auto const slope = where(zero, 1.0, sin(x) / where(zero, 1.0, x));
      return std::tuple{sici_value{}(x), std::tuple{dx * slope, dx * (cos(x) / x)}};
    })(in_floats(given));
  }
};

// pi x^2 / 2 but for whole turns: of x = n + d it is pi (n^2 / 2 + n d + d^2 / 2), and n^2 / 2 is 0 or 1/2 but for 2.
constexpr auto half_square_phase(auto const& given) {
  auto const x = where(isfinite(given), given, 0.0);
  auto const n = rint(x);
  auto const d = x - n;
  auto const product = n * d;
  auto const odd = n != 2.0 * rint(0.5 * n);
  return std::numbers::pi * (product - 2.0 * rint(0.5 * product) + 0.5 * square(d) + where(odd, 0.5, 0.0));
}
struct fresnel_value {
  template <class X>
  constexpr auto operator()(X const& x) const {
    auto const size = abs(x);
    auto const near = size < 1.38;
    auto const t = where(near, size, 1.0);
    auto const z = std::numbers::pi / 2 * square(t);
    auto const r = square(z);
    constexpr int terms = in_double<X> ? 16 : 10;
    auto const s_near = t * z * alternating<1, 4, 3, 0>(r, terms);
    auto const c_near = t * alternating<0, 4, 1, 0>(r, terms);

    auto const far = where(near, 1.5, size);
    auto const u = half_line(std::numbers::pi / 2 * square(minimum(far, 1e15)), 3, 7);
    auto const scale = 1.0 / (std::numbers::pi * far);
    auto const f = scale * chebyshev<fresnel_f>(u);
    auto const g = scale * scale / far * chebyshev<fresnel_g>(u);
    auto const phase = half_square_phase(far);
    auto const sine = sin(phase);
    auto const cosine = cos(phase);
    auto const s_far = 0.5 - f * cosine - g * sine;
    auto const c_far = 0.5 + f * sine - g * cosine;
    return std::tuple{copysign(where(near, s_near, s_far), x), copysign(where(near, c_near, c_far), x)};
  }
};
struct fresnel {
  constexpr auto operator()(auto const& given) const {
    return custom_jvp(fresnel_value{}, [](auto const& at, auto const& moved) {
      auto const& x = std::get<0>(at);
      auto const& dx = std::get<0>(moved);
      auto const phase = half_square_phase(x);
      return std::tuple{fresnel_value{}(x), std::tuple{dx * sin(phase), dx * cos(phase)}};
    })(in_floats(given));
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::fresnel> fresnel;
inline constexpr detail::composed_door<detail::bodies::sici> sici;

}  // namespace tessera
