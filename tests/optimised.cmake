# SPDX-License-Identifier: Apache-2.0
# In trees that are quick to compile, tests that say `// optimised` in a line of their own are compiled and run once more,
# as users do: loops become vector code there, which differs. One program, with an engine of its own: files of one
# program are compiled for one processor.
include_guard(GLOBAL)

if(NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "-O[01g]" OR Kokkos_ENABLE_CUDA OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  return()
endif()

set(optimised "")
foreach(source IN LISTS test_run test_types)
  file(STRINGS ${source} marked REGEX "^// optimised$" LIMIT_COUNT 1)
  if(marked)
    list(APPEND optimised ${source})
  endif()
endforeach()
if(NOT optimised)
  message(FATAL_ERROR "No test says `// optimised`")
endif()

tessera_add_optimised_engine()
add_executable(test_optimised_run ${optimised} ${tests}/support/main.cpp)
target_link_libraries(test_optimised_run PRIVATE tessera_engine_optimised tessera_warnings GTest::gtest
                      $<TARGET_NAME_IF_EXISTS:tessera::mpi>)
target_include_directories(test_optimised_run PRIVATE ${tests})
target_compile_definitions(test_optimised_run PRIVATE TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_compile_options(test_optimised_run PRIVATE -O3)
list(APPEND test_programs optimised_run)
