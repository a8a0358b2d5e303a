# SPDX-License-Identifier: Apache-2.0
# Stops where the compiler is older than those that can compile Tessera; include/tessera/base/config.hpp does in other builds.
include_guard(GLOBAL)

foreach(known IN ITEMS "GNU;12;g++" "Clang;16;clang++")
  list(GET known 0 id)
  list(GET known 1 oldest)
  list(GET known 2 name)
  if(CMAKE_CXX_COMPILER_ID STREQUAL id AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS oldest)
    message(FATAL_ERROR "tessera: needs ${name} ${oldest} or newer, ${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_VERSION}. "
                        "Fix: -D CMAKE_CXX_COMPILER=${name}-${oldest}, or a newer one")
  endif()
endforeach()
