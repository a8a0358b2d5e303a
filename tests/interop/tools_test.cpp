// SPDX-License-Identifier: Apache-2.0
// The names that Kokkos Tools see: of a program's steps, with the user's line, and of kernels inside them.

#include <tessera/kokkos.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

namespace ts = tessera;
namespace tools = Kokkos::Tools::Experimental;

std::vector<std::string> seen;
int open = 0;

// Notes what tools are told while it lives.
struct listening {
  tools::EventSet const former = tools::get_callbacks();
  listening() {
    seen.clear();
    tools::set_begin_parallel_for_callback([](char const* name, std::uint32_t, std::uint64_t*) {
      seen.push_back(std::string(static_cast<std::size_t>(open), '>') + "for " + name);
    });
    tools::set_push_region_callback([](char const* name) {
      seen.push_back(std::string(static_cast<std::size_t>(open), '>') + "region " + name);
      ++open;
    });
    tools::set_pop_region_callback([] { --open; });
  }
  ~listening() { tools::set_callbacks(former); }
};
std::string all_seen() {
  std::string text;
  for (auto const& name : seen) text += name + '\n';
  return text;
}
bool saw(std::string const& part) {
  return std::any_of(seen.begin(), seen.end(), [&](auto const& name) { return name.find(part) != std::string::npos; });
}

struct halved {
  static constexpr std::string_view name = "halved";
  void operator()(auto const& space, auto x, auto y) const {
    Kokkos::parallel_for(
        "halve each",
        Kokkos::RangePolicy<std::remove_cvref_t<decltype(space)>>(space, 0, static_cast<int>(x.extent(0))),
        KOKKOS_LAMBDA(int i) { y(i) = x(i) / 2; });
  }
};

TEST(Tools, SeeStepsByTheirLine) {
  std::vector<float> const v(1 << 17, 1.0f);
  auto const x = ts::device_put(ts::host<1 << 17>(v));
  listening const on;
  auto const y = ts::jit([](auto a) { return ts::exp(a + 1); })(x);  // large: all threads
  EXPECT_TRUE(saw("for add+exp tools_test.cpp:" + std::to_string(__LINE__ - 1))) << all_seen();
  EXPECT_EQ(y.size(), 1 << 17);
}

TEST(Tools, SeeAUsersKernelWithinItsStep) {
  std::vector<float> const v(64, 4.0f);
  auto const x = ts::device_put(ts::host<64>(v));
  listening const on;
  auto const y = ts::jit([](auto a) { return ts::local_kernel<halved>(a) + 1; })(x);
  auto const name = "region halved tools_test.cpp:" + std::to_string(__LINE__ - 1);
  auto const step = std::find(seen.begin(), seen.end(), name);
  ASSERT_NE(step, seen.end()) << all_seen();
  ASSERT_NE(step + 1, seen.end());
  EXPECT_EQ(*(step + 1), ">for halve each");
  EXPECT_EQ(open, 0);
  EXPECT_EQ(y.to_host()[63], 3.0f);
}

}  // namespace
