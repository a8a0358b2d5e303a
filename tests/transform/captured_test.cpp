// SPDX-License-Identifier: Apache-2.0
// Functions that are called on constants alone and read a value of the program around them: what is recorded belongs to that
// program, and once, whatever looks at it first.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;

std::vector<float> const numbers{1, 2, 3, 4};
auto on_mesh() { return ts::device_put<ts::P<dp>>(ts::host<4>(numbers), ts::make_mesh<grid>(ts::devices())); }
auto on_all() { return ts::device_put<ts::P<ts::none>>(ts::host<4>(numbers), ts::make_mesh<grid>(ts::devices())); }

template <class F, class... X>
std::vector<float> of(F f, X const&... x) {
  auto const y = ts::jit(f)(x...).to_host();
  return {y.begin(), y.end()};
}
using values = std::vector<float>;

constexpr auto thirds() { return ts::iota<float, 0, 3>(); }

}  // namespace

TEST(captured, gradient_at_a_constant) {
  auto const x = on_mesh();
  EXPECT_EQ(of([](auto y) { return ts::grad([&](auto s) { return ts::sum(s * y); })(ts::zeros<float, 4>()); }, x),
            numbers);
  EXPECT_EQ(of([](auto y) { return ts::grad([&](auto s) { return ts::sum(y * s); })(ts::zeros<float, 4>()); }, x),
            numbers);
  EXPECT_EQ(of([](auto y) { return ts::grad([&](auto s) { return s * ts::sum(y); })(2.0f); }, x), values{10});
  EXPECT_EQ(
      of([](auto y) { return ts::grad(ts::checkpoint([&](auto s) { return ts::sum(y * s); }))(ts::zeros<float, 4>()); },
         x),
      numbers);
  auto const both = [](auto y) {
    auto const [value, slope] =
        ts::value_and_grad([&](auto s) { return ts::sum(ts::square(s - y)); })(ts::zeros<float, 4>());
    return value + slope;
  };
  EXPECT_EQ(of(both, x), (values{28, 26, 24, 22}));
}

TEST(captured, mapped_over_a_constant) {
  auto const x = on_mesh();
  EXPECT_EQ(of([](auto y) { return ts::vmap([&](auto s) { return s + s * ts::sum(y); })(thirds()); }, x),
            (values{0, 11, 22}));
  EXPECT_EQ(of([](auto y) { return ts::vmap([&](auto s) { return ts::sum(y) * s; })(thirds()); }, x),
            (values{0, 10, 20}));
  EXPECT_EQ(
      of([](auto y) { return ts::vmap([&](auto s, auto t) { return ts::sum(y) * s - t; })(thirds(), thirds()); }, x),
      (values{0, 9, 18}));
  auto const nested = [](auto y) {
    return ts::vmap([&](auto s) { return ts::grad([&](auto t) { return ts::sum(t * t * y); })(s); })(
        ts::ones<float, 2, 4>());
  };
  EXPECT_EQ(of(nested, on_all()), (values{2, 4, 6, 8, 2, 4, 6, 8}));
}

TEST(captured, what_only_reads_constants_is_a_constant) {
  auto const mapped = ts::vmap([](auto s) { return s + 1.0f; })(thirds());
  static_assert(ts::is_constant<std::remove_cvref_t<decltype(mapped)>>);
  auto const slope = ts::grad([](auto s) { return s * s; })(3.0f);
  static_assert(ts::is_constant<std::remove_cvref_t<decltype(slope)>>);
}

TEST(captured, shard_map_of_a_constant_on_a_mesh) {
  auto const shifted = [](auto y) {
    auto const ones = ts::ones<float, 4>(ts::out_sharding<ts::P<dp>, grid>);
    return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto s) { return s + ts::astype<float>(ts::axis_index<dp>()); })(
               ones) *
           y;
  };
  EXPECT_EQ(of(shifted, on_mesh()), (values{1, 4, 9, 16}));
}

// Whoever looks what a function reads calls it; nothing of that may be left.
TEST(captured, effects_happen_once) {
  auto const x = on_all();
  int const speaks = ts::process_index() == 0;  // the first process says what is printed
  auto const printed = [&](auto f) {
    testing::internal::CaptureStdout();
    of(f, x);
    std::string const text = testing::internal::GetCapturedStdout();
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(printed([](auto y) {
              return ts::vmap([&](auto s) {
                ts::debug_print<"{}">(y);
                return ts::sum(y) * s;
              })(ts::zeros<float, 3>());
            }),
            speaks);
  EXPECT_EQ(printed([](auto y) {
              return ts::grad([&](auto s) {
                ts::debug_print<"{}">(y);
                return ts::sum(y * s);
              })(ts::zeros<float, 4>());
            }),
            speaks);
  EXPECT_EQ(printed([](auto y) {
              ts::debug_print<"{}">(y);
              auto const turn = [&](auto, auto c) {
                ts::debug_print<"{}">(y);
                return c + y;
              };
              return ts::fori_loop(0, 2, turn, ts::zeros<float, 4>());
            }),
            3 * speaks);
}

TEST(captured, keys_are_read_once) {
  auto const x = on_all();
  auto const key = ts::random::key(3);
  auto const drawn = of([](auto k) { return ts::random::normal<float, 4>(k); }, key);
  auto const slope = [](auto y, auto k) {
    return ts::grad([&](auto s) { return ts::sum(s * y * ts::random::normal<float, 4>(k)); })(ts::zeros<float, 4>());
  };
  auto const found = of(slope, x, key);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(found[i], numbers[i] * drawn[i]);
  auto const branch = [](auto y, auto k) {
    return ts::cond(
        ts::ones<bool>(), [&](auto s) { return s + y + ts::random::normal<float, 4>(k); },
        [&](auto s) { return s - y; }, ts::zeros<float, 4>());
  };
  auto const chosen = of(branch, x, key);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(chosen[i], numbers[i] + drawn[i]);
  auto const twice = [](auto y, auto k) {
    auto const a =
        ts::vmap([&](auto s) { return s * ts::sum(y) + ts::random::normal<float>(k); })(ts::zeros<float, 3>());
    return a + ts::random::normal<float>(k);
  };
  static_assert(!std::is_void_v<ts::why<decltype(twice), decltype(x), std::remove_cv_t<decltype(key)>>>);
}
