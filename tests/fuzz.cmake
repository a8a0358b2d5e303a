# SPDX-License-Identifier: Apache-2.0
# In the tree of the preset asan-ubsan: tests/fuzz/<name>_fuzz.cpp, each a libFuzzer program for one kind of file, which begins with
# tests/fuzz/seeds/<name> and puts in words of <name>.dict. ctest runs each for TESSERA_FUZZ_SECONDS.
#   ./fuzz_index -max_total_time=86400 corpus tests/fuzz/seeds/index    by hand, for as long as one likes
include_guard(GLOBAL)

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
  return()
endif()

set(TESSERA_FUZZ_SECONDS 60 CACHE STRING "How long ctest lets each fuzzer run")
file(GLOB sources CONFIGURE_DEPENDS ${tests}/fuzz/*_fuzz.cpp)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM stem)
  string(REGEX REPLACE "_fuzz$" "" name ${stem})
  # Without tessera::engine, so that all of the library is watched for what inputs reach.
  add_executable(fuzz_${name} ${source})
  target_link_libraries(fuzz_${name} PRIVATE tessera::tessera tessera_warnings)
  target_include_directories(fuzz_${name} PRIVATE ${tests})
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set(corpus ${CMAKE_CURRENT_BINARY_DIR}/fuzz/${name})
  file(MAKE_DIRECTORY ${corpus})
  add_test(NAME fuzz.${name}
    COMMAND fuzz_${name} -max_total_time=${TESSERA_FUZZ_SECONDS} -max_len=4096 -timeout=10 -rss_limit_mb=2048
            -malloc_limit_mb=512 -dict=${tests}/fuzz/${name}.dict -artifact_prefix=${corpus}- ${corpus} ${tests}/fuzz/seeds/${name})
  math(EXPR timeout "${TESSERA_FUZZ_SECONDS} + 120")
  tessera_run_test(fuzz.${name} fuzz ${timeout})
endforeach()
