# SPDX-License-Identifier: Apache-2.0
# tessera::pocketfft, a header for the Fourier transforms of tests and benchmarks, where there is one: an installed
# pocketfft_hdronly.h or the pinned one of the public repository. Nothing needs it: docs/decisions/013-fourier-transforms.md.
include_guard(GLOBAL)

find_path(TESSERA_POCKETFFT_INCLUDE_DIR pocketfft_hdronly.h PATH_SUFFIXES pocketfft)
mark_as_advanced(TESSERA_POCKETFFT_INCLUDE_DIR)
if(NOT TESSERA_POCKETFFT_INCLUDE_DIR AND TESSERA_FETCH)
  tessera_lock_cache()
  if(NOT EXISTS ${TESSERA_DEPENDENCY_CACHE}/pocketfft/pocketfft_hdronly.h)
    tessera_download(
      https://raw.githubusercontent.com/mreineck/pocketfft/33ae5dc94c9cdc7f1c78346504a85de87cadaa12/pocketfft_hdronly.h
      50f4ddbe60432325f560c706b6f1c49f9e0949fc7f20ae6499f2299e37d9790c header)
    if(header)
      file(MAKE_DIRECTORY ${TESSERA_DEPENDENCY_CACHE}/pocketfft)
      file(RENAME ${header} ${TESSERA_DEPENDENCY_CACHE}/pocketfft/pocketfft_hdronly.h)
    endif()
  endif()
  if(EXISTS ${TESSERA_DEPENDENCY_CACHE}/pocketfft/pocketfft_hdronly.h)
    set(TESSERA_POCKETFFT_INCLUDE_DIR ${TESSERA_DEPENDENCY_CACHE}/pocketfft CACHE PATH "" FORCE)
  endif()
endif()
if(TESSERA_POCKETFFT_INCLUDE_DIR)
  add_library(tessera::pocketfft INTERFACE IMPORTED GLOBAL)
  target_include_directories(tessera::pocketfft SYSTEM INTERFACE ${TESSERA_POCKETFFT_INCLUDE_DIR})
else()
  message(STATUS "pocketfft was not found: the tests of exec/pocketfft.hpp are skipped. "
                 "-DTESSERA_POCKETFFT_INCLUDE_DIR=<folder with pocketfft_hdronly.h> names a copy")
endif()
