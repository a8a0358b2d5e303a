# SPDX-License-Identifier: Apache-2.0
# tessera_nccl_library, what tessera::nccl links to.
include_guard(GLOBAL)

# tessera_find_nccl(): the NCCL of the CUDA toolkit, of the system, of NCCL_ROOT, or that TESSERA_NCCL_LIBRARY and
# TESSERA_NCCL_INCLUDE_DIR name.
macro(tessera_find_nccl)
  find_package(CUDAToolkit REQUIRED)
  find_path(TESSERA_NCCL_INCLUDE_DIR nccl.h HINTS ${NCCL_ROOT}/include ${CUDAToolkit_INCLUDE_DIRS})
  find_library(TESSERA_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${NCCL_ROOT}/lib)
  mark_as_advanced(TESSERA_NCCL_INCLUDE_DIR TESSERA_NCCL_LIBRARY)
  if(TESSERA_NCCL_INCLUDE_DIR AND TESSERA_NCCL_LIBRARY AND NOT TARGET tessera_nccl_library)
    add_library(tessera_nccl_library INTERFACE IMPORTED GLOBAL)
    target_include_directories(tessera_nccl_library INTERFACE ${TESSERA_NCCL_INCLUDE_DIR})
    target_link_libraries(tessera_nccl_library INTERFACE ${TESSERA_NCCL_LIBRARY} CUDA::cudart)
  endif()
endmacro()
