// SPDX-License-Identifier: Apache-2.0
// Constants made of a number alone, full<4>(100), whose element type an operation changes outside of traced code, where
// they are recorded when the program runs: by astype, by an operand of another type, in a tree, on a mesh.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

template <class X>
std::vector<double> values(X const& x) {
  auto const all = x.to_host();
  std::vector<double> out;
  for (auto const& v : all) out.push_back(static_cast<double>(v));
  return out;
}
std::vector<double> const four(4, 100);

template <class T>
void becomes() {
  EXPECT_EQ(values(ts::asarray(ts::astype<T>(ts::full<4>(100)))), four);
  EXPECT_EQ(values(ts::asarray(ts::astype<T>(ts::full<4>(100.0)))), four);
  EXPECT_EQ(values(ts::asarray(ts::full<4>(100) * ts::ones<T, 4>())), four);
  EXPECT_EQ(values(ts::asarray(ts::reshape<4>(ts::astype<T>(ts::full<2, 2>(100))))), four);
}
template <class... T>
void each_becomes() {
  (becomes<T>(), ...);
}

TEST(WeakConstants, TakeOtherTypesWhenTheProgramRuns) {
  each_becomes<ts::int8, ts::int16, int, std::int64_t, ts::uint8, std::uint32_t, float, double, ts::bfloat16,
               ts::float16>();
  EXPECT_EQ(values(ts::asarray(ts::full<4>(99) + ts::astype<float>(ts::full<4>(1)))), four);
  EXPECT_EQ(values(ts::asarray(ts::where(ts::arange<4>() < 9, ts::full<4>(100), ts::zeros<float, 4>()))), four);
  auto const mesh = ts::make_mesh<line>(ts::devices());
  EXPECT_EQ(values(ts::device_put<ts::P<dp>>(ts::astype<float>(ts::full<4>(100)), mesh)), four);
  ts::use_mesh const current{mesh};
  EXPECT_EQ(values(ts::asarray(ts::astype<float>(ts::full<4>(100, ts::out_sharding<ts::P<dp>, line>)))), four);
}

}  // namespace
