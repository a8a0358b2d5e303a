// SPDX-License-Identifier: Apache-2.0
// reshard<S, grid>(x) in traced code puts an x without a mesh on grid: keys for the devices, arguments, carries of a scan,
// values under vmap, gradients, which then lie on the loss's mesh.

#include "support/on_grid.hpp"

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

namespace {

using namespace on_grid;
using ts::P;

auto four() { return ts::asarray({1., 2., 3., 4.}); }
struct reshard_onto_mesh : ::testing::Test {
  ts::use_mesh<grid> const on{ts::make_mesh<grid>(ts::devices())};
};
template <class X>
void is(X const& x, std::string_view type, std::vector<double> const& values) {
  EXPECT_EQ(ts::type_text<X>, type);
  expect(x, values);
}

TEST_F(reshard_onto_mesh, an_argument) {
  is(ts::jit([](auto x) { return ts::reshard<P<dp>, grid>(x * 2); })(four()), "float64[4@dp]", {2, 4, 6, 8});
  auto const both = ts::jit([](auto x) {
    return ts::reshard<std::tuple<P<dp>, P<mp>>, grid>(std::tuple{x, x + 1});
  })(four());
  is(std::get<0>(both), "float64[4@dp]", {1, 2, 3, 4});
  is(std::get<1>(both), "float64[4@mp]", {2, 3, 4, 5});
}
TEST_F(reshard_onto_mesh, of_its_own_mesh_it_is_reshard) {
  auto const x = put<P<dp>, 4>(std::vector<double>{1, 2, 3, 4});
  is(ts::jit([](auto x) { return ts::reshard<P<mp>, grid>(x); })(x), "float64[4@mp]", {1, 2, 3, 4});
}

// In the layout of another value's type: arrays and constants without a mesh, in a program and outside.
TEST_F(reshard_onto_mesh, as_another_value) {
  constexpr auto alike = [](auto const& y, auto const& x) {
    constexpr auto layout = ts::typeof_t<decltype(y)>::sharding();
    return y + ts::reshard(x, layout) + ts::reshard(ts::arange<double, 4>(), layout);
  };
  auto const y = put<P<mp>, 4>(std::vector<double>{1, 1, 1, 1});
  is(ts::jit(alike)(y, four()), "float64[4@mp]", {2, 4, 6, 8});
  is(ts::jit(alike)(y, ts::full<double, 4>(3)), "float64[4@mp]", {4, 5, 6, 7});
  is(ts::jit(alike)(y, put<P<dp>, 4>(std::vector<double>{1, 2, 3, 4})), "float64[4@mp]", {2, 4, 6, 8});
  is(alike(y, ts::full<double, 4>(3)), "float64[4@mp]", {4, 5, 6, 7});
}

struct noise {
  constexpr auto operator()(auto k) const {
    auto const keys = ts::random::split_batch<16>(k, ts::out_sharding<P<dp>, grid>);
    return ts::vmap([](auto each) { return ts::random::normal<double, 3>(each); })(keys);
  }
};
TEST_F(reshard_onto_mesh, keys_for_the_devices) {
  auto const key = ts::random::key(7);
  auto const whole = ts::random::split_batch<16>(key).data.to_host();
  auto const same = [&](auto const& keys) {
    EXPECT_EQ(ts::type_text<decltype(keys.data)>, "uint32[16@dp,2]");
    auto const got = keys.data.to_host();
    for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], whole[i]) << i;
  };
  same(ts::jit([](auto k) { return ts::reshard<P<dp>, grid>(ts::random::split_batch<16>(k)); })(key));
  same(ts::jit([](auto k) { return ts::random::split_batch<16>(k, ts::out_sharding<P<dp>, grid>); })(key));
  same(ts::random::split_batch<16>(key, ts::out_sharding<P<dp>, grid>));

  using key_type = std::remove_cvref_t<decltype(key)>;
  static_assert(ts::comm_of<noise, key_type>.count() == 0);
  auto const drawn = ts::jit<noise>(key);
  EXPECT_EQ(ts::type_text<decltype(drawn)>, "float64[16@dp,3]");
  auto const alone =
      ts::vmap([](auto each) { return ts::random::normal<double, 3>(each); })(ts::random::split_batch<16>(key));
  auto const values = alone.to_host();
  expect(drawn, {values.begin(), values.end()});
}

TEST_F(reshard_onto_mesh, in_loops_branches_and_vmap) {
  auto const stacked = [](auto x) {
    return std::get<1>(ts::scan<2>([](auto c) { return std::tuple{c + 1, ts::reshard<P<dp>, grid>(c)}; }, x));
  };
  is(ts::jit(stacked)(four()), "float64[2,4@dp]", {1, 2, 3, 4, 2, 3, 4, 5});
  auto const chosen = [](auto x) {
    auto const placed = [](auto y) { return ts::reshard<P<dp>, grid>(y); };
    return ts::cond(
        ts::sum(x) > 1, placed, [placed](auto y) { return placed(-y); }, x);
  };
  is(ts::jit(chosen)(four()), "float64[4@dp]", {1, 2, 3, 4});
  is(ts::jit([](auto x) { return ts::vmap([](auto a) { return a * a; })(ts::reshard<P<mp>, grid>(x)); })(four()),
     "float64[4@mp]", {1, 4, 9, 16});
}

TEST_F(reshard_onto_mesh, gradients_lie_on_the_mesh_of_the_loss) {
  auto const loss = [](auto x) { return ts::sum(ts::square(ts::reshard<P<dp>, grid>(x))); };
  is(ts::grad(loss)(four()), "float64[4]", {2, 4, 6, 8});
  is(ts::jit(ts::grad(ts::checkpoint(loss)))(four()), "float64[4]", {2, 4, 6, 8});
  is(std::get<1>(ts::jit(ts::value_and_grad(loss))(four())), "float64[4]", {2, 4, 6, 8});
  EXPECT_EQ(ts::grad(loss)(four()).devices().size(), 8u);
  auto const pulled = [](auto x) {
    auto [value, back] = ts::vjp([](auto y) { return ts::square(ts::reshard<P<dp>, grid>(y)); }, x);
    return back(value);
  };
  is(std::get<0>(ts::jit(pulled)(four())), "float64[4]", {2, 16, 54, 128});
  auto const pushed = [](auto x) {
    return std::get<1>(ts::jvp([](auto y) { return ts::square(ts::reshard<P<dp>, grid>(y)); }, x, x));
  };
  is(ts::jit(pushed)(four()), "float64[4@dp]", {2, 8, 18, 32});
}

}  // namespace
