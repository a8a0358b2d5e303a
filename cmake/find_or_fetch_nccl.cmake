# SPDX-License-Identifier: Apache-2.0
# tessera::nccl: comm/nccl.hpp and the NCCL below it, for builds with CUDA: NCCL_ROOT, the system, else the package registry.
include_guard(GLOBAL)

set(TESSERA_ENABLE_NCCL AUTO CACHE STRING "Several GPUs by NCCL, in builds with CUDA: AUTO where there is one, ON, OFF")
set_property(CACHE TESSERA_ENABLE_NCCL PROPERTY STRINGS AUTO ON OFF)
if(NOT TESSERA_ENABLE_NCCL OR NOT Kokkos_ENABLE_CUDA)
  return()
endif()

find_package(CUDAToolkit REQUIRED)
find_path(TESSERA_NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
find_library(TESSERA_NCCL_LIBRARY NAMES nccl libnccl.so.2)
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
  endif()
endif()
mark_as_advanced(TESSERA_NCCL_INCLUDE_DIR TESSERA_NCCL_LIBRARY)
if(TESSERA_NCCL_INCLUDE_DIR AND TESSERA_NCCL_LIBRARY)
  add_library(tessera_nccl_library INTERFACE IMPORTED GLOBAL)
  target_include_directories(tessera_nccl_library INTERFACE ${TESSERA_NCCL_INCLUDE_DIR})
  target_link_libraries(tessera_nccl_library INTERFACE ${TESSERA_NCCL_LIBRARY} CUDA::cudart)
  message(STATUS "NCCL: ${TESSERA_NCCL_LIBRARY}")
elseif(TESSERA_ENABLE_NCCL STREQUAL "AUTO")
  message(STATUS "NCCL: none, so there is no tessera::nccl. apt install libnccl-dev; NCCL_ROOT names one elsewhere")
else()
  tessera_missing("NCCL" libnccl-dev libnccl-devel "nccl (not for macOS)" "-DNCCL_ROOT=<prefix>, or do without: -DTESSERA_ENABLE_NCCL=OFF")
endif()
