// SPDX-License-Identifier: Apache-2.0
// Files that were compiled differently do not make one program.

#include <tessera/exec/device/configuration.hpp>
#include <tessera/exec/run/executable.hpp>

#include <gtest/gtest.h>

namespace {

TEST(configuration, is_one) {
  EXPECT_TRUE(tessera::detail::configured);
  tessera::detail::require_one_configuration(TESSERA_CONFIGURATION);
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(tessera::detail::require_one_configuration("headers alone, another processor"),
               "tessera: files of this program were compiled differently: '.*' and 'headers alone, another processor'");
  EXPECT_DEATH(tessera::detail::require_one_configuration("with tessera::engine, x86-64-v5"), "TESSERA_ARCH");
}

}  // namespace
