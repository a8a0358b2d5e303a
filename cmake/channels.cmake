# SPDX-License-Identifier: Apache-2.0
# tessera::mpi and tessera::nccl: the channels that need a library, where it is.
include_guard(GLOBAL)

# tessera_add_model(<model> <library>...)
function(tessera_add_model model)
  add_library(tessera_${model} INTERFACE)
  add_library(tessera::${model} ALIAS tessera_${model})
  set_target_properties(tessera_${model} PROPERTIES EXPORT_NAME ${model})
  target_link_libraries(tessera_${model} INTERFACE tessera::types ${ARGN})
  tessera_model_headers(${model} headers)
  target_sources(tessera_${model} INTERFACE FILE_SET HEADERS BASE_DIRS include FILES ${headers})
endfunction()

if(TARGET tessera_mpi_library)
  # shm_open is in a library of its own where the C library is older than glibc 2.34
  tessera_add_model(mpi tessera_mpi_library $<$<PLATFORM_ID:Linux>:rt>)
  target_compile_definitions(tessera_mpi INTERFACE TESSERA_MPI)
endif()
if(TARGET tessera_nccl_library)
  tessera_add_model(nccl tessera_nccl_library)
endif()
