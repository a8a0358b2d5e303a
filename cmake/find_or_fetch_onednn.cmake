# SPDX-License-Identifier: Apache-2.0
# tessera::onednn, the convolutions of the host: ONEDNN_ROOT, the system, else the package registry. Without it all works,
# convolutions by windows and products. TESSERA_BUNDLED_onednn is its prefix when our build fetched it.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/find_onednn.cmake)

set(TESSERA_ENABLE_ONEDNN AUTO CACHE STRING "Convolutions by oneDNN: AUTO where there is one, ON, OFF")
set_property(CACHE TESSERA_ENABLE_ONEDNN PROPERTY STRINGS AUTO ON OFF)
if(NOT TESSERA_ENABLE_ONEDNN OR Kokkos_ENABLE_CUDA)
  return()
endif()

if(TESSERA_BUNDLED_onednn)  # from an earlier configuration: look again for an installed one
  unset(TESSERA_ONEDNN_LIBRARY CACHE)
  unset(TESSERA_ONEDNN_INCLUDE_DIR CACHE)
  unset(TESSERA_BUNDLED_onednn CACHE)
endif()
tessera_find_onednn()
if(NOT TARGET tessera::onednn AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  tessera_obtain(onednn library
    WHEEL onednn-cpu-gomp==2023.2.0
    REGISTRY_SHA256 2f22a54d6a890ed14bfa185d42a4be65d8b5b1df85dc1f0f3a9abe31620416fb)
  if(library)
    tessera_obtain(onednn_headers headers
      WHEEL onednn-devel-cpu-gomp==2023.2.0
      REGISTRY_SHA256 9763c69e8c907e119056bd52ad918ca84ac9ba939d130a99dfa95ccca3e5e284)
  endif()
  if(library AND headers)
    set(prefix ${TESSERA_DEPENDENCY_CACHE}/onednn)
    file(GLOB files ${library}/*.data/data/lib/libdnnl.so.3)
    file(COPY ${files} DESTINATION ${prefix}/lib)
    file(GLOB files ${headers}/*.data/data/include/oneapi)
    file(COPY ${files} DESTINATION ${prefix}/include)
    file(GLOB files ${library}/*.data/data/share/doc/onednn/*)
    file(COPY ${files} DESTINATION ${prefix}/licenses)
    set(TESSERA_BUNDLED_onednn ${prefix} CACHE INTERNAL "")
    tessera_find_onednn(${prefix})
  endif()
endif()
if(TARGET tessera::onednn)
  message(STATUS "oneDNN: ${TESSERA_ONEDNN_LIBRARY}")
elseif(TESSERA_ENABLE_ONEDNN STREQUAL "AUTO")
  message(STATUS "oneDNN: none of version 3, so convolutions are windows and products. ONEDNN_ROOT names one elsewhere")
else()
  tessera_missing("oneDNN 3" "libdnnl-dev (3 or newer)" oneapi-dnn-devel onednn
                  "-DONEDNN_ROOT=<prefix>, or do without: -DTESSERA_ENABLE_ONEDNN=OFF")
endif()
