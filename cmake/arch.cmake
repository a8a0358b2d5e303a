# SPDX-License-Identifier: Apache-2.0
# TESSERA_ARCH: which processor all that links to tessera::tessera or tessera::engine is compiled for. Its options are on
# tessera::tessera, so that a program's files and its engine have the same ones.
#   native                       this machine's processor, as Kokkos_ARCH_NATIVE
#   x86-64-v2, -v3 or -v4        a level of x86-64: SSE4.2; AVX2 and FMA; AVX-512
#   x86-64-v2;x86-64-v4, ...     the first, and kernels of programs for the others as well: chosen when a program starts
#   (empty)                      what CMAKE_CXX_FLAGS say; without -march, x86-64 without a level
# It is native when tessera is the top-level project or Kokkos_ARCH_NATIVE is on, unless CMAKE_CXX_FLAGS name a processor.
# docs/performance.md, Which instructions, says what each is worth.
include_guard(GLOBAL)
include(CheckCXXCompilerFlag)

function(tessera_default_arch result)
  set(${result} "" PARENT_SCOPE)
  if(CMAKE_CROSSCOMPILING OR Kokkos_ENABLE_CUDA OR CMAKE_CXX_FLAGS MATCHES "-m(arch|cpu|avx|sse)")
    return()
  endif()
  if(Kokkos_ARCH_NATIVE OR (PROJECT_NAME STREQUAL "tessera" AND PROJECT_IS_TOP_LEVEL))
    set(${result} native PARENT_SCOPE)
  endif()
endfunction()

# Sets <result> to the compiler's options for one processor.
function(tessera_arch_options arch result)
  set(options -march=${arch})
  if(arch STREQUAL "native" AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|i.86)$")
    set(options -mcpu=native)
  endif()
  string(MAKE_C_IDENTIFIER "TESSERA_TAKES${options}" takes)
  check_cxx_compiler_flag("${options}" ${takes})
  if(NOT ${takes})
    message(FATAL_ERROR "tessera: TESSERA_ARCH is '${arch}', and ${CMAKE_CXX_COMPILER} does not take ${options}. "
                        "Fix: native, x86-64-v2, x86-64-v3, x86-64-v4, or an empty one with -march in CMAKE_CXX_FLAGS.")
  endif()
  # AVX-512 in whole registers: loops were faster so on each processor with it that was met (docs/decisions/019), and g++
  # tunes for half of one.
  check_cxx_compiler_flag(-mprefer-vector-width=512 TESSERA_TAKES_VECTOR_WIDTH)
  if(TESSERA_TAKES_VECTOR_WIDTH)
    list(APPEND options -mprefer-vector-width=512)
  endif()
  # clang 19 says of some processors' own features, which it found for -march=native, that they do not fit each other.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    check_cxx_compiler_flag(-Wno-invalid-feature-combination TESSERA_TAKES_FEATURE_COMBINATION)
    if(TESSERA_TAKES_FEATURE_COMBINATION)
      list(APPEND options -Wno-invalid-feature-combination)
    endif()
  endif()
  set(${result} ${options} PARENT_SCOPE)
endfunction()

# tessera_use_arch(<target>): options and definitions for all who link to it, in this build and not where it is installed.
function(tessera_use_arch target)
  if(NOT DEFINED TESSERA_ARCH)
    tessera_default_arch(default)
    set(TESSERA_ARCH "${default}" CACHE STRING "The processor that programs are compiled for: native, x86-64-v2, -v3, -v4, or several")
  endif()
  if(NOT TESSERA_ARCH OR Kokkos_ENABLE_CUDA)  # with nvcc programs run on the accelerator
    message(STATUS "Tessera's programs: compiled for the processor that CMAKE_CXX_FLAGS name (TESSERA_ARCH is not in use)")
    return()
  endif()
  list(POP_FRONT TESSERA_ARCH first)
  tessera_arch_options(${first} options)
  set(also "")
  foreach(level IN LISTS TESSERA_ARCH)
    if(NOT level MATCHES "^x86-64-(v[34])$" OR first STREQUAL "native")
      message(FATAL_ERROR "tessera: TESSERA_ARCH names '${level}' after '${first}'. Fix: a level, then x86-64-v3, x86-64-v4 or both.")
    endif()
    string(TOUPPER ${CMAKE_MATCH_1} name)
    list(APPEND also TESSERA_KERNELS_FOR_${name})
  endforeach()
  target_compile_options(${target} INTERFACE "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:${options}>>")
  target_compile_definitions(${target} INTERFACE "$<BUILD_INTERFACE:${also}>")
  list(JOIN options " " said)
  list(JOIN TESSERA_ARCH ", " others)
  if(others)
    string(APPEND said ", with kernels for ${others} too")
  endif()
  message(STATUS "Tessera's programs: ${said} (TESSERA_ARCH)")
endfunction()
