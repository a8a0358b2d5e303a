# SPDX-License-Identifier: Apache-2.0
# GTest::gtest and GTest::gtest_main.
include_guard(GLOBAL)

if(NOT TARGET GTest::gtest)
  find_package(GTest QUIET)
endif()
if(NOT TARGET GTest::gtest)
  tessera_obtain(googletest source
    URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
    SHA256 8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7
    SDIST pygenten==0.1.5
    REGISTRY_SHA256 e620f05c742905e2db705d875f1cac92ef0ed453f9e6734e9beda26cc0f9cce7)
  if(NOT source)
    tessera_missing(GoogleTest libgtest-dev gtest-devel googletest "-DGTest_ROOT=<prefix>, or build without tests: -DTESSERA_BUILD_TESTS=OFF")
  endif()
  if(EXISTS ${source}/tpls/googletest/CMakeLists.txt)
    set(source ${source}/tpls/googletest)
  endif()
  tessera_build_once(googletest prefix SOURCE ${source} OPTIONS -DBUILD_GMOCK=OFF)
  set(CMAKE_DISABLE_FIND_PACKAGE_GTest OFF)
  find_package(GTest CONFIG REQUIRED QUIET NO_DEFAULT_PATH PATHS ${prefix})
endif()
message(STATUS "GoogleTest ${GTest_VERSION}: ${GTest_DIR}")
