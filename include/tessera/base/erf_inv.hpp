// SPDX-License-Identifier: Apache-2.0
#pragma once
// The inverse of erf: of float as straight-line code, like base/math.hpp. The polynomials are Giles' (Approximating the
// erfinv function, 2010), which are XLA's, too; with |x| = 1 it is infinite, beyond that NaN.

#include <tessera/base/float_parts.hpp>
#include <tessera/base/math.hpp>

namespace tessera::math {
namespace detail {

// ((c0 w + c1) w + c2) w + ...
template <class T, class... C>
TESSERA_FUNCTION inline T horner(T w, T c0, C... c) {
  T p = c0;
  if constexpr (std::is_same_v<T, float>)
    ((p = multiply_add(p, w, static_cast<T>(c))), ...);
  else
    ((p = p * w + static_cast<T>(c)), ...);
  return p;
}

TESSERA_FUNCTION inline float erf_inv(float x) {
  float const w = -log(1.0f - x * x);
  float const near = horner(w - 2.5f, 2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f, -4.39150654e-06f,
                            0.00021858087f, -0.00125372503f, -0.00417768164f, 0.246640727f, 1.50140941f);
  float const far = horner(std::sqrt(w) - 3.0f, -0.000200214257f, 0.000100950558f, 0.00134934322f, -0.00367342844f,
                           0.00573950773f, -0.0076224613f, 0.00943887047f, 1.00167406f, 2.83297682f);
  float const size = select(w < 5.0f, near, far);
  return x * select(size_of(x) == 1.0f, std::numeric_limits<float>::infinity(), size);
}

TESSERA_FUNCTION inline double erf_inv(double x) {
  double const w = -std::log1p(-x * x);
  if (std::fabs(x) == 1.0) return x * std::numeric_limits<double>::infinity();
  if (w < 6.25)
    return x * horner(w - 3.125, -3.6444120640178196996e-21, -1.685059138182016589e-19, 1.2858480715256400167e-18,
                      1.115787767802518096e-17, -1.333171662854620906e-16, 2.0972767875968561637e-17,
                      6.6376381343583238325e-15, -4.0545662729752068639e-14, -8.1519341976054721522e-14,
                      2.6335093153082322977e-12, -1.2975133253453532498e-11, -5.4154120542946279317e-11,
                      1.051212273321532285e-09, -4.1126339803469836976e-09, -2.9070369957882005086e-08,
                      4.2347877827932403518e-07, -1.3654692000834678645e-06, -1.3882523362786468719e-05,
                      0.0001867342080340571352, -0.00074070253416626697512, -0.0060336708714301490533,
                      0.24015818242558961693, 1.6536545626831027356);
  if (w < 16.0)
    return x * horner(std::sqrt(w) - 3.25, 2.2137376921775787049e-09, 9.0756561938885390979e-08,
                      -2.7517406297064545428e-07, 1.8239629214389227755e-08, 1.5027403968909827627e-06,
                      -4.013867526981545969e-06, 2.9234449089955446044e-06, 1.2475304481671778723e-05,
                      -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05,
                      -0.0003550375203628474796, 0.00095328937973738049703, -0.0016882755560235047313,
                      0.0024914420961108508066, -0.0037512085075692412107, 0.005370914553590063617,
                      1.0052589676941592334, 3.0838856104922207635);
  return x * horner(std::sqrt(w) - 5.0, -2.7109920616438573243e-11, -2.5556418169965252055e-10,
                    1.5076572693500548083e-09, -3.7894654401267369937e-09, 7.6157012080783393804e-09,
                    -1.4960026627149240478e-08, 2.9147953450901080826e-08, -6.7711997758452339498e-08,
                    2.2900482228026654717e-07, -9.9298272942317002539e-07, 4.5260625972231537039e-06,
                    -1.9681778105531670567e-05, 7.5995277030017761139e-05, -0.00021503011930044477347,
                    -0.00013871931833623122026, 1.0103004648645343977, 4.8499064014085844221);
}

}  // namespace detail

// What x is the erf of.
template <class T>
TESSERA_FUNCTION inline T erf_inv(T x) {
  return detail::erf_inv(x);
}

}  // namespace tessera::math
