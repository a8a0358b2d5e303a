// SPDX-License-Identifier: Apache-2.0
#pragma once
// The levels of x86-64 by name; those that the processor has and the environment allows.

#include <tessera/base/level.hpp>
#include <tessera/base/settings.hpp>

#include <string_view>

namespace tessera::detail {

inline constexpr std::string_view level_names[]{"as compiled", "x86-64-v3", "x86-64-v4"};

inline level processor_level() {
#ifdef TESSERA_V3_INSTRUCTIONS
  __builtin_cpu_init();
  bool const v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return level::x86_64_v4;
  if (v3) return level::x86_64_v3;
#endif
  return level::as_compiled;
}
// The level that TESSERA_LEVEL allows; the highest if it is not set.
inline level level_from_environment() {
  constexpr level levels[]{level::as_compiled, level::x86_64_v3, level::x86_64_v4};
  return levels[level_setting()];
}

}  // namespace tessera::detail
