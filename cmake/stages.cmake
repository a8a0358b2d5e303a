# SPDX-License-Identifier: Apache-2.0
# Which headers belong to tessera::types and which to tessera::tessera; stages.txt knows.
include_guard(GLOBAL)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/stages.txt)
foreach(kind IN ITEMS types run)
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/stages.txt lines REGEX "^${kind} ")
  list(TRANSFORM lines REPLACE "^${kind} " "")
  list(JOIN lines " " stages)
  string(REPLACE " " ";" TESSERA_STAGES_${kind} "${stages}")
endforeach()
set(TESSERA_STAGES ${TESSERA_STAGES_types} ${TESSERA_STAGES_run})
set(TESSERA_UMBRELLAS_types types.hpp nn.hpp)
set(TESSERA_UMBRELLAS_run tessera.hpp engine.hpp headers_alone.hpp arrays.hpp jit.hpp data.hpp checkpoint.hpp kokkos.hpp dlpack.hpp memory.hpp python.hpp)

# Headers of a channel's model that need a library of its own belong to its target.
set(TESSERA_MODELS mpi nccl)
list(JOIN TESSERA_MODELS "|" models)
set(TESSERA_MODEL_HEADER "^comm/(${models})(/|\\.hpp$)")

# tessera_model_headers(<model> <variable>): those of one.
function(tessera_model_headers model result)
  set(include ${PROJECT_SOURCE_DIR}/include/tessera)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${include}/comm/${model}/*.hpp)
  set(${result} ${include}/comm/${model}.hpp ${headers} PARENT_SCOPE)
endfunction()

# tessera_headers(<types|run> <variable>): all others of that kind; a folder no stage is named after is an error.
function(tessera_headers kind result)
  set(include ${PROJECT_SOURCE_DIR}/include/tessera)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${include} ${include}/*.hpp)
  set(chosen "")
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "^(engine/)?([^/]+).*" "\\2" stage ${header})  # engine/<stage>/ is of that stage
    if(header MATCHES "${TESSERA_MODEL_HEADER}")
      continue()
    endif()
    if(stage IN_LIST TESSERA_STAGES_${kind} OR header IN_LIST TESSERA_UMBRELLAS_${kind})
      list(APPEND chosen ${include}/${header})
    elseif(NOT stage IN_LIST TESSERA_STAGES AND header MATCHES "/")
      message(FATAL_ERROR "include/tessera/${header}: no stage '${stage}' in cmake/stages.txt")
    endif()
  endforeach()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()
