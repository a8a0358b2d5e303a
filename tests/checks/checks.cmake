# SPDX-License-Identifier: Apache-2.0
# The checks that are not programs of ours, each a ctest test: scripts over the sources, headers that stand alone, misuses
# that must not compile, snippets of the docs, the installed package.
include_guard(GLOBAL)

set(checks ${PROJECT_SOURCE_DIR}/tests/checks)
foreach(name IN ITEMS format layers headers one_meaning errors_listed ops_tested rules_checked readme_commands reference engine_ops pages jax_names settings spelling sentences meshes_refused)
  add_test(NAME check.${name} COMMAND ${Python3_EXECUTABLE} ${checks}/${name}.py)
  set_tests_properties(check.${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 120)
endforeach()

# Each header compiles by itself, with no more than its target links to: headers_alone.py. Those of channels and the umbrella
# without tessera::engine, which link to something else, are targets.
set(verified "")
foreach(model IN LISTS TESSERA_MODELS)
  if(TARGET tessera_${model})
    list(APPEND verified tessera_${model})
  endif()
endforeach()
if(verified)
  set_target_properties(${verified} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endif()
set(umbrellas tessera.hpp)
if(TESSERA_NIGHTLY)
  set(umbrellas ${TESSERA_UMBRELLAS_run})
endif()
set(sources "")
foreach(umbrella IN LISTS umbrellas)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers_without_engine/${umbrella}.cpp CONTENT "#include <tessera/${umbrella}>\n")
  list(APPEND sources ${PROJECT_BINARY_DIR}/headers_without_engine/${umbrella}.cpp)
endforeach()
add_library(headers_without_engine OBJECT EXCLUDE_FROM_ALL ${sources})
target_link_libraries(headers_without_engine PRIVATE tessera::tessera)
# Once more with what each channel brings, behind the macros of other headers.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers_with_channels/tessera.hpp.cpp
  CONTENT "#include <macros.hpp>\n#include <tessera/tessera.hpp>\n")
add_library(headers_with_channels OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/headers_with_channels/tessera.hpp.cpp)
target_link_libraries(headers_with_channels PRIVATE tessera::tessera $<TARGET_NAME_IF_EXISTS:tessera::mpi>
                      $<TARGET_NAME_IF_EXISTS:tessera::nccl>)
target_include_directories(headers_with_channels PRIVATE ${checks})
foreach(target IN ITEMS headers_without_engine headers_with_channels)
  target_compile_options(${target} PRIVATE -O0)
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER ${checks}/parse_only.sh)
endforeach()

set(keep_going -k)
if(CMAKE_GENERATOR MATCHES "Ninja")
  set(keep_going -k 0)
endif()
set(targets headers_without_engine headers_with_channels)
if(verified)
  list(APPEND targets all_verify_interface_header_sets)
endif()
add_test(NAME check.umbrellas_stand_alone
  COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --parallel 2 --target ${targets} -- ${keep_going})
set_tests_properties(check.umbrellas_stand_alone PROPERTIES RESOURCE_LOCK build_tree LABELS check COST 100 TIMEOUT 600)

# tessera_probe(<kind>): compile_commands.json gets its flags, for the scripts that run a compiler themselves.
function(tessera_probe kind)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/probe_${kind}.cpp CONTENT "")
  add_library(tessera_probe_${kind} OBJECT ${PROJECT_BINARY_DIR}/probe_${kind}.cpp)
  tessera_use_test_kind(tessera_probe_${kind} ${kind})
endfunction()

# tessera_misuse_tests(<compiler> <program> <family>): error messages are part of the library. Each misuse must not compile;
# docs/errors.md shows what the compiler has then printed. By day at most three misuses of a file, and only g++ tries
# the source without its misuse.
function(tessera_misuse_tests compiler program family)
  set(some "")
  if(TESSERA_BY_DAY)
    set(some 3)
    if(family STREQUAL "clang")
      list(APPEND some --control=no)
    endif()
  endif()
  foreach(kind IN ITEMS types run)
    set(probe ${kind})
    if(NOT TARGET tessera_probe_${kind})
      set(probe run)
    endif()
    foreach(source IN LISTS misuse_${kind})
      cmake_path(GET source STEM name)
      string(REGEX REPLACE "_misuse$" "" name ${name})
      add_test(NAME misuse.${name}.${compiler}
               COMMAND ${Python3_EXECUTABLE} ${checks}/misuse.py ${PROJECT_BINARY_DIR} probe_${probe}.cpp ${program} ${source} ${some})
      set_tests_properties(misuse.${name}.${compiler} PROPERTIES
        SKIP_RETURN_CODE 77 LABELS misuse TIMEOUT 1200 FIXTURES_SETUP misuse_${compiler})
    endforeach()
  endforeach()
  add_test(NAME check.errors_page.${compiler}
           COMMAND ${Python3_EXECUTABLE} ${checks}/errors_page.py ${PROJECT_BINARY_DIR} ${family})
  set_tests_properties(check.errors_page.${compiler} PROPERTIES
    SKIP_RETURN_CODE 77 LABELS misuse TIMEOUT 60 FIXTURES_REQUIRED misuse_${compiler})
endfunction()

if(Kokkos_ENABLE_CUDA)
  tessera_probe(run)
  if(Kokkos_NVCC_WRAPPER)
    tessera_misuse_tests(nvcc ${Kokkos_NVCC_WRAPPER} nvcc)
  else()
    tessera_misuse_tests(nvcc ${CMAKE_CXX_COMPILER} nvcc)
  endif()
  message(STATUS "nvcc: snippet and compile-time checks are left to the presets with a host compiler")
  return()
endif()

tessera_probe(types)
tessera_probe(run)

set(headers "")
foreach(kind IN ITEMS types run)
  string(TOUPPER ${kind} name)
  foreach(header IN LISTS TESSERA_${name}_HEADERS)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/include)
    string(APPEND headers "${kind} ${header}\n")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers.txt CONTENT "${headers}")
set(each "")
if(TESSERA_NIGHTLY)
  set(each --each)
elseif(TESSERA_BY_DAY)
  set(each --half)
endif()
add_test(NAME check.headers_stand_alone
         COMMAND ${Python3_EXECUTABLE} ${checks}/headers_alone.py ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/headers.txt
                 ${each})
set_tests_properties(check.headers_stand_alone PROPERTIES PROCESSORS 2 LABELS check COST 1000 TIMEOUT 1800)

# A program of ours, whose link scripts repeat.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/probe_program.cpp CONTENT "int main() {}\n")
add_executable(tessera_probe_program ${PROJECT_BINARY_DIR}/probe_program.cpp)
target_link_libraries(tessera_probe_program PRIVATE tessera::engine)

# Both families of compilers are asked, where there.
foreach(compiler IN ITEMS g++ clang++-19)
  find_program(TESSERA_HAS_${compiler} ${compiler})
  mark_as_advanced(TESSERA_HAS_${compiler})
  if(NOT TESSERA_HAS_${compiler})
    message(STATUS "No ${compiler}: the tests of its error messages and counts will be shown as skipped")
  endif()
endforeach()
tessera_misuse_tests(g++ g++ g++)
tessera_misuse_tests(clang++-19 clang++-19 clang)
foreach(compiler IN ITEMS g++ clang++-19)
  add_test(NAME check.old_compilers.${compiler}
           COMMAND ${Python3_EXECUTABLE} ${checks}/old_compilers.py ${PROJECT_BINARY_DIR} ${compiler})
  set_tests_properties(check.old_compilers.${compiler} PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 60)
endforeach()

add_test(NAME check.snippets
         COMMAND ${Python3_EXECUTABLE} ${checks}/snippets.py ${PROJECT_BINARY_DIR} probe_run.cpp tessera_probe_program)
tessera_run_test(check.snippets check 900)
set_tests_properties(check.snippets PROPERTIES COST 500)

add_test(NAME check.own_functions COMMAND ${Python3_EXECUTABLE} ${checks}/own_functions.py ${PROJECT_BINARY_DIR})
set_tests_properties(check.own_functions PROPERTIES LABELS check TIMEOUT 300)

add_test(NAME check.weak_kernels COMMAND ${Python3_EXECUTABLE} ${checks}/weak_kernels.py ${PROJECT_BINARY_DIR})
set_tests_properties(check.weak_kernels PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 120)

add_test(NAME check.whole_loops COMMAND ${Python3_EXECUTABLE} ${checks}/whole_loops.py ${PROJECT_BINARY_DIR})
set_tests_properties(check.whole_loops PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 300)
if(TESSERA_NIGHTLY)
  add_test(NAME check.whole_loops_clang
           COMMAND ${Python3_EXECUTABLE} ${checks}/whole_loops.py ${PROJECT_BINARY_DIR} clang++-19)
  set_tests_properties(check.whole_loops_clang PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 300)
endif()

# Without a warning at -O3, for two kinds of vectors. At night more is compiled so than what has warned before, a test for each
# file.
add_test(NAME check.silent COMMAND ${Python3_EXECUTABLE} ${checks}/silent.py ${PROJECT_BINARY_DIR})
set_tests_properties(check.silent PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 600)
if(TESSERA_NIGHTLY)
  file(GLOB sources ${PROJECT_SOURCE_DIR}/benchmarks/*_benchmark.cpp ${tests}/op/*/*_test.cpp ${tests}/exec/*_test.cpp)
  foreach(source IN LISTS sources ITEMS engine)
    string(REGEX REPLACE "^${PROJECT_SOURCE_DIR}/|\\.cpp$" "" name ${source})
    string(REPLACE "/" "_" name ${name})
    add_test(NAME check.silent.${name} COMMAND ${Python3_EXECUTABLE} ${checks}/silent.py ${PROJECT_BINARY_DIR} ${source})
    set_tests_properties(check.silent.${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 1800)
  endforeach()
endif()
add_test(NAME check.silent_clang
         COMMAND ${Python3_EXECUTABLE} ${checks}/silent.py ${PROJECT_BINARY_DIR} --by clang++-19 engine)
set_tests_properties(check.silent_clang PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 300)
if(TESSERA_NIGHTLY)  # what clang takes otherwise than g++: captured structured bindings, long fold expressions
  file(GLOB sources ${PROJECT_SOURCE_DIR}/examples/beside_jax/*.cpp)
  add_test(NAME check.silent_clang.examples
           COMMAND ${Python3_EXECUTABLE} ${checks}/silent.py ${PROJECT_BINARY_DIR} --by clang++-19 ${sources}
                   ${tests}/op/shape/many_parts_test.cpp)
  set_tests_properties(check.silent_clang.examples PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 3600)
endif()

# With nvcc, where it is and the preset `cuda` has built its Kokkos: one file for each kind of code. At night all of them.
add_test(NAME check.cuda_compiles
         COMMAND ${Python3_EXECUTABLE} ${checks}/cuda_compiles.py ${PROJECT_BINARY_DIR} ${TESSERA_DEPENDENCY_CACHE})
set_tests_properties(check.cuda_compiles PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 900 COST 400)

# With tessera::engine a user's file reads neither Kokkos nor what else only the engine needs.
add_test(NAME check.user_headers COMMAND ${Python3_EXECUTABLE} ${checks}/user_headers.py ${PROJECT_BINARY_DIR})
set_tests_properties(check.user_headers PROPERTIES LABELS check TIMEOUT 120)

# What is only needed while compiling is not in the files that this made.
add_test(NAME check.room_in_objects COMMAND ${Python3_EXECUTABLE} ${checks}/room_in_objects.py ${PROJECT_BINARY_DIR})
set_tests_properties(check.room_in_objects PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 120)

# What compiling costs; counts.json has what it cost before. Counts are the same on each machine; times are measured at night.
set(modes counts)
if(TESSERA_NIGHTLY)
  list(APPEND modes times)
endif()
foreach(mode IN LISTS modes)
  add_test(NAME check.compile_${mode}
           COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/benchmarks/compile_time/compare.py ${PROJECT_BINARY_DIR} ${mode})
  set_tests_properties(check.compile_${mode} PROPERTIES SKIP_RETURN_CODE 77 LABELS check TIMEOUT 900)
endforeach()
if(TESSERA_NIGHTLY)  # with the files of the corpus that take longest; alone, since other jobs would be in the times
  set_tests_properties(check.compile_times PROPERTIES RUN_SERIAL ON)
  set_tests_properties(check.compile_counts check.compile_times PROPERTIES ENVIRONMENT TESSERA_NIGHTLY=1 TIMEOUT 3600)
endif()
