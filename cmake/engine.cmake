# SPDX-License-Identifier: Apache-2.0
# tessera::engine: tessera::tessera with the functions that every program has and nothing calls often compiled once, with
# the program's own flags, instead of in each file that includes Tessera. Built when something links to it.
include_guard(GLOBAL)

function(tessera_add_engine)
  set(sources "")
  foreach(part IN ITEMS api array exec/run view)
    string(MAKE_C_IDENTIFIER ${part} name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/tessera_engine_${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <tessera/${part}/engine.hpp>\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(tessera_engine STATIC EXCLUDE_FROM_ALL ${sources})
  add_library(tessera::engine ALIAS tessera_engine)
  target_link_libraries(tessera_engine PUBLIC tessera::tessera)
  target_compile_definitions(tessera_engine PUBLIC TESSERA_SEPARATE_ENGINE)
endfunction()
