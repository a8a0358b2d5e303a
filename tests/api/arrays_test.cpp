// SPDX-License-Identifier: Apache-2.0
// Arrays as users handle them: made from host data, put on devices, moved between layouts, changed by at(), printed; and
// eager operations on them against plain host arithmetic.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <numeric>
#include <sstream>

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using automatic = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using loose = ts::mesh<ts::explicit_axis<dp, ts::dynamic>, ts::explicit_axis<mp, ts::dynamic>>;

std::vector<float> counted(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}
auto grid_mesh() { return ts::make_mesh<grid>(ts::devices()); }

TEST(arrays, from_a_list) {
  auto const x = ts::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
  EXPECT_EQ(std::string(ts::typeof_(x)), "float32[2,3]");
  EXPECT_EQ(x.to_host(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(ts::sum(x).item(), 21);
  EXPECT_EQ(ts::dot(x, x.T()).to_host(), (std::vector<float>{14, 32, 32, 77}));
  EXPECT_EQ((x * 2.0 - 1.0).to_host(), (std::vector<float>{1, 3, 5, 7, 9, 11}));
  EXPECT_EQ((ts::reshape<3, 2>(x).shape()), (ts::extents_list{3, 2}));
  EXPECT_EQ(ts::argmax<1>(x).to_host(), (std::vector<std::int32_t>{2, 2}));
}

TEST(arrays, from_a_number) {
  auto const of = [](auto value, char const* type) {
    auto const expect = [&](auto const& x) {
      EXPECT_EQ(std::string(ts::typeof_(x)), type);
      EXPECT_TRUE(x.item() == value) << type;
    };
    expect(ts::asarray(value));
    expect(ts::device_put(value));
    expect(ts::device_put(value, ts::devices()[1]));
    auto const everywhere = ts::device_put<ts::P<>>(value, grid_mesh());
    expect(everywhere);
    expect(ts::device_put(value, everywhere.sharding()));
  };
  of(3.5f, "float32[]");
  of(true, "bool[]");
  of(std::int8_t{-3}, "int8[]");
  of(ts::float16(1.5f), "float16[]");
  of(ts::bfloat16(2.0f), "bfloat16[]");
  of(ts::complex64(1, -2), "complex64[]");
  of(ts::complex128(1, -2), "complex128[]");
  of(std::complex<float>(1, -2), "complex64[]");
}

TEST(arrays, from_data_of_the_host) {
  std::vector<float> const values = counted(6);
  auto const x = ts::asarray(ts::host<2, 3>(values));
  EXPECT_EQ(std::string(ts::typeof_(x)), "float32[2,3]");
  EXPECT_EQ(x.to_host(), values);
}

TEST(arrays, devices) {
  EXPECT_EQ(ts::device_count(), 8);
  EXPECT_EQ(ts::devices(ts::platform_name).size(), ts::devices().size());
  EXPECT_THROW(ts::devices("abacus"), std::invalid_argument);
  auto const x = ts::device_put(ts::host<3>(counted(3)), ts::devices()[5]);
  ASSERT_EQ(x.devices().size(), 1u);
  EXPECT_EQ(x.devices()[0].id, 5);
  auto const moved = ts::device_put(x, ts::devices()[2]);
  EXPECT_EQ(moved.devices()[0].id, 2);
  EXPECT_EQ(moved.to_host(), counted(3));
}

TEST(arrays, sharded_over_a_mesh) {
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<8, 4>(counted(32)), grid_mesh());
  EXPECT_EQ(std::string(ts::typeof_(x)), "float32[8@dp,4@mp]");
  auto const shards = x.addressable_shards();
  ASSERT_EQ(shards.size(), 8u);
  EXPECT_EQ(shards[3].index, (ts::region{{2, 4}, {2, 4}}));
  EXPECT_EQ(x.to_host(), counted(32));
  EXPECT_EQ(x.sharding().spec().text(), "P('dp', 'mp')");
  EXPECT_FALSE(x.is_fully_replicated());
  EXPECT_EQ(x.block_until_ready().size(), 32);
}

TEST(arrays, moved_to_another_layout) {
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host<8, 4>(counted(32)), grid_mesh());
  auto const y = ts::device_put<ts::P<mp, dp>>(x);
  EXPECT_EQ(std::string(ts::typeof_(y)), "float32[8@mp,4@dp]");
  EXPECT_EQ(y.to_host(), counted(32));
  EXPECT_EQ((ts::reshard<ts::P<ts::axes<dp, mp>>>(y).to_host()), counted(32));
  auto const same = ts::device_put<ts::P<dp, mp>>(x);
  EXPECT_TRUE(same.stored().memory.shares_with(x.stored().memory)) << "nothing moves when it is already there";
}

TEST(arrays, over_auto_axes_the_type_says_nothing) {
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(counted(32)), ts::make_mesh<automatic>(ts::devices()));
  EXPECT_EQ(std::string(ts::typeof_(x)), "float32[8,4]");
  EXPECT_EQ(x.sharding().spec().text(), "P('dp', None)");
  EXPECT_EQ(x.to_host(), counted(32));
}

TEST(arrays, changed_at_an_index) {
  auto const x = ts::device_put<ts::P<dp>>(ts::host<8, 4>(counted(32)), grid_mesh());
  auto want = counted(32);
  auto const y = x.at(1, ts::span(1, 3)).set(-1.0f);
  want[5] = want[6] = -1;
  EXPECT_EQ(y.to_host(), want);
  EXPECT_EQ(x.to_host(), counted(32)) << "arrays are immutable";
  want = counted(32);
  for (std::size_t i = 0; i < 8; ++i) want[4 * i + 3] += 10;
  EXPECT_EQ(x.at(ts::every, -1).add(10.0f).to_host(), want);
  EXPECT_THROW((void)x.at(8).get(ts::mode::checked), std::out_of_range);
  auto const whole = ts::reshard<ts::P<>>(x);
  EXPECT_EQ(whole.at(8).set(0, ts::mode::drop).to_host(), counted(32));
  EXPECT_EQ(whole.at(8).get(ts::mode::clip).to_host(), whole.at(7).get().to_host());
  auto const row = whole.at(1).get(ts::out_sharding<ts::P<dp>>);
  EXPECT_EQ(std::string(ts::typeof_(row)), "float32[4@dp]");
}

TEST(arrays, sizes_known_at_run_time) {
  auto const mesh = ts::make_mesh<loose>(ts::devices(), {4, 2});
  std::vector<float> const values = counted(24);
  auto const x = ts::device_put<ts::P<dp, mp>>(ts::host(values, {12, 2}), mesh);
  EXPECT_EQ(std::string(ts::typeof_(x)), "float32[?@dp,?@mp]");
  auto const y = ts::jit([](auto a) { return ts::sum<0>(a * 2.0); })(x);
  float even = 0, odd = 0;
  for (std::size_t i = 0; i < 24; i += 2) even += 2 * values[i], odd += 2 * values[i + 1];
  EXPECT_EQ(y.to_host(), (std::vector<float>{even, odd}));
  try {
    std::vector<float> const ten = counted(20);
    (void)ts::device_put<ts::P<dp>>(ts::host(ten, {10, 2}), mesh);
    FAIL() << "10 rows do not divide by 4";
  } catch (ts::refused_error const& e) {
    std::string const text = e.what();
    EXPECT_NE(text.find("10"), std::string::npos) << text;
    EXPECT_NE(text.find("12"), std::string::npos) << "the padded size that would divide: " << text;
    EXPECT_NE(text.find("Fix:"), std::string::npos) << text;
  }
}

TEST(arrays, print) {
  auto const x = ts::device_put<ts::P<dp>>(ts::host<4, 2>(counted(8)), grid_mesh());
  std::ostringstream out;
  out << x;
  EXPECT_EQ(out.str(), "[[0. 1.]\n [2. 3.]\n [4. 5.]\n [6. 7.]]");
  std::ostringstream picture;
  picture << ts::visualize(x);
  EXPECT_NE(picture.str().find(ts::runs_on_host ? "CPU 0,1" : "GPU 0,1"), std::string::npos) << picture.str();
  EXPECT_NE(ts::to_svg(ts::visualize(x)).find("<svg"), std::string::npos);
}

TEST(arrays, constants_join_arrays) {
  auto const x = ts::device_put<ts::P<dp>>(ts::host<4, 2>(counted(8)), grid_mesh());
  auto const y = x + ts::ones<float, 4, 2>();
  auto want = counted(8);
  for (float& v : want) v += 1;
  EXPECT_EQ(y.to_host(), want);
}

}  // namespace
