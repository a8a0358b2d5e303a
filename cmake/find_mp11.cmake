# SPDX-License-Identifier: Apache-2.0
# tessera_find_mp11(<folder>...): tessera::mp11 from a parent's Boost, Boost_ROOT, the system or one of the folders.
function(tessera_find_mp11)
  if(TARGET tessera::mp11)
    return()
  endif()
  if(TARGET Boost::mp11)
    add_library(tessera::mp11 INTERFACE IMPORTED GLOBAL)
    target_link_libraries(tessera::mp11 INTERFACE Boost::mp11)
    return()
  endif()
  find_path(TESSERA_MP11_INCLUDE_DIR boost/mp11.hpp
    HINTS ${Boost_ROOT} ${BOOST_ROOT} $ENV{Boost_ROOT} $ENV{BOOST_ROOT} ${Boost_INCLUDE_DIR}
    PATHS ${ARGN} PATH_SUFFIXES include)
  mark_as_advanced(TESSERA_MP11_INCLUDE_DIR)
  if(TESSERA_MP11_INCLUDE_DIR)
    add_library(tessera::mp11 INTERFACE IMPORTED GLOBAL)
    target_include_directories(tessera::mp11 INTERFACE ${TESSERA_MP11_INCLUDE_DIR})
  endif()
endfunction()
