# SPDX-License-Identifier: Apache-2.0
# Installs the headers, the package and those dependencies that our build fetched: these into a folder of their own,
# where tesseraConfig.cmake looks when the user's machine has none.
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
set(dependencies ${CMAKE_INSTALL_LIBDIR}/tessera)
set(headers ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS tessera_types tessera_tessera EXPORT tesseraTargets FILE_SET HEADERS)
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${package})
foreach(model IN LISTS TESSERA_MODELS)
  if(TARGET tessera_${model})
    install(TARGETS tessera_${model} EXPORT tessera_${model} FILE_SET HEADERS)
    install(EXPORT tessera_${model} NAMESPACE tessera:: DESTINATION ${package})
  endif()
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tesseraConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tesseraConfig.cmake INSTALL_DESTINATION ${package} PATH_VARS dependencies headers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/arch.cmake ${CMAKE_CURRENT_LIST_DIR}/engine.cmake
              ${CMAKE_CURRENT_LIST_DIR}/precompile.cmake
              ${CMAKE_CURRENT_LIST_DIR}/find_mp11.cmake ${CMAKE_CURRENT_LIST_DIR}/find_cblas.cmake
              ${CMAKE_CURRENT_LIST_DIR}/find_onednn.cmake
              ${CMAKE_CURRENT_LIST_DIR}/find_mpi.cmake ${CMAKE_CURRENT_LIST_DIR}/find_nccl.cmake
              ${CMAKE_CURRENT_LIST_DIR}/build_type.cmake
        DESTINATION ${package})
install(FILES ${PROJECT_SOURCE_DIR}/include/tessera/gdb.py DESTINATION ${headers}/tessera)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tessera)
foreach(name IN ITEMS kokkos mp11 cblas onednn mpi)
  if(TESSERA_BUNDLED_${name})
    install(DIRECTORY ${TESSERA_BUNDLED_${name}}/ DESTINATION ${dependencies}/${name} USE_SOURCE_PERMISSIONS
            PATTERN complete EXCLUDE)
  endif()
endforeach()
