# SPDX-License-Identifier: Apache-2.0
# benchmark::benchmark and benchmark::benchmark_main.
include_guard(GLOBAL)

if(NOT TARGET benchmark::benchmark)
  find_package(benchmark QUIET)
endif()
if(NOT TARGET benchmark::benchmark)
  tessera_obtain(benchmark source
    URL https://github.com/google/benchmark/archive/refs/tags/v1.8.3.tar.gz
    SHA256 6bc180a57d23d4d9515519f92b0c83d61b05b5bab188961f36ac7b06b0d9e9ce
    SDIST onnx==1.14.1
    REGISTRY_SHA256 70903afe163643bd71195c78cedcc3f4fa05a2af651fd950ef3acbb15175b2d1)
  if(NOT source)
    tessera_missing("Google Benchmark" libbenchmark-dev google-benchmark-devel google-benchmark "-Dbenchmark_ROOT=<prefix>, or build without benchmarks: -DTESSERA_BUILD_BENCHMARKS=OFF")
  endif()
  if(EXISTS ${source}/third_party/benchmark/CMakeLists.txt)
    set(source ${source}/third_party/benchmark)
  endif()
  tessera_build_once(benchmark prefix SOURCE ${source}
    OPTIONS -DBENCHMARK_ENABLE_TESTING=OFF -DBENCHMARK_ENABLE_WERROR=OFF -DBENCHMARK_ENABLE_INSTALL=ON)
  set(CMAKE_DISABLE_FIND_PACKAGE_benchmark OFF)
  find_package(benchmark CONFIG REQUIRED QUIET NO_DEFAULT_PATH PATHS ${prefix})
endif()
message(STATUS "Google Benchmark ${benchmark_VERSION}: ${benchmark_DIR}")
