// SPDX-License-Identifier: Apache-2.0
// The main function of every test program that runs something.

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();  // ctest asks on machines without a device, too
  Kokkos::ScopeGuard const kokkos{argc, argv};
  return RUN_ALL_TESTS();
}
