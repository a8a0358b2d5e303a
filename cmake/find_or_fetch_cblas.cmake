# SPDX-License-Identifier: Apache-2.0
# tessera::cblas. TESSERA_BUNDLED_cblas is its prefix when our build fetched it.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/find_cblas.cmake)

option(TESSERA_ENABLE_CBLAS "Matrix products by a CBLAS; OFF: by our own loops, many times slower" ON)
if(NOT TESSERA_ENABLE_CBLAS)
  tessera_without_cblas()
endif()

if(TESSERA_BUNDLED_cblas)  # from an earlier configuration: look again for an installed one
  unset(TESSERA_CBLAS_LIBRARY CACHE)
  unset(TESSERA_CBLAS_INCLUDE_DIR CACHE)
  unset(TESSERA_BUNDLED_cblas CACHE)
endif()
tessera_find_cblas()
if(NOT TARGET tessera::cblas)
  tessera_obtain(openblas source
    URL https://github.com/OpenMathLib/OpenBLAS/releases/download/v0.3.28/OpenBLAS-0.3.28.tar.gz
    SHA256 f1003466ad074e9b0c8d421a204121100b0751c96fc6fcf3d1456bd12f8a00a1
    WHEEL scipy-openblas32==0.3.34.481.3
    REGISTRY_SHA256
      0595f94cd58c1f8a0d90c975621f4587337a003916b1979e834ebdf2cb5d9504   # Linux, x86-64
      e085dddbc5b9aa130f83def515d31c440e69f387a90c7e63b154a5575b4466bc   # Linux, AArch64
      813bb8101da2f64555c4a5e71c3714539d92b0b4f1841ec12b80d50e56cde46c)  # macOS, arm64
  if(source AND EXISTS ${source}/scipy_openblas32/lib)
    set(TESSERA_BUNDLED_cblas ${TESSERA_DEPENDENCY_CACHE}/cblas CACHE INTERNAL "")
    file(COPY ${source}/scipy_openblas32/lib ${source}/scipy_openblas32/include DESTINATION ${TESSERA_BUNDLED_cblas})
    file(GLOB license ${source}/*.dist-info/licenses/LICENSE.txt)
    file(COPY ${license} DESTINATION ${TESSERA_BUNDLED_cblas})
  elseif(source)  # no threads of its own: the library calls it from its own team
    enable_language(C)
    tessera_build_once(openblas prefix SOURCE ${source}
      OPTIONS -DBUILD_WITHOUT_LAPACK=ON -DNOFORTRAN=ON -DBUILD_TESTING=OFF -DUSE_THREAD=OFF -DUSE_LOCKING=ON
              -DBUILD_SINGLE=ON -DBUILD_DOUBLE=ON -DBUILD_COMPLEX=OFF -DBUILD_COMPLEX16=OFF)
    set(TESSERA_BUNDLED_cblas ${prefix} CACHE INTERNAL "")
  endif()
  if(TESSERA_BUNDLED_cblas)
    tessera_find_cblas(${TESSERA_BUNDLED_cblas})
  endif()
  if(NOT TARGET tessera::cblas)
    tessera_find_cblas(REFERENCE)
    if(TARGET tessera::cblas)
      message(WARNING "Only a reference BLAS was found (${TESSERA_CBLAS_LIBRARY}): every matmul will be some twenty times "
                      "slower than it need be. Install OpenBLAS (apt install libopenblas-dev).")
    endif()
  endif()
  if(NOT TARGET tessera::cblas)
    tessera_missing("A CBLAS" libopenblas-dev openblas-devel openblas "-DTESSERA_CBLAS_LIBRARY=<file> -DTESSERA_CBLAS_INCLUDE_DIR=<folder with cblas.h>, or do without, many times slower: -DTESSERA_ENABLE_CBLAS=OFF")
  endif()
endif()
