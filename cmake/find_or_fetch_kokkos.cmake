# SPDX-License-Identifier: Apache-2.0
# Kokkos::kokkos. TESSERA_BUNDLED_kokkos is its prefix when our build fetched it.
include_guard(GLOBAL)

set(TESSERA_KOKKOS_MINIMUM 4.5)
set(TESSERA_CUDA_ARCHITECTURE HOPPER90 CACHE STRING "Kokkos_ARCH_<this> of a fetched Kokkos with CUDA")
set(TESSERA_KOKKOS_OPTIONS "" CACHE STRING "Further options for a fetched Kokkos, -DKokkos_...=... each")
mark_as_advanced(TESSERA_CUDA_ARCHITECTURE TESSERA_KOKKOS_OPTIONS)

if(TESSERA_BUNDLED_kokkos)  # from an earlier configuration: look again for an installed one
  unset(Kokkos_DIR CACHE)
  unset(TESSERA_BUNDLED_kokkos CACHE)
endif()
if(NOT TARGET Kokkos::kokkos)
  find_package(Kokkos ${TESSERA_KOKKOS_MINIMUM} CONFIG QUIET)
endif()
if(NOT TARGET Kokkos::kokkos)
  tessera_obtain(kokkos source
    URL https://github.com/kokkos/kokkos/releases/download/4.7.00/kokkos-4.7.00.tar.gz
    SHA256 126b774a24dde8c1085c4aede7564c0b7492d6a07d85380f2b387a712cea1ff5
    SDIST pygenten==0.1.5
    REGISTRY_SHA256 e620f05c742905e2db705d875f1cac92ef0ed453f9e6734e9beda26cc0f9cce7)
  if(NOT source)
    tessera_missing("Kokkos ${TESSERA_KOKKOS_MINIMUM} or newer" libkokkos-dev kokkos-devel kokkos "-DKokkos_ROOT=<prefix> or -DFETCHCONTENT_SOURCE_DIR_KOKKOS=<sources>")
  endif()
  if(EXISTS ${source}/tpls/kokkos/CMakeLists.txt)
    set(source ${source}/tpls/kokkos)
  endif()
  set(options -DKokkos_ENABLE_SERIAL=ON ${TESSERA_KOKKOS_OPTIONS})
  find_package(OpenMP QUIET COMPONENTS CXX)
  if(OpenMP_CXX_FOUND)
    list(APPEND options -DKokkos_ENABLE_OPENMP=ON)
  else()
    message(STATUS "kokkos: ${CMAKE_CXX_COMPILER} has no OpenMP, so the Serial space only")
  endif()
  if(TESSERA_ENABLE_CUDA)
    include(${CMAKE_CURRENT_LIST_DIR}/kokkos_for_cuda.cmake)
  endif()
  tessera_build_once(kokkos prefix SOURCE ${source} OPTIONS ${options})
  set(TESSERA_BUNDLED_kokkos ${prefix} CACHE INTERNAL "")
  set(CMAKE_DISABLE_FIND_PACKAGE_Kokkos OFF)
  find_package(Kokkos CONFIG REQUIRED QUIET NO_DEFAULT_PATH PATHS ${prefix})
endif()
if(TESSERA_ENABLE_CUDA AND NOT Kokkos_ENABLE_CUDA)
  message(FATAL_ERROR "The Kokkos in ${Kokkos_DIR} was built without CUDA. Name one with it by -DKokkos_ROOT=<prefix>, "
                      "or let our build fetch one: -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON -UKokkos_DIR")
endif()
message(STATUS "Kokkos ${Kokkos_VERSION} (${Kokkos_DEVICES}): ${Kokkos_DIR}")
