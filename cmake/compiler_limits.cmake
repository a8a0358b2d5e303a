# SPDX-License-Identifier: Apache-2.0
# A program is traced, differentiated and planned by the compiler's constant evaluator, whose default limits are too
# low for that (g++ 262,144 iterations a loop, clang 1,048,576 steps, nvcc about a million).
include_guard(GLOBAL)

set(TESSERA_CONSTEXPR_STEPS 2000000000 CACHE STRING "What one constant evaluation may cost, in the compiler's own unit")
mark_as_advanced(TESSERA_CONSTEXPR_STEPS)
set(TESSERA_CONSTEXPR_FLAGS_GNU -fconstexpr-loop-limit=${TESSERA_CONSTEXPR_STEPS} -fconstexpr-ops-limit=${TESSERA_CONSTEXPR_STEPS})
set(TESSERA_CONSTEXPR_FLAGS_Clang -fconstexpr-steps=${TESSERA_CONSTEXPR_STEPS})

function(tessera_compiler_limits target)
  target_compile_options(${target} INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:${TESSERA_CONSTEXPR_FLAGS_GNU}>
    $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang,IntelLLVM>:${TESSERA_CONSTEXPR_FLAGS_Clang}>
    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:SHELL:-Xcudafe --max_cost_constexpr_call=${TESSERA_CONSTEXPR_STEPS}>")
endfunction()

# Kokkos hands C++ files to nvcc by its wrapper, so that CMake sees CXX and a host compiler there. Without contraction, as
# on a host.
function(tessera_nvcc_options target)
  target_compile_options(${target} INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:-Xcudafe --max_cost_constexpr_call=${TESSERA_CONSTEXPR_STEPS}>"
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--fmad=false> $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--fmad=false>)
  if(NOT Kokkos_ENABLE_CUDA_CONSTEXPR)
    target_compile_options(${target} INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--expt-relaxed-constexpr>)
  endif()
endfunction()
