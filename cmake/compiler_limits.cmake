# SPDX-License-Identifier: Apache-2.0
# A program is traced, differentiated and planned by the compiler's constant evaluator, whose default limits are too
# low for that (g++ 262,144 iterations a loop, clang 1,048,576 steps, nvcc about a million). The loop over a kernel's instructions
# is a fold expression, of which clang takes 256 operands.
include_guard(GLOBAL)

set(TESSERA_CONSTEXPR_STEPS 2000000000 CACHE STRING "What one constant evaluation may cost, in the compiler's own unit")
mark_as_advanced(TESSERA_CONSTEXPR_STEPS)
set(TESSERA_CONSTEXPR_FLAGS_GNU -fconstexpr-loop-limit=${TESSERA_CONSTEXPR_STEPS} -fconstexpr-ops-limit=${TESSERA_CONSTEXPR_STEPS})
set(TESSERA_CONSTEXPR_FLAGS_Clang -fconstexpr-steps=${TESSERA_CONSTEXPR_STEPS} -fbracket-depth=4096)

# g++ collects garbage from 128 MiB on, which costs a program of Tessera 7 to 26 % of its compile time: each large
# constant then walks the list of the freed pages. So it collects only from a part of the memory that a core has.
function(tessera_compiler_heap result)
  cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)  # MiB
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  if(EXISTS /sys/fs/cgroup/memory.max)  # a container's share
    file(READ /sys/fs/cgroup/memory.max share)
    if(share MATCHES "^[0-9]+")
      math(EXPR share "${CMAKE_MATCH_0} / 1048576")
      if(share LESS memory)
        set(memory ${share})
      endif()
    endif()
  endif()
  math(EXPR heap "${memory} * 2 / (5 * ${cores})")
  if(heap GREATER 6144)
    set(heap 6144)
  elseif(heap LESS 512)
    set(heap 0)
  endif()
  set(${result} ${heap} PARENT_SCOPE)
endfunction()
tessera_compiler_heap(heap)
set(TESSERA_COMPILER_HEAP ${heap} CACHE STRING "MiB from which g++ collects garbage while it compiles; 0 leaves it to g++")
mark_as_advanced(TESSERA_COMPILER_HEAP)
if(TESSERA_COMPILER_HEAP AND NOT Kokkos_ENABLE_CUDA)  # nvcc's wrapper does not hand it on
  math(EXPR heap "${TESSERA_COMPILER_HEAP} * 1024")
  list(APPEND TESSERA_CONSTEXPR_FLAGS_GNU --param=ggc-min-heapsize=${heap})
endif()

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
