# SPDX-License-Identifier: Apache-2.0
# A test is found by its name; there is no list to edit.
#   (tests/<stage>/<room>/ where a stage has many)
#   tests/<stage>/<stem>_static.cpp   static_assert only: building it is the test
#   tests/<stage>/<stem>_test.cpp     GoogleTest; one program per stage
#   // optimized                      in a _test.cpp: it runs again as users compile, see optimized.cmake
#   // optimized, by day only so      the same; in the preset `test` it does not run otherwise
#   // nightly                        in its second line: it takes too long for every change; all presets but `test` have it
#   #ifndef TESSERA_BY_DAY            the same for what follows, to `#endif`: the first tests of a file run on every change
#   // stand-in                       in a _test.cpp: it runs again as device code, see stand_in.cmake
#   // optimized at night, // stand-in at night: so, but not in the preset `test`
#   tests/<stage>/<stem>_ranks.cpp    GoogleTest that mpiexec starts, as one process and as several
#   tests/fuzz/<name>_fuzz.cpp        libFuzzer, in the sanitizers' tree only, see fuzz.cmake
#   tests/error/<reason>_misuse.cpp   must stop compiling, with the sentence in its `// expect:` line
# A test links to tessera::types unless it, or a tests/support header it includes, includes a stage that runs.
include_guard(GLOBAL)
include(GoogleTest)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(tests ${PROJECT_SOURCE_DIR}/tests)
option(TESSERA_PRECOMPILE "Precompile Tessera's, Kokkos' and GoogleTest's headers for the tests" ON)
mark_as_advanced(TESSERA_PRECOMPILE)

# ctest runs several tests at once: two threads each, and idle ones do not spin. Fuzz tests go on for longer at night.
set(TESSERA_TEST_ENVIRONMENT OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive OMP_PROC_BIND=false KOKKOS_DISABLE_WARNINGS=1)
if(TESSERA_NIGHTLY)
  list(APPEND TESSERA_TEST_ENVIRONMENT TESSERA_NIGHTLY=1)
endif()
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*thread")  # clang's OpenMP tells the sanitizer what waits for what
  find_library(TESSERA_ARCHER archer PATHS /usr/lib/llvm-19/lib)
  find_program(TESSERA_SYMBOLIZER NAMES llvm-symbolizer-19 llvm-symbolizer)
  list(APPEND TESSERA_TEST_ENVIRONMENT OMP_TOOL_LIBRARIES=${TESSERA_ARCHER}
       TSAN_OPTIONS=ignore_noninstrumented_modules=1:external_symbolizer_path=${TESSERA_SYMBOLIZER})
  mark_as_advanced(TESSERA_ARCHER TESSERA_SYMBOLIZER)
endif()

# Programs built for a GPU need one.
set(TESSERA_CAN_RUN ON)
file(GLOB gpus /dev/nvidia[0-9]*)
if(Kokkos_ENABLE_CUDA AND NOT gpus)
  set(TESSERA_CAN_RUN OFF)
  message(STATUS "No GPU here: the tests are compiled for one and linked, and shown as disabled")
endif()

# tessera_run_test(<test> <label> <seconds>): properties of a test that runs a program of ours.
function(tessera_run_test test label timeout)
  set_tests_properties(${test} PROPERTIES LABELS ${label} TIMEOUT ${timeout} ENVIRONMENT "${TESSERA_TEST_ENVIRONMENT}")
  if(NOT TESSERA_CAN_RUN)
    set_tests_properties(${test} PROPERTIES DISABLED ON)
  endif()
endfunction()

# tessera_skipped_test(<test> <label> <reason>): a test that cannot run here is shown as skipped, with its reason.
function(tessera_skipped_test test label reason)
  message(STATUS "${test} will be skipped: ${reason}")
  add_test(NAME ${test} COMMAND ${Python3_EXECUTABLE} -c "print('SKIPPED: ${reason}'); raise SystemExit(77)")
  set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77 LABELS ${label})
endfunction()

# Sets <result> to `run` when the source needs Kokkos, else to `types`.
function(tessera_kind_of source result)
  set(kind types)
  list(JOIN TESSERA_STAGES_run "|" run)
  set(queue ${source})
  set(seen "")
  while(queue)
    list(POP_FRONT queue file)
    if(file IN_LIST seen OR NOT EXISTS ${file})
      continue()
    endif()
    list(APPEND seen ${file})
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} includes REGEX "^ *# *include ")
    foreach(include IN LISTS includes)
      if(include MATCHES "<tessera/((engine/)?(${run})/|(tessera|arrays|jit|data|checkpoint|engine|kokkos|dlpack|memory)\\.hpp)|<Kokkos_|cblas\\.h")
        set(kind run)
      elseif(include MATCHES "[\"<](support/[^\">]+)[\">]")
        list(APPEND queue ${tests}/${CMAKE_MATCH_1})
      endif()
    endforeach()
  endwhile()
  set(${result} ${kind} PARENT_SCOPE)
endfunction()

set(TESSERA_LIBRARY_types tessera::types)
set(TESSERA_LIBRARY_run tessera::engine)

function(tessera_precompile_test target)
  if(TESSERA_PRECOMPILE AND NOT Kokkos_ENABLE_CUDA)
    target_precompile_headers(${target} PRIVATE <gtest/gtest.h> <Kokkos_Core.hpp> <tessera/tessera.hpp>)
  endif()
endfunction()

# tessera_marked(<source> <mark> <result>): whether the source has a line `// <mark>`, or, but for the preset `test`,
# `// <mark> at night`.
function(tessera_marked source mark result)
  set(night "( at night)?")
  if(TESSERA_BY_DAY)
    set(night "")
  endif()
  file(STRINGS ${source} line REGEX "^// ${mark}${night}$" LIMIT_COUNT 1)
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# What all tests have.
add_library(tessera_test_options INTERFACE)
target_link_libraries(tessera_test_options INTERFACE tessera_warnings GTest::gtest)
target_include_directories(tessera_test_options INTERFACE ${tests})
target_compile_definitions(tessera_test_options INTERFACE TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}" $<$<BOOL:${TESSERA_BY_DAY}>:TESSERA_BY_DAY>)

# What all tests of a kind share. With its precompiled header a build from nothing takes a tenth less; an edit of ours
# rebuilds it, and all tests: -D TESSERA_PRECOMPILE=OFF while you edit headers.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "")
foreach(kind IN ITEMS types run)
  add_library(tessera_test_${kind} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(tessera_test_${kind} PUBLIC ${TESSERA_LIBRARY_${kind}} tessera_test_options)
endforeach()
if(TESSERA_PRECOMPILE AND NOT Kokkos_ENABLE_CUDA)
  target_precompile_headers(tessera_test_types PRIVATE <gtest/gtest.h> <tessera/types.hpp>)
  tessera_precompile_test(tessera_test_run)
endif()

function(tessera_use_test_kind target kind)
  get_target_property(libraries tessera_test_${kind} INTERFACE_LINK_LIBRARIES)
  target_link_libraries(${target} PRIVATE ${libraries})
  if(TESSERA_PRECOMPILE AND NOT Kokkos_ENABLE_CUDA)
    target_precompile_headers(${target} REUSE_FROM tessera_test_${kind})
  endif()
endfunction()

file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${tests}/*.cpp)
list(FILTER sources EXCLUDE REGEX "^${tests}/(support|consumer|checks|fuzz)/|_program\\.cpp$")
foreach(source IN LISTS sources)
  string(REGEX MATCH "^${tests}/([^/]+)/(.*/)?[^/]+_(static|test|ranks|misuse)\\.cpp$" known ${source})
  set(stage ${CMAKE_MATCH_1})
  set(suffix ${CMAKE_MATCH_3})
  if(NOT known)
    message(FATAL_ERROR "${source}: not tests/<stage>/<stem>_static.cpp, _test.cpp, _ranks.cpp or _misuse.cpp, so nothing would run it")
  endif()
  if(suffix STREQUAL "ranks")
    list(APPEND ranks_sources ${source})
    continue()
  endif()
  set(only_optimized "")
  if(TESSERA_BY_DAY)
    tessera_marked(${source} nightly nightly)
    if(nightly)
      continue()
    endif()
    tessera_marked(${source} "optimized, by day only so" only_optimized)
  endif()
  tessera_kind_of(${source} kind)
  list(APPEND ${suffix}_${kind} ${source})
  if(only_optimized)
    continue()
  endif()
  if(suffix STREQUAL "static")
    if(NOT TARGET static_${stage}_${kind})
      add_library(static_${stage}_${kind} OBJECT)
      tessera_use_test_kind(static_${stage}_${kind} ${kind})
      add_test(NAME static.${stage}.${kind}
               COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target static_${stage}_${kind})
      set_tests_properties(static.${stage}.${kind} PROPERTIES RESOURCE_LOCK build_tree LABELS static)
    endif()
    target_sources(static_${stage}_${kind} PRIVATE ${source})
  elseif(suffix STREQUAL "test")
    if(NOT TARGET test_${stage}_${kind})
      add_executable(test_${stage}_${kind})
      tessera_use_test_kind(test_${stage}_${kind} ${kind})
      list(APPEND test_programs ${stage}_${kind})
    endif()
    target_sources(test_${stage}_${kind} PRIVATE ${source})
  endif()
endforeach()

include(${tests}/typed_programs/typed_programs.cmake)
include(${tests}/optimized.cmake)
include(${tests}/stand_in.cmake)

# Test programs that run something, started as several processes, join them.
add_library(test_main OBJECT ${tests}/support/main.cpp)
target_link_libraries(test_main PRIVATE tessera::engine tessera_warnings GTest::gtest $<TARGET_NAME_IF_EXISTS:tessera::mpi>)

set(TESSERA_TEST_SECONDS 300)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")  # several times as slow
  set(TESSERA_TEST_SECONDS 1500)
endif()
foreach(program IN LISTS test_programs)
  if(program MATCHES "_run$")
    if(NOT program MATCHES "^(optimized|stand_in|stand_in_alone)_run$")  # which have an engine and a main of their own
      target_link_libraries(test_${program} PRIVATE test_main $<TARGET_NAME_IF_EXISTS:tessera_mpi_library>)
      target_sources(test_${program} PRIVATE $<TARGET_OBJECTS:test_main>)
    endif()
  else()
    target_link_libraries(test_${program} PRIVATE GTest::gtest_main)
  endif()
  string(REGEX REPLACE "_(types|run)$" "" stage ${program})
  if(TESSERA_CAN_RUN OR program MATCHES "_types$")
    gtest_discover_tests(test_${program} TEST_PREFIX ${stage}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS ${stage} TIMEOUT ${TESSERA_TEST_SECONDS})
    string(APPEND discovered "list(APPEND tests \${test_${program}_TESTS})\n")
  else()
    add_test(NAME ${program} COMMAND test_${program})
    tessera_run_test(${program} ${stage} ${TESSERA_TEST_SECONDS})
  endif()
endforeach()

# The engine's loops at the levels below this processor's, by day at the lowest: what executes plans, and what users call.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT Kokkos_ENABLE_CUDA
   AND NOT CMAKE_CXX_FLAGS MATCHES "TESSERA_STAND_IN")
  set(levels x86-64-v2 x86-64-v3)
  if(TESSERA_BY_DAY)
    set(levels x86-64-v2)
  endif()
  foreach(level IN LISTS levels)
    foreach(program IN ITEMS exec_run api_run)
      add_test(NAME ${program}.${level} COMMAND test_${program})
      tessera_run_test(${program}.${level} levels ${TESSERA_TEST_SECONDS})
      set_property(TEST ${program}.${level} APPEND PROPERTY ENVIRONMENT TESSERA_LEVEL=${level})
    endforeach()
  endforeach()
endif()

# Sums over devices of several processes, which threads stand for, have the same bits for any number of them.
if(TESSERA_CAN_RUN)
  add_test(NAME api_run.reproducible COMMAND test_api_run --gtest_filter=Processes.*)
  tessera_run_test(api_run.reproducible api 300)
  set_property(TEST api_run.reproducible APPEND PROPERTY ENVIRONMENT TESSERA_REPRODUCIBLE=1)
endif()

# What a program says that cannot start, or not have its memory.
if(TESSERA_CAN_RUN AND NOT Kokkos_ENABLE_CUDA AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")  # whose own memory has no limit
  add_executable(start_program ${tests}/exec/start_program.cpp)
  target_link_libraries(start_program PRIVATE tessera::engine tessera_warnings)
  add_test(NAME exec.start COMMAND ${Python3_EXECUTABLE} ${tests}/exec/start.py $<TARGET_FILE:start_program>)
  set_tests_properties(exec.start PROPERTIES LABELS exec TIMEOUT 300)
endif()

# gtest_discover_tests loses all but the first of several environment variables, so ctest sets them when it has the list.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_environment.cmake @ONLY CONTENT [[
@discovered@
if(tests)
  set_tests_properties(${tests} PROPERTIES ENVIRONMENT "@TESSERA_TEST_ENVIRONMENT@")
endif()
]])
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${PROJECT_BINARY_DIR}/test_environment.cmake)

include(${tests}/fuzz.cmake)
include(${tests}/faults.cmake)
include(${tests}/ranks.cmake)
include(${tests}/checks/checks.cmake)
if(TARGET tessera_probe_program)
  include(${tests}/conformance/conformance.cmake)
endif()
include(${tests}/interop/interop.cmake)
include(${tests}/view/gdb.cmake)
include(${tests}/consumer/consumer.cmake)
if(TESSERA_NIGHTLY)
  include(${tests}/checks/nightly.cmake)
endif()
