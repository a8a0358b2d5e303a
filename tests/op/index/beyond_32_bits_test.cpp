// SPDX-License-Identifier: Apache-2.0
// More than 2^31 elements, and more than 2^32 bytes: at night, where there is memory for it.

#include "support/on_grid.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

using namespace on_grid;

bool have_gibibytes(std::int64_t wanted) {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  while (file >> name >> kibibytes) {
    if (name == "MemAvailable:") return kibibytes >> 20 >= wanted;
    file.ignore(64, '\n');
  }
  return false;
}
#define ONLY_WITH(gibibytes)                                                        \
  if (!std::getenv("TESSERA_NIGHTLY")) GTEST_SKIP() << "only with TESSERA_NIGHTLY"; \
  if (!have_gibibytes(gibibytes)) GTEST_SKIP() << "needs " << gibibytes << " GiB of memory"

constexpr std::int64_t n = (std::int64_t{1} << 31) + 1024;

// n bytes: 0, 1, ..., 255, 0, ...
struct counted_bytes {
  constexpr auto operator()(auto x) const { return ts::reshape<n>(ts::broadcast_to<n / 256, 256>(x)); }
};
auto bytes() {
  std::vector<std::uint8_t> x(256);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint8_t>(i);
  return ts::jit<counted_bytes>(ts::asarray(x));
}
struct adds_one {
  constexpr auto operator()(auto x) const { return x + 1; }
};
struct largest {
  constexpr auto operator()(auto x) const { return std::tuple{ts::max(x), ts::min(x)}; }
};
struct picked {
  constexpr auto operator()(auto x, auto at) const { return std::tuple{ts::take<0>(x, at), x.at(at).get()}; }
};
struct last_part {
  constexpr auto operator()(auto x) const {
    return std::tuple{ts::slice(x, ts::starts<n - 3>, ts::limits<n>), x.at(n - 2).get(),
                      x.at(ts::span<n - 4, n>()).get()};
  }
};
struct written {
  constexpr auto operator()(auto x) const { return x.at(ts::span<n - 4, n - 2>()).set(7); }
};
struct turned {
  constexpr auto operator()(auto x) const { return ts::reshape<2, n / 2>(x).T(); }
};

TEST(beyond_32_bits, elements) {
  ONLY_WITH(12);
  auto x = bytes();
  auto const last = [&](auto const& y, std::int64_t back) { return +y.addressable_shards()[0].data[y.size() - back]; };
  EXPECT_EQ(x.size(), n);
  EXPECT_EQ(last(x, 1), 255);
  auto const [high, low] = ts::jit<largest>(x);
  EXPECT_EQ(high.item(), 255);
  EXPECT_EQ(low.item(), 0);
  auto const places = ts::asarray(std::vector<std::int64_t>{n - 1, n - 2, 5, -3});
  auto const [taken, indexed] = ts::jit<picked>(x, places);
  EXPECT_EQ(taken.to_host()[0], 255);
  EXPECT_EQ(indexed.to_host()[1], 254);
  EXPECT_EQ(indexed.to_host()[3], 253);
  auto const [end, one, part] = ts::jit<last_part>(x);
  EXPECT_EQ(end.to_host()[0], 253);
  EXPECT_EQ(one.item(), 254);
  EXPECT_EQ(part.to_host()[0], 252);
  EXPECT_EQ(x.at(n - 3).get().item(), 253);
  EXPECT_EQ(x.at(ts::span(n - 2, n)).get().to_host()[0], 254);
  {
    auto const y = ts::jit<adds_one>(x);
    EXPECT_EQ(last(y, 2), 255);
    EXPECT_EQ(last(y, 1), 0);
  }
  {
    auto const y = ts::jit<turned>(x);
    EXPECT_EQ(last(y, 1), 255);
    EXPECT_EQ(last(y, 3), 254);
    EXPECT_EQ(last(y, 4), last(x, n / 2 + 2));
  }
  {
    auto const y = ts::jit<written>(std::move(x));
    EXPECT_EQ(last(y, 4), 7);
    EXPECT_EQ(last(y, 3), 7);
    EXPECT_EQ(last(y, 2), 254);
  }
  ts::release_unused_memory();
}

// A run-time index that int32 does not hold is refused, not wrapped.
struct at_index {
  constexpr auto operator()(auto x, auto i) const { return x.at(i).get(); }
};
TEST(beyond_32_bits, index) {
  auto const x = ts::asarray(std::vector<float>{1, 2, 3});
  EXPECT_EQ(ts::jit<at_index>(x, 1).item(), 2);
  EXPECT_THROW(ts::jit<at_index>(x, (1LL << 32) + 1), std::out_of_range);
}

// 2^29 + 1024 doubles, in eight blocks.
constexpr std::int64_t m = (std::int64_t{1} << 29) + 1024;
struct ones_on_grid {
  constexpr auto operator()(auto x) const { return ts::broadcast_to<m>(x, ts::out_sharding<ts::P<ts::axes<dp, mp>>>); }
};
struct doubled_sum {
  constexpr auto operator()(auto x) const { return ts::sum(x + x); }
};
TEST(beyond_32_bits, bytes) {
  ONLY_WITH(8);
  auto const x = ts::jit<ones_on_grid>(put<ts::P<>, 1>(std::vector<double>{1.5}));
  EXPECT_EQ(x.size(), m);
  EXPECT_EQ(x.addressable_shards()[7].data[m / 8 - 1], 1.5);
  EXPECT_EQ(ts::jit<doubled_sum>(x).item(), 3.0 * static_cast<double>(m));
  ts::release_unused_memory();
}

}  // namespace
