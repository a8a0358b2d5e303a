# SPDX-License-Identifier: Apache-2.0
# tests/checkpoint/faults_program.cpp, linked before the C library to one that lets its calls fail, end or stop the process.
include_guard(GLOBAL)

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR Kokkos_ENABLE_CUDA)
  return()
endif()

add_library(test_faults SHARED ${tests}/support/faults.cpp)
target_include_directories(test_faults PRIVATE ${tests})
target_link_libraries(test_faults PRIVATE tessera_warnings ${CMAKE_DL_LIBS})
target_compile_features(test_faults PRIVATE cxx_std_20)

add_executable(faults_program ${tests}/checkpoint/faults_program.cpp)
tessera_use_test_kind(faults_program run)
target_link_libraries(faults_program PRIVATE test_faults test_main $<TARGET_NAME_IF_EXISTS:tessera_mpi_library>)
target_sources(faults_program PRIVATE $<TARGET_OBJECTS:test_main>)
add_test(NAME checkpoint.faults COMMAND faults_program)
tessera_run_test(checkpoint.faults checkpoint 900)  # 10 s, under sanitizers minutes
set_tests_properties(checkpoint.faults PROPERTIES PROCESSORS 2)
if(TESSERA_NIGHTLY)
  set_tests_properties(checkpoint.faults PROPERTIES TIMEOUT 3600)
endif()
