// SPDX-License-Identifier: Apache-2.0
#pragma once
// std::sin(x) of an array: one sentence instead of each std::sin there is. A name with std:: finds nothing but what stands in
// namespace std, so these overloads stand there, which the standard reserves: compilers allow it, and as they take types of
// this library only, no call that compiles without them means something else.

#include <tessera/trace/handle.hpp>

namespace tessera::detail {
template <class X>
concept Value = Handle<X>;
}  // namespace tessera::detail

namespace std {
#define TESSERA_REFUSED_OF_ONE(name)                                                    \
  template <tessera::detail::Value X>                                                   \
  constexpr auto name(X const& x, tessera::site at = std::source_location::current()) { \
    return tessera::detail::refused_as<tessera::written::in_std>(x, at);                \
  }
#define TESSERA_REFUSED_OF_TWO(name)                                                              \
  template <tessera::detail::Value X, class Y>                                                    \
  constexpr auto name(X const& x, Y const&, tessera::site at = std::source_location::current()) { \
    return tessera::detail::refused_as<tessera::written::in_std>(x, at);                          \
  }
TESSERA_REFUSED_OF_ONE(abs)
TESSERA_REFUSED_OF_ONE(exp)
TESSERA_REFUSED_OF_ONE(exp2)
TESSERA_REFUSED_OF_ONE(expm1)
TESSERA_REFUSED_OF_ONE(log)
TESSERA_REFUSED_OF_ONE(log2)
TESSERA_REFUSED_OF_ONE(log10)
TESSERA_REFUSED_OF_ONE(log1p)
TESSERA_REFUSED_OF_ONE(sqrt)
TESSERA_REFUSED_OF_ONE(cbrt)
TESSERA_REFUSED_OF_ONE(sin)
TESSERA_REFUSED_OF_ONE(cos)
TESSERA_REFUSED_OF_ONE(tan)
TESSERA_REFUSED_OF_ONE(asin)
TESSERA_REFUSED_OF_ONE(acos)
TESSERA_REFUSED_OF_ONE(atan)
TESSERA_REFUSED_OF_ONE(sinh)
TESSERA_REFUSED_OF_ONE(cosh)
TESSERA_REFUSED_OF_ONE(tanh)
TESSERA_REFUSED_OF_ONE(asinh)
TESSERA_REFUSED_OF_ONE(acosh)
TESSERA_REFUSED_OF_ONE(atanh)
TESSERA_REFUSED_OF_ONE(erf)
TESSERA_REFUSED_OF_ONE(erfc)
TESSERA_REFUSED_OF_ONE(tgamma)
TESSERA_REFUSED_OF_ONE(lgamma)
TESSERA_REFUSED_OF_ONE(ceil)
TESSERA_REFUSED_OF_ONE(floor)
TESSERA_REFUSED_OF_ONE(trunc)
TESSERA_REFUSED_OF_ONE(round)
TESSERA_REFUSED_OF_ONE(rint)
TESSERA_REFUSED_OF_ONE(isnan)
TESSERA_REFUSED_OF_ONE(isinf)
TESSERA_REFUSED_OF_ONE(isfinite)
TESSERA_REFUSED_OF_ONE(real)
TESSERA_REFUSED_OF_ONE(imag)
TESSERA_REFUSED_OF_ONE(conj)
TESSERA_REFUSED_OF_TWO(pow)
TESSERA_REFUSED_OF_TWO(fmod)
TESSERA_REFUSED_OF_TWO(hypot)
TESSERA_REFUSED_OF_TWO(atan2)
TESSERA_REFUSED_OF_TWO(copysign)
TESSERA_REFUSED_OF_TWO(fmax)
TESSERA_REFUSED_OF_TWO(fmin)
#undef TESSERA_REFUSED_OF_ONE
#undef TESSERA_REFUSED_OF_TWO
}  // namespace std
