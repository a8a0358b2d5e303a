// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bessel functions: x -> the same shape and layout, float32 or float64; integers become floats.
//   i0(x), i1(x): modified, of the first kind, orders 0 and 1   i0e(x), i1e(x): times exp(-|x|)
//   bessel_i0e(x), bessel_i1e(x): other names   kaiser<N>(beta): a window of signals, (N)
// Gradients: i0' = i1, i1' = i0 - i1 / x, and those with the factor; 0.5 for i1 and i1e at 0. Elementwise: moves 0 bytes.
// Fits of Chebyshev series (chebyshev.hpp) on both sides of 8. Error: tests/functions.
// Source: JAX 0.10.2 jax.scipy.special, jax.lax, jnp.kaiser; DLMF 10.25, 10.29. Differs: i0 and i1 are infinite where their
// value is above the largest number, not where exp(x) is, and at infinity.

#include <tessera/functions/chebyshev.hpp>
#include <tessera/op/create/fill.hpp>
#include <tessera/op/create/iota.hpp>

namespace tessera {
namespace detail::bodies {

// exp(-x) I0(x) and exp(-x) I1(x) / x of x = 4 (u + 1), and both times sqrt(x) of x = 16 / (u + 1), without / x.
inline constexpr double i0e_near[]{
    0.33839763720473803,    -0.3046826723431984,     0.17162090152220877,    -0.09490109704804764,
    0.04930528423967071,    -0.02373741480589947,    0.010546460394594998,   -0.004324309995050576,
    0.0016394756169413357,  -0.0005763755745385824,  0.00018850288509584165, -5.754195010082104e-05,
    1.6448448070728896e-05, -4.4167383584587505e-06, 1.1173875391201037e-06, -2.670793853940612e-07,
    6.046995022541919e-08,  -1.300025009986248e-08,  2.6598237246823866e-09, -5.189795601635263e-10,
    9.675809035373237e-11,  -1.726826291441556e-11,  2.95505266312964e-12,   -4.856446783111929e-13,
    7.676185498604936e-14,  -1.1685332877993451e-14, 1.715391285555133e-15,  -2.431279846547955e-16,
    3.3307945188222384e-17};
inline constexpr double i0e_far[]{
    0.4022452055070544,      0.0033691164782556943,   6.889758346916825e-05,   2.8913705208347567e-06,
    2.0489185894690638e-07,  2.266668990498178e-08,   3.3962320257083865e-09,  4.94060238822497e-10,
    1.1889147107846439e-11,  -3.1499165279632416e-11, -1.3215811840447713e-11, -1.7941785315068062e-12,
    7.180124451383666e-13,   3.8527783827421426e-13,  1.54008621752141e-14,    -4.150569347287222e-14,
    -9.554846698828307e-15,  3.8116806693526224e-15,  1.7725601330565263e-15,  -3.425485619677219e-16,
    -2.8276239805165836e-16, 3.461222867697461e-17,   4.46562142029676e-17,    -4.830504485944182e-18,
    -7.233180487874754e-18};
inline constexpr double i1e_near[]{
    0.12629359322181682,    -0.17641651835783406,    0.1026436586898471,     -0.05294598120809499,
    0.024726449030626516,   -0.010564084894626197,   0.004156422944312888,   -0.0015135724506312532,
    0.0005122859561685758,  -0.00016176081582589674, 4.781565107550054e-05,  -1.3273163656039436e-05,
    3.4702513081376785e-06, -8.568720264695455e-07,  2.0032947535521353e-07, -4.445059128796328e-08,
    9.381537386495773e-09,  -1.8872497517228294e-09, 3.625590281552117e-10,  -6.663489723502027e-11,
    1.1736186298890901e-11, -1.9839743977649436e-12, 3.223793365945575e-13,  -5.042185504727912e-14,
    7.600684294735408e-15,  -1.1055969477353862e-15, 1.5536319577362005e-16, -2.111421214358166e-17,
    2.7779141127610464e-18};
inline constexpr double i1e_far[]{
    0.38928811750914005,     -0.009761097491361469,   -0.00011058893876262371, -3.882564808877691e-06,
    -2.512236237870209e-07,  -2.6314688468895196e-08, -3.835380385964237e-09,  -5.589743462196584e-10,
    -1.8974958123505413e-11, 3.2526035830154884e-11,  1.4125807436613782e-11,  2.0356285441470896e-12,
    -7.198551776245908e-13,  -4.0835511110921974e-13, -2.1015418427726643e-14, 4.272440016711951e-14,
    1.0420276984128802e-14,  -3.8144030724370075e-15, -1.8803547755107825e-15, 3.3082023109209285e-16,
    2.96262899764595e-16,    -3.209525921993424e-17,  -4.6503053684893586e-17, 4.414348323071708e-18,
    7.517296310842105e-18};

// Of size = |x|.
template <auto const& Near, auto const& Far, class X>
constexpr auto on_both_sides(X const& size, auto const& factor) {
  auto const near = size <= 8.0;
  auto const far = where(near, 8.0, size);
  return where(near, factor * chebyshev<Near>(where(near, size, 8.0) / 4.0 - 1.0),
               chebyshev<Far>(16.0 / far - 1.0) / sqrt(far));
}
struct i0e_value {
  constexpr auto operator()(auto const& x) const { return on_both_sides<i0e_near, i0e_far>(abs(x), 1.0); }
};
struct i1e_value {
  constexpr auto operator()(auto const& x) const {
    return copysign(on_both_sides<i1e_near, i1e_far>(abs(x), abs(x)), x);
  }
};
// Twice exp(|x| / 2): exp(|x|) would be infinite first.
template <class Scaled>
struct times_exp {
  constexpr auto operator()(auto const& x) const {
    auto const scaled = Scaled{}(x);
    auto const root = exp(0.5 * abs(x));
    return where(isinf(x), copysign(infinity, scaled), scaled * root * root);
  }
};

struct i0e_slope {
  template <class X>
  constexpr auto operator()(X const& x) const;
};
struct i1e_slope {
  template <class X>
  constexpr auto operator()(X const& x) const;
};
struct i0_slope {
  template <class X>
  constexpr auto operator()(X const& x) const;
};
struct i1_slope {
  template <class X>
  constexpr auto operator()(X const& x) const;
};
struct i0e : with_slope<i0e_value, i0e_slope> {};
struct i1e : with_slope<i1e_value, i1e_slope> {};
struct i0 : with_slope<times_exp<i0e_value>, i0_slope> {};
struct i1 : with_slope<times_exp<i1e_value>, i1_slope> {};

// i1(x) / x, or i1e(x) / x: 0.5 at 0.
constexpr auto over_argument(auto const& value, auto const& x) {
  auto const zero = abs(x) < 1e-30;
  return where(zero, 0.5, value / where(zero, 1.0, x));
}
template <class X>
constexpr auto i0e_slope::operator()(X const& x) const {
  return i1e{}(x)-sign(x) * i0e{}(x);
}
template <class X>
constexpr auto i1e_slope::operator()(X const& x) const {
  auto const value = i1e{}(x);
  return i0e{}(x)-sign(x) * value - over_argument(value, x);
}
template <class X>
constexpr auto i0_slope::operator()(X const& x) const {
  return i1{}(x);
}
template <class X>
constexpr auto i1_slope::operator()(X const& x) const {
  return i0{}(x)-over_argument(i1{}(x), x);
}

template <std::int64_t N>
struct kaiser {
  constexpr auto operator()(auto const& beta) const {
    if constexpr (N == 1) {
      return 0.0 * beta + ones<float, 1>();
    } else {
      auto const place = (stop_gradient(0.0 * beta) + arange<float, N>()) * (2.0 / (N - 1)) - 1.0;
      return i0{}(beta * sqrt(1.0 - square(place))) / i0{}(beta);
    }
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::i0> i0;
inline constexpr detail::composed_door<detail::bodies::i0e> i0e;
inline constexpr detail::composed_door<detail::bodies::i0e> bessel_i0e;
inline constexpr detail::composed_door<detail::bodies::i1> i1;
inline constexpr detail::composed_door<detail::bodies::i1e> i1e;
inline constexpr detail::composed_door<detail::bodies::i1e> bessel_i1e;

namespace functions {

template <std::int64_t N, class B>
constexpr auto kaiser(B const& beta, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::kaiser<N>>(at, beta);
}

}  // namespace functions
}  // namespace tessera
