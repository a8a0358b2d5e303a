# SPDX-License-Identifier: Apache-2.0
# tessera::mp11, Boost.Mp11's headers. TESSERA_BUNDLED_mp11 is their prefix when our build fetched them.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/find_mp11.cmake)

if(TESSERA_BUNDLED_mp11)  # from an earlier configuration: look again for an installed one
  unset(TESSERA_MP11_INCLUDE_DIR CACHE)
  unset(TESSERA_BUNDLED_mp11 CACHE)
endif()
tessera_find_mp11()
if(NOT TARGET tessera::mp11)
  tessera_obtain(mp11 source
    URL https://github.com/boostorg/mp11/archive/refs/tags/boost-1.79.0.tar.gz
    SHA256 d3f8ef486f2001c24eb0bc766b838fcce65dbb4edd099f136bf1ac4b51469f7c
    SDIST boost-histogram==1.4.1
    REGISTRY_SHA256 97146f735f467d506976a047f3f237ce59840a952fd231f5f431f897fb006cdd)
  if(NOT source)
    tessera_missing(Boost.Mp11 libboost-dev boost-devel boost "-DBoost_ROOT=<prefix> or -DFETCHCONTENT_SOURCE_DIR_MP11=<sources>")
  endif()
  if(EXISTS ${source}/extern/mp11)
    set(source ${source}/extern/mp11)
  endif()
  set(TESSERA_BUNDLED_mp11 ${TESSERA_DEPENDENCY_CACHE}/mp11 CACHE INTERNAL "")
  file(COPY ${source}/include DESTINATION ${TESSERA_BUNDLED_mp11})
  tessera_find_mp11(${TESSERA_BUNDLED_mp11})
endif()
