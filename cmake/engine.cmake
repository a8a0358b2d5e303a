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

# tessera_add_engine(<folder>): headers are in <folder>/tessera.
function(tessera_add_engine include)
  set(stages "")
  # What engine.hpp includes, a file for each stage.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${include}/tessera/engine.hpp)
  file(STRINGS ${include}/tessera/engine.hpp lines REGEX "^#include <tessera/engine/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include <tessera/engine/([a-z_]+)/.*" "\\1" stage ${line})
    list(APPEND stages ${stage})
    string(APPEND content_of_${stage} "${line}\n")
  endforeach()
  list(REMOVE_DUPLICATES stages)
  set(sources "")
  foreach(stage IN LISTS stages)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/tessera_engine_${stage}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "${content_of_${stage}}")
    list(APPEND sources ${source})
  endforeach()
  add_library(tessera_engine STATIC EXCLUDE_FROM_ALL ${sources})
  add_library(tessera::engine ALIAS tessera_engine)
  target_link_libraries(tessera_engine PUBLIC tessera::tessera)
  target_compile_definitions(tessera_engine PUBLIC TESSERA_SEPARATE_ENGINE)
  set(kernels $<TARGET_PROPERTY:TESSERA_KERNELS>)
  target_compile_definitions(tessera_engine INTERFACE $<$<BOOL:${kernels}>:TESSERA_KERNELS=${kernels}>)
  # At -O2, as in RelWithDebInfo, g++ makes no vectors of loops whose length it does not know. The engine has the longest ones.
  foreach(config IN ITEMS Release RelWithDebInfo)
    string(TOUPPER ${config} name)
    if("${CMAKE_CXX_FLAGS_${name}} " MATCHES "-O2 ")
      target_compile_options(tessera_engine PRIVATE $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<CONFIG:${config}>>:-O3>)
    endif()
  endforeach()
endfunction()
