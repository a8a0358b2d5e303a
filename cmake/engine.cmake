# SPDX-License-Identifier: Apache-2.0
# tessera::engine: tessera::tessera with the functions that every program has and nothing calls often compiled once, with
# the program's own flags, instead of in each file that includes Tessera. Built when something links to it.
#
# Targets that link to it have a property TESSERA_KERNELS, which begins as the variable of that name says:
#   compiled   fused steps of their programs are kernels of their own; the default
#   engine     they run from the engine's ready loops: quick to compile, slower to run (docs/performance.md)
include_guard(GLOBAL)

set(TESSERA_KERNELS "" CACHE STRING "Where fused steps get their loops: compiled (by default) or engine")
set_property(CACHE TESSERA_KERNELS PROPERTY STRINGS compiled engine)
mark_as_advanced(TESSERA_KERNELS)
define_property(TARGET PROPERTY TESSERA_KERNELS INITIALIZE_FROM_VARIABLE TESSERA_KERNELS
  BRIEF_DOCS "Where fused steps get their loops: compiled or engine")

function(tessera_add_engine)
  set(sources "")
  foreach(part IN ITEMS api array checkpoint comm data exec/run plan view)
    string(MAKE_C_IDENTIFIER ${part} name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/tessera_engine_${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <tessera/${part}/engine.hpp>\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(tessera_engine STATIC EXCLUDE_FROM_ALL ${sources})
  add_library(tessera::engine ALIAS tessera_engine)
  target_link_libraries(tessera_engine PUBLIC tessera::tessera)
  target_compile_definitions(tessera_engine PUBLIC TESSERA_SEPARATE_ENGINE)
  set(kernels $<TARGET_PROPERTY:TESSERA_KERNELS>)
  target_compile_definitions(tessera_engine INTERFACE $<$<BOOL:${kernels}>:TESSERA_KERNELS=${kernels}>)
endfunction()

# tessera_add_optimised_engine(): in a tree that is quick to compile, tessera_engine_optimised is the engine as users compile
# it, for this machine's processor, once for all programs that are compiled so: the marked tests, the benchmarks.
function(tessera_add_optimised_engine)
  if(TARGET tessera_engine_optimised)
    return()
  endif()
  get_target_property(sources tessera_engine SOURCES)
  add_library(tessera_engine_optimised STATIC EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(tessera_engine_optimised PUBLIC tessera::tessera PRIVATE tessera_warnings)
  target_compile_definitions(tessera_engine_optimised PUBLIC TESSERA_SEPARATE_ENGINE)
  tessera_arch_options(native native)
  target_compile_options(tessera_engine_optimised PUBLIC ${native} PRIVATE -O3)
endfunction()
