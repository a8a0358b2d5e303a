# SPDX-License-Identifier: Apache-2.0
# The floors (limits) and the MPI peers, where this machine can build them. compare.py says what is missing.
include_guard(GLOBAL)
include(CheckCXXSourceCompiles)

# OpenBLAS as it names itself, where the one that was found has a prefix.
get_target_property(cblas_facts tessera::cblas INTERFACE_COMPILE_DEFINITIONS)
set(plain_names "")
if(cblas_facts MATCHES "TESSERA_CBLAS_PREFIX=([a-z_]+)")
  foreach(name IN ITEMS cblas_sgemm openblas_set_num_threads openblas_get_corename openblas_get_config)
    list(APPEND plain_names -D${name}=${CMAKE_MATCH_1}${name})
  endforeach()
endif()

set(CMAKE_REQUIRED_FLAGS "-march=native")
set(CMAKE_REQUIRED_DEFINITIONS ${plain_names})
set(CMAKE_REQUIRED_LIBRARIES tessera::cblas)
check_cxx_source_compiles("
  #if !defined(__AVX2__) || !defined(__FMA__)
  #error no 256-bit fused multiply-add
  #endif
  extern \"C\" void openblas_set_num_threads(int);
  int main() { openblas_set_num_threads(1); }" TESSERA_CAN_BUILD_LIMITS)
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_REQUIRED_DEFINITIONS)
unset(CMAKE_REQUIRED_LIBRARIES)

if(TESSERA_CAN_BUILD_LIMITS)
  find_package(Threads REQUIRED)
  add_executable(limits ${CMAKE_CURRENT_LIST_DIR}/limits.cpp)
  target_compile_features(limits PRIVATE cxx_std_20)
  target_compile_options(limits PRIVATE -O3 -march=native -ffast-math -Wall -Wextra -Wno-uninitialized ${plain_names})
  target_link_libraries(limits PRIVATE tessera::cblas Threads::Threads)
  if(NOT Kokkos_ENABLE_CUDA)
    target_compile_definitions(limits PRIVATE WITH_KOKKOS)
    target_link_libraries(limits PRIVATE Kokkos::kokkos)
  endif()
  add_dependencies(benchmarks limits)
endif()

# Both MPIs may be installed, so each is built by its own compiler wrapper.
foreach(mpi IN ITEMS openmpi mpich)
  find_program(TESSERA_MPICXX_${mpi} mpicxx.${mpi})
  mark_as_advanced(TESSERA_MPICXX_${mpi})
  if(TESSERA_MPICXX_${mpi})
    set(program ${CMAKE_CURRENT_BINARY_DIR}/mpi_bench.${mpi})
    add_custom_command(OUTPUT ${program} DEPENDS ${CMAKE_CURRENT_LIST_DIR}/mpi_bench.cpp VERBATIM
      COMMAND ${TESSERA_MPICXX_${mpi}} -std=c++20 -O3 -march=native -ffast-math -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX
              ${CMAKE_CURRENT_LIST_DIR}/mpi_bench.cpp -o ${program})
    add_custom_target(mpi_bench_${mpi} ALL DEPENDS ${program})
    add_dependencies(benchmarks mpi_bench_${mpi})
  endif()
endforeach()
if(TESSERA_MPICXX_mpich)  # lets more ranks than cores make progress
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/yield_shim.cpp "extern \"C\" {\n#include \"${CMAKE_CURRENT_LIST_DIR}/yield_shim.c\"\n}\n")
  add_library(yield_shim MODULE ${CMAKE_CURRENT_BINARY_DIR}/yield_shim.cpp)
  set_target_properties(yield_shim PROPERTIES PREFIX "" OUTPUT_NAME yield_shim)
  target_link_libraries(yield_shim PRIVATE ${CMAKE_DL_LIBS})
  add_dependencies(benchmarks yield_shim)
endif()
