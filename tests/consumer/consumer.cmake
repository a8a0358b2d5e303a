# SPDX-License-Identifier: Apache-2.0
# A user's project builds and runs: against the installed package, its type level alone, and with ours as a subdirectory.
include_guard(GLOBAL)

set(consumer ${PROJECT_BINARY_DIR}/consumer)
add_test(NAME consumer.install
         COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${consumer}/prefix --config $<CONFIG>)
set_tests_properties(consumer.install PROPERTIES FIXTURES_SETUP installed RESOURCE_LOCK build_tree LABELS consumer)

# What was found on this machine is named to the consumer; what our build fetched must come with the package or the subdirectory.
set(found "")
if(NOT TESSERA_BUNDLED_kokkos)
  list(APPEND found -DKokkos_DIR=${Kokkos_DIR})
endif()
if(NOT TESSERA_BUNDLED_mp11)
  list(APPEND found -DTESSERA_MP11_INCLUDE_DIR=${TESSERA_MP11_INCLUDE_DIR})
endif()
if(NOT TESSERA_BUNDLED_cblas)
  list(APPEND found -DTESSERA_CBLAS_LIBRARY=${TESSERA_CBLAS_LIBRARY} -DTESSERA_CBLAS_INCLUDE_DIR=${TESSERA_CBLAS_INCLUDE_DIR})
endif()

if(TARGET tessera_nccl_library)
  list(APPEND found -DWITH_NCCL=ON -DTESSERA_NCCL_LIBRARY=${TESSERA_NCCL_LIBRARY} -DTESSERA_NCCL_INCLUDE_DIR=${TESSERA_NCCL_INCLUDE_DIR})
endif()

# tessera_consumer_test(<name> <program> <option>...)
function(tessera_consumer_test name program)
  add_test(NAME consumer.${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${PROJECT_SOURCE_DIR}/tests/consumer ${consumer}/${name}
            --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM}
            --build-options --fresh -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
                            -DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS} -DCMAKE_CXX_FLAGS_RELEASE=${CMAKE_CXX_FLAGS_RELEASE} ${ARGN}
            --test-command ${program})
  tessera_run_test(consumer.${name} consumer 900)
endfunction()

tessera_consumer_test(find_package consumer -DWITH_ENGINE=ON -DPRECOMPILE=ON -DTESSERA_ARCH=native -DCMAKE_PREFIX_PATH=${consumer}/prefix ${found})
tessera_consumer_test(find_types types_only -DTYPES_ONLY=ON -DCMAKE_PREFIX_PATH=${consumer}/prefix ${found})
set_tests_properties(consumer.find_package consumer.find_types PROPERTIES FIXTURES_REQUIRED installed)
# A plain Kokkos program of the same project.
add_test(NAME consumer.kokkos_program COMMAND ${consumer}/find_package/kokkos_program)
tessera_run_test(consumer.kokkos_program consumer 60)
set_tests_properties(consumer.find_package PROPERTIES FIXTURES_SETUP consumer_built)
set_tests_properties(consumer.kokkos_program PROPERTIES FIXTURES_REQUIRED consumer_built)
tessera_consumer_test(add_subdirectory consumer -DTESSERA_SOURCE_DIR=${PROJECT_SOURCE_DIR}
  -DTESSERA_DEPENDENCY_CACHE=${TESSERA_DEPENDENCY_CACHE} -DTESSERA_ENABLE_CUDA=${TESSERA_ENABLE_CUDA} ${found})

# A project that names no build type is told what that means, however it has Tessera.
set(package -DCMAKE_PREFIX_PATH=${consumer}/prefix)
set(subdirectory -DTESSERA_SOURCE_DIR=${PROJECT_SOURCE_DIR} -DTESSERA_DEPENDENCY_CACHE=${TESSERA_DEPENDENCY_CACHE}
                 -DTESSERA_ENABLE_CUDA=${TESSERA_ENABLE_CUDA})
foreach(way IN ITEMS package subdirectory)
  add_test(NAME consumer.no_build_type.${way}
    COMMAND ${CMAKE_COMMAND} --fresh -G ${CMAKE_GENERATOR} -S ${PROJECT_SOURCE_DIR}/tests/consumer -B ${consumer}/no_build_type.${way}
            -DCMAKE_BUILD_TYPE= -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} ${${way}} ${found})
  tessera_run_test(consumer.no_build_type.${way} consumer 300)
  set_tests_properties(consumer.no_build_type.${way} PROPERTIES PASS_REGULAR_EXPRESSION "tessera: CMAKE_BUILD_TYPE is empty")
endforeach()
set_tests_properties(consumer.no_build_type.package PROPERTIES FIXTURES_REQUIRED installed)

# Where a project compiles with -O2, the engine is compiled with -O3.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT Kokkos_ENABLE_CUDA)
  add_test(NAME consumer.engine_at_O2
    COMMAND ${Python3_EXECUTABLE} ${tests}/consumer/engine_level.py ${consumer}/engine_at_O2 ${CMAKE_COMMAND}
            -S ${PROJECT_SOURCE_DIR}/tests/consumer -DWITH_ENGINE=ON -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} ${subdirectory} ${found})
  tessera_run_test(consumer.engine_at_O2 consumer 300)
endif()
