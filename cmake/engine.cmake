# SPDX-License-Identifier: Apache-2.0
# tessera::engine: tessera::tessera with the functions that every program has and nothing calls often compiled once, with
# the program's own flags, instead of in each file that calls jit. Built when something links to it.
include_guard(GLOBAL)

function(tessera_add_engine)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/tessera_engine.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include <tessera/engine.hpp>\n")
  add_library(tessera_engine STATIC EXCLUDE_FROM_ALL ${source})
  add_library(tessera::engine ALIAS tessera_engine)
  target_link_libraries(tessera_engine PUBLIC tessera::tessera)
  target_compile_definitions(tessera_engine PUBLIC TESSERA_SEPARATE_ENGINE)
endfunction()
