// SPDX-License-Identifier: Apache-2.0
// The main function of every test program that runs something, by itself or as one of several processes.

#include <gtest/gtest.h>

#include <tessera/exec/device/runtime.hpp>

#include <Kokkos_Core.hpp>

// Memory that there is not is a bad_alloc for sanitizers, too.
extern "C" char const* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" char const* __tsan_default_options() { return "allocator_may_return_null=1"; }

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();  // ctest asks on machines without a device, too
  if (auto processes = tessera::detail::processes_of_run(argc, argv)) {
    tessera::runtime const runtime{argc, argv, std::move(processes)};
    return RUN_ALL_TESTS();
  }
  Kokkos::ScopeGuard const kokkos{argc, argv};
  return RUN_ALL_TESTS();
}
