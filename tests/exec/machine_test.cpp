// SPDX-License-Identifier: Apache-2.0
// What the system says of the machine, and that it is said.

#include <tessera/tessera.hpp>

#include <tessera/engine/exec/device/system_text.hpp>
#include <tessera/exec/memory/stream.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

namespace ts = tessera;

TEST(machine, reads_what_the_system_writes) {
  EXPECT_EQ(ts::detail::bytes_of_text("48K"), 48 * 1024);
  EXPECT_EQ(ts::detail::bytes_of_text("32M"), 32 << 20);
  EXPECT_EQ(ts::detail::bytes_of_text(""), 0);
  EXPECT_EQ(ts::detail::count_of_list("0"), 1);
  EXPECT_EQ(ts::detail::count_of_list("0-3,8-11"), 8);
  EXPECT_EQ(ts::detail::count_of_list("0,2"), 2);
}

TEST(machine, is_found_once) {
  ts::detail::machine const& m = ts::detail::this_machine();
  EXPECT_EQ(&m, &ts::detail::this_machine());
  EXPECT_GE(m.cores, 1);
  EXPECT_GE(m.cores_an_l3, 1);
  EXPECT_GE(ts::detail::stream_bytes(), 1 << 20);
}

TEST(machine, counts_on_its_part_of_the_last_caches) {
  constexpr auto share = [](std::int64_t l3_mib, int cores, int cores_an_l3) {
    ts::detail::machine m;
    m.l3 = l3_mib << 20;
    m.cores = cores;
    m.cores_an_l3 = cores_an_l3;
    return ts::detail::cache_share(m) >> 20;
  };
  EXPECT_EQ(share(32, 2, 2), 32);   // two cores of eight that share 32 MiB
  EXPECT_EQ(share(32, 16, 8), 64);  // two caches
  EXPECT_EQ(share(36, 8, 8), 36);
  EXPECT_EQ(share(480, 2, 2), 32);  // two cores of many, shown all of it
  EXPECT_EQ(share(480, 120, 120), 480);
  EXPECT_EQ(share(0, 4, 1), 16);  // the system does not say
}

TEST(machine, is_described) {
  std::string const text = ts::environment_info();
  for (char const* name :
       {"compiler: ", "compiled: ", "engine's loops: ", "processor: ", "caches: ", "threads: ", "BLAS: ", "devices: "})
    EXPECT_NE(text.find(name), std::string::npos) << text;
  EXPECT_NE(text.find(TESSERA_CONFIGURATION), std::string::npos) << text;
}

}  // namespace
