# SPDX-License-Identifier: Apache-2.0
# tessera::nccl: comm/nccl.hpp and the NCCL below it, for builds with CUDA: NCCL_ROOT, the system, else the package registry.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/find_nccl.cmake)

set(TESSERA_ENABLE_NCCL AUTO CACHE STRING "Several GPUs by NCCL, in builds with CUDA: AUTO where there is one, ON, OFF")
set_property(CACHE TESSERA_ENABLE_NCCL PROPERTY STRINGS AUTO ON OFF)
if(NOT TESSERA_ENABLE_NCCL OR NOT Kokkos_ENABLE_CUDA)
  return()
endif()

tessera_find_nccl()
if(NOT TESSERA_NCCL_INCLUDE_DIR OR NOT TESSERA_NCCL_LIBRARY)
  tessera_obtain(nccl source
    WHEEL nvidia-nccl-cu${CUDAToolkit_VERSION_MAJOR}==2.32.3
    REGISTRY_SHA256 1459723080ac889d73a26edfa3e04383a7928ab31ac8f0ec43b3ea9548b04ff3)  # Linux, x86-64, CUDA 13
  if(source)
    set(prefix ${TESSERA_DEPENDENCY_CACHE}/nccl)
    file(COPY ${source}/nvidia/nccl/include ${source}/nvidia/nccl/lib DESTINATION ${prefix})
    file(GLOB licenses ${source}/*.dist-info/licenses/*)
    file(COPY ${licenses} DESTINATION ${prefix})
    set(TESSERA_NCCL_INCLUDE_DIR ${prefix}/include CACHE PATH "Where nccl.h is" FORCE)
    set(TESSERA_NCCL_LIBRARY ${prefix}/lib/libnccl.so.2 CACHE FILEPATH "NCCL" FORCE)
    tessera_find_nccl()
  endif()
endif()
if(TARGET tessera_nccl_library)
  message(STATUS "NCCL: ${TESSERA_NCCL_LIBRARY}")
elseif(TESSERA_ENABLE_NCCL STREQUAL "AUTO")
  message(STATUS "NCCL: none, so there is no tessera::nccl. apt install libnccl-dev; NCCL_ROOT names one elsewhere")
else()
  tessera_missing("NCCL" libnccl-dev libnccl-devel "nccl (not for macOS)" "-DNCCL_ROOT=<prefix>, or do without: -DTESSERA_ENABLE_NCCL=OFF")
endif()
