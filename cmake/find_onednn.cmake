# SPDX-License-Identifier: Apache-2.0
# tessera_find_onednn([<folder>...]): tessera::onednn from TESSERA_ONEDNN_LIBRARY and TESSERA_ONEDNN_INCLUDE_DIR, from
# ONEDNN_ROOT, the system or one of the folders: oneDNN 3 or newer. It defines TESSERA_ONEDNN.
include(CheckCXXSourceCompiles)

function(tessera_find_onednn)
  if(TARGET tessera::onednn)
    return()
  endif()
  find_library(TESSERA_ONEDNN_LIBRARY NAMES dnnl libdnnl.so.3 HINTS ${ONEDNN_ROOT} PATHS ${ARGN} PATH_SUFFIXES lib)
  find_path(TESSERA_ONEDNN_INCLUDE_DIR oneapi/dnnl/dnnl.h HINTS ${ONEDNN_ROOT} PATHS ${ARGN} PATH_SUFFIXES include)
  mark_as_advanced(TESSERA_ONEDNN_LIBRARY TESSERA_ONEDNN_INCLUDE_DIR)
  if(TESSERA_ONEDNN_LIBRARY AND TESSERA_ONEDNN_INCLUDE_DIR)
    set(CMAKE_REQUIRED_QUIET ON)
    set(CMAKE_REQUIRED_INCLUDES ${TESSERA_ONEDNN_INCLUDE_DIR})
    set(CMAKE_REQUIRED_LIBRARIES ${TESSERA_ONEDNN_LIBRARY})
    unset(TESSERA_ONEDNN_WORKS CACHE)
    check_cxx_source_compiles("
      #include <oneapi/dnnl/dnnl.h>
      int main() {
        dnnl_dims_t const dims = {1}, steps = {1};
        dnnl_memory_desc_t made;
        return dnnl_memory_desc_create_with_strides(&made, 1, dims, dnnl_f32, steps);
      }" TESSERA_ONEDNN_WORKS)
    if(TESSERA_ONEDNN_WORKS)
      add_library(tessera::onednn INTERFACE IMPORTED GLOBAL)
      target_include_directories(tessera::onednn INTERFACE ${TESSERA_ONEDNN_INCLUDE_DIR})
      target_link_libraries(tessera::onednn INTERFACE ${TESSERA_ONEDNN_LIBRARY})
      target_compile_definitions(tessera::onednn INTERFACE TESSERA_ONEDNN)
      return()
    endif()
  endif()
  unset(TESSERA_ONEDNN_LIBRARY CACHE)
  unset(TESSERA_ONEDNN_INCLUDE_DIR CACHE)
endfunction()
