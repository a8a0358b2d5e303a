// SPDX-License-Identifier: Apache-2.0
// Draws over several processes are those of one process with all devices, and nothing is sent for them.

#include <tessera/api/processes.hpp>
#include <tessera/comm/channel/alone.hpp>
#include <tessera/comm/world/world.hpp>

#include "support/on_grid.hpp"

#include <vector>

namespace {

using namespace on_grid;
namespace rd = ts::random;
using ts::none;
using ts::P;

class alone {
public:
  alone() { ts::detail::join_world_as_thread(ts::alone()); }
  ~alone() { ts::detail::join_world_as_thread(nullptr); }
};

struct draws {
  constexpr auto operator()(auto key) const {
    auto [a, b, c] = rd::split<3>(key);
    constexpr ts::out_sharding_t<P<dp, mp>> out{};
    auto const counts = rd::randint<ts::int32, 24, 16>(a, -3, 40, out);
    return rd::normal<float, 24, 16>(b, out) * ts::astype<float>(counts) + rd::uniform<float, 24, 16>(c, out);
  }
};
auto drawn() {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  return ts::jit<draws>(rd::wrap_key_data(ts::device_put<P<none>>(rd::key(2026).data, mesh)));
}

TEST(RandomOfProcesses, AsOfOne) {
  if (ts::device_count() != 8) GTEST_SKIP() << "the mesh has eight devices";
  std::vector<float> wanted;
  {
    alone const here;
    auto const values = drawn().to_host();
    wanted.assign(values.begin(), values.end());
  }
  auto const got = ts::process_allgather(drawn());
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) ASSERT_EQ(got[i], wanted[i]) << i;
}

// The slope by a number is a sum over all of them.
struct slope {
  constexpr auto operator()(auto key, auto a) const {
    return ts::grad([&](auto shape) {
      return ts::sum(rd::gamma<double, 24, 16>(key, shape, ts::out_sharding<P<dp, mp>, grid>));
    })(a);
  }
};
double slope_by_a_number() {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const a = ts::device_put<P<none>>(ts::host<1>(std::vector<double>{1.75}), mesh).at(0).get();
  return ts::jit<slope>(rd::wrap_key_data(ts::device_put<P<none>>(rd::key(2026).data, mesh)), a).item();
}
TEST(RandomOfProcesses, SlopeAsOfOne) {
  if (ts::device_count() != 8) GTEST_SKIP() << "the mesh has eight devices";
  double wanted = 0;
  {
    alone const here;
    wanted = slope_by_a_number();
  }
  EXPECT_NEAR(slope_by_a_number(), wanted, 1e-9);
}

}  // namespace
