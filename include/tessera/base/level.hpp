// SPDX-License-Identifier: Apache-2.0
#pragma once
// Levels of x86-64 that loops of tessera::engine are compiled for besides the one that the compiler's flags name. One is
// chosen when a program first asks, and all its loops are of that one. Same bits: only instructions get wider; a product
// and a sum are fused where the flags say so, at every level. What a loop calls and the compiler does not inline stays
// as the flags have it, so no function of one level can take the place of another's.

#include <tessera/base/config.hpp>

#include <cstdint>

TESSERA_LOOPS_BEGIN
namespace tessera::detail {

enum class level : std::uint8_t { as_compiled, x86_64_v3, x86_64_v4 };

// The highest that this processor has and TESSERA_LEVEL, a variable of the environment, allows: engine/exec/device/levels.hpp.
#ifdef TESSERA_SEPARATE_ENGINE
level running_level();
#else
constexpr level running_level() { return level::as_compiled; }
#endif

// Function, compiled for a level; itself where the flags reach that far or the compiler cannot.
template <auto Function>
struct leveled;
template <class R, class... A, R (*Function)(A...)>
struct leveled<Function> {
#ifdef TESSERA_FOR_V3
  TESSERA_FOR_V3 static R v3(A... a) { return Function(a...); }
#else
  static constexpr auto v3 = Function;
#endif
#ifdef TESSERA_FOR_V4
  TESSERA_FOR_V4 static R v4(A... a) { return Function(a...); }
#else
  static constexpr auto v4 = Function;
#endif
};

template <level L, auto Function>
inline constexpr auto at_level = Function;
template <auto Function>
inline constexpr auto at_level<level::x86_64_v3, Function> = leveled<Function>::v3;
template <auto Function>
inline constexpr auto at_level<level::x86_64_v4, Function> = leveled<Function>::v4;

// The level of a loop over complex numbers. g++ 12 fuses their products with AVX-512, whatever -ffp-contract says.
constexpr level without_v4(level l) { return l < level::x86_64_v4 ? l : level::x86_64_v3; }

// Whether TESSERA_ARCH asks for kernels of programs at a level, above that of the compiler's flags.
constexpr bool kernels_for([[maybe_unused]] level l) {
#if defined(TESSERA_KERNELS_FOR_V3) && defined(TESSERA_FOR_V3)
  if (l == level::x86_64_v3) return true;
#endif
#if defined(TESSERA_KERNELS_FOR_V4) && defined(TESSERA_FOR_V4)
  if (l == level::x86_64_v4) return true;
#endif
  return false;
}

// f(level_constant) of `chosen`, or of the highest below it that is compiled apart.
template <level L>
struct level_constant {
  static constexpr level value = L;
};
template <class F>
constexpr decltype(auto) with_level(level chosen, F&& f) {
#ifdef TESSERA_FOR_V4
  if (chosen == level::x86_64_v4) return f(level_constant<level::x86_64_v4>{});
#endif
#ifdef TESSERA_FOR_V3
  if (chosen >= level::x86_64_v3) return f(level_constant<level::x86_64_v3>{});
#endif
  static_cast<void>(chosen);
  return f(level_constant<level::as_compiled>{});
}

}  // namespace tessera::detail
TESSERA_LOOPS_END
