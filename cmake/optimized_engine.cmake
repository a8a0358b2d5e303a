# SPDX-License-Identifier: Apache-2.0
# tessera_add_optimized_engine(): in a tree that is quick to compile, tessera_engine_optimized is the engine as users compile
# it, for this machine's processor, once for all programs that are compiled so: the marked tests, the benchmarks.
include_guard(GLOBAL)

function(tessera_add_optimized_engine)
  if(TARGET tessera_engine_optimized)
    return()
  endif()
  get_target_property(sources tessera_engine SOURCES)
  add_library(tessera_engine_optimized STATIC EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(tessera_engine_optimized PUBLIC tessera::tessera PRIVATE tessera_warnings)
  target_compile_definitions(tessera_engine_optimized PUBLIC TESSERA_SEPARATE_ENGINE)
  tessera_arch_options(native native)
  target_compile_options(tessera_engine_optimized PUBLIC ${native} PRIVATE -O3)
endfunction()
