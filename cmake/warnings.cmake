# SPDX-License-Identifier: Apache-2.0
# Warnings for our own tests, examples and benchmarks; never part of an interface that users link to.
include_guard(GLOBAL)

# Off but in the presets of tests: another compiler or processor may warn, and stops nobody.
option(TESSERA_WARNINGS_AS_ERRORS "Stop at a warning in our own tests, examples and benchmarks" OFF)
add_library(tessera_warnings INTERFACE)
target_compile_options(tessera_warnings INTERFACE -Wall -Wextra)
if(NOT Kokkos_ENABLE_CUDA)  # nvcc's own intermediate code is not pedantic
  target_compile_options(tessera_warnings INTERFACE -Wpedantic $<$<BOOL:${TESSERA_WARNINGS_AS_ERRORS}>:-Werror>)
endif()
# g++ 12 warns at -O3 of its own std::string, "a" + std::string("b") (GCC bugs 105329, 105651), and of a std::vector that a
# std::function returns.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tessera_warnings INTERFACE
                         "$<$<CONFIG:Release>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds;-Wno-free-nonheap-object>")
endif()
