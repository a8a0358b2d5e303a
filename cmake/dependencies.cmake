# SPDX-License-Identifier: Apache-2.0
# Each dependency: what is installed, else fetched from its public repository, else from a package registry, else an
# error that says how to install it. docs/decisions/001-finding-dependencies.md gives the reasons.
include_guard(GLOBAL)

set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # a project that adds ours as a subdirectory links to these targets as well
include(${CMAKE_CURRENT_LIST_DIR}/obtain.cmake)

include(${CMAKE_CURRENT_LIST_DIR}/find_or_fetch_kokkos.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/find_or_fetch_mp11.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/find_or_fetch_cblas.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/find_or_fetch_onednn.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/find_or_fetch_mpi.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/find_or_fetch_nccl.cmake)
if(Kokkos_ENABLE_CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
if(TESSERA_BUILD_TESTS)
  include(${CMAKE_CURRENT_LIST_DIR}/find_or_fetch_googletest.cmake)
endif()
if(TESSERA_BUILD_BENCHMARKS)
  include(${CMAKE_CURRENT_LIST_DIR}/find_or_fetch_benchmark.cmake)
endif()
tessera_unlock_cache()
