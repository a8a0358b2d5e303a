# SPDX-License-Identifier: Apache-2.0
# In trees that are quick to compile, tests that say `// optimized` in a line of their own are compiled and run once more,
# as users do: loops become vector code there, which differs. One program, with an engine of its own: files of one
# program are compiled for one processor.
include_guard(GLOBAL)

if(NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "-O[01g]" OR Kokkos_ENABLE_CUDA OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  return()
endif()

set(optimized "")
foreach(source IN LISTS test_run test_types)
  tessera_marked(${source} "optimized(, by day only so)?" marked)
  if(marked)
    list(APPEND optimized ${source})
  endif()
endforeach()
if(NOT optimized)
  message(FATAL_ERROR "No test says `// optimized`")
endif()

tessera_add_optimized_engine()
add_executable(test_optimized_run ${optimized} ${tests}/support/main.cpp)
target_link_libraries(test_optimized_run PRIVATE tessera_engine_optimized tessera_test_options $<TARGET_NAME_IF_EXISTS:tessera::mpi>)
target_compile_options(test_optimized_run PRIVATE -O3)
tessera_precompile_test(test_optimized_run)
list(APPEND test_programs optimized_run)
