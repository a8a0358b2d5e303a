# SPDX-License-Identifier: Apache-2.0
# Tests that say `// stand-in` in a line of their own run once more in the ordinary trees, compiled for the card that the
# host stands in for (docs/decisions/031-stand-in.md), with an engine of their own. The preset stand-in runs them all.
include_guard(GLOBAL)

if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" OR NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "-Og" OR Kokkos_ENABLE_CUDA OR CMAKE_CXX_FLAGS MATCHES "-fsanitize|TESSERA_STAND_IN")
  return()
endif()

set(on_stand_in "")
foreach(source IN LISTS test_run)
  tessera_marked(${source} stand-in marked)
  if(marked)
    list(APPEND on_stand_in ${source})
  endif()
endforeach()
if(NOT on_stand_in)
  message(FATAL_ERROR "No test says `// stand-in`")
endif()

get_target_property(sources tessera_engine SOURCES)
add_library(tessera_engine_stand_in STATIC EXCLUDE_FROM_ALL ${sources})
target_link_libraries(tessera_engine_stand_in PUBLIC tessera::tessera PRIVATE tessera_warnings)
target_compile_definitions(tessera_engine_stand_in PUBLIC TESSERA_SEPARATE_ENGINE TESSERA_STAND_IN)
# A kernel's bytes are searched for addresses of the host. clang cannot clear the padding between them: it is 0 from the start.
set(no_padding $<$<CXX_COMPILER_ID:Clang>:-ftrivial-auto-var-init=zero>)
target_compile_options(tessera_engine_stand_in PUBLIC ${no_padding})
add_executable(test_stand_in_run ${on_stand_in} ${tests}/support/main.cpp)
target_link_libraries(test_stand_in_run PRIVATE tessera_engine_stand_in tessera_test_options)
tessera_precompile_test(test_stand_in_run)
list(APPEND test_programs stand_in_run)

# At night once more without an engine of its own: every file then has what it needs of it.
if(TESSERA_NIGHTLY)
  add_executable(test_stand_in_alone_run ${tests}/exec/device_kernels_test.cpp ${tests}/support/main.cpp)
  target_link_libraries(test_stand_in_alone_run PRIVATE tessera::tessera tessera_test_options)
  target_compile_options(test_stand_in_alone_run PRIVATE ${no_padding})
  target_compile_definitions(test_stand_in_alone_run PRIVATE TESSERA_STAND_IN)
  list(APPEND test_programs stand_in_alone_run)
endif()
