# SPDX-License-Identifier: Apache-2.0
# tessera_mpi_library, what tessera::mpi links to, and TESSERA_MPIEXEC, which starts its programs.
include_guard(GLOBAL)

set(TESSERA_MPI_DEFINITIONS OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)  # C functions only; some still bring C++ bindings of old

# tessera_find_mpi(): what FindMPI finds. What it asks pkg-config is nobody's concern.
macro(tessera_find_mpi)
  set(tessera_level "${CMAKE_MESSAGE_LOG_LEVEL}")
  set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)
  find_package(MPI QUIET COMPONENTS CXX)
  set(CMAKE_MESSAGE_LOG_LEVEL "${tessera_level}")
  if(MPI_CXX_FOUND AND NOT TARGET tessera_mpi_library)
    add_library(tessera_mpi_library INTERFACE IMPORTED GLOBAL)
    set_target_properties(tessera_mpi_library PROPERTIES
      INTERFACE_LINK_LIBRARIES MPI::MPI_CXX INTERFACE_COMPILE_DEFINITIONS "${TESSERA_MPI_DEFINITIONS}")
    set(TESSERA_MPI_LIBRARY "${MPI_CXX_LIBRARIES}" CACHE INTERNAL "")
    set(TESSERA_MPIEXEC ${MPIEXEC_EXECUTABLE} CACHE FILEPATH "Starts programs as several processes")
  endif()
endmacro()

# tessera_mpi_from(<prefix>): the MPI of a folder, bin, include and lib, where FindMPI found none.
function(tessera_mpi_from prefix)
  file(GLOB library ${prefix}/lib/libmpi.so.* ${prefix}/lib/libmpi.*dylib)
  list(FILTER library EXCLUDE REGEX "_abi")
  if(NOT library OR NOT EXISTS ${prefix}/include/mpi.h OR NOT EXISTS ${prefix}/bin/mpiexec)
    return()
  endif()
  list(GET library 0 library)
  add_library(tessera_mpi_library SHARED IMPORTED GLOBAL)
  set_target_properties(tessera_mpi_library PROPERTIES IMPORTED_LOCATION ${library}  INTERFACE_INCLUDE_DIRECTORIES ${prefix}/include)
  set_property(TARGET tessera_mpi_library PROPERTY INTERFACE_COMPILE_DEFINITIONS ${TESSERA_MPI_DEFINITIONS})
  set(TESSERA_MPI_LIBRARY ${library} CACHE INTERNAL "")
  set(TESSERA_MPIEXEC ${prefix}/bin/mpiexec CACHE FILEPATH "Starts programs as several processes" FORCE)
endfunction()
