// SPDX-License-Identifier: Apache-2.0
// What stood in the first versions of whole programs: shapes of other values, options as text, results of refused functions
// bound to names or mapped with a tree, conditions in rules, and errors behind a value that was drawn on a mesh.

#include <tessera/tessera.hpp>

#include <tuple>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

// A gradient by a rule, in a scan that stacks a value.
struct halved {
  constexpr auto operator()(auto x) const {
    return ts::while_loop([](auto z) { return above(z); }, [](auto z) { return z / 2; }, x);
  }
  static constexpr auto above(auto z) {
#if TESSERA_MISUSE == 1
    return ts::max(z) > 1 && ts::min(z) > 1;
#else
    return ts::max(z) > 1 & ts::min(z) > 1;
#endif
  }
};
constexpr auto rule = ts::custom_vjp(
    halved{},
    [](auto x) {
      return std::tuple{halved{}(x), x};
    },
    [](auto, auto bar) { return std::tuple{bar}; });
struct losses {
  constexpr auto operator()(auto x) const {
    return ts::scan<3>(
        [](auto c) {
          auto const slope = ts::grad([](auto c) { return ts::sum(rule(c)); })(c);
          return std::tuple{c - slope, ts::sum(slope)};
        },
        x);
  }
};

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<line>(ts::devices());
  ts::use_mesh const here{mesh};
  auto const x = ts::asarray(ts::ones<float, 4>());
  auto const square = ts::asarray(ts::ones<float, 4, 4>());
  auto const key = ts::device_put(ts::random::key(0));
  (void)ts::jit([](auto x) { return ts::grad([](auto x) { return ts::sum(std::get<1>(losses{}(x))); })(x); })(x);
#if TESSERA_MISUSE == 1
  // expect: a traced value stands where C++ decides at once (if, while, &&, !)
#elif TESSERA_MISUSE == 2
  // expect: shapes and numbers of elements are template arguments here.
  (void)ts::jit([](auto x, auto y) { return ts::reshape(y, x.shape()); })(x, square);
#elif TESSERA_MISUSE == 3
  // expect: what conv does stands behind the kernel as tags. Fix: conv(x, k, same)
  (void)ts::jit([](auto x, auto k) { return ts::conv(x, k, "SAME"); })(ts::ones<float, 1, 1, 8, 8>(),
                                                                       ts::ones<float, 1, 1, 3, 3>());
#elif TESSERA_MISUSE == 4
  // expect: the spec names a mesh axis, and the array is on no mesh.
  (void)ts::jit([](auto key) {
    auto const keys = ts::reshard<ts::P<dp>>(ts::random::split_batch<8>(key));
    auto const [a, b, c] = ts::vmap([](auto k) {
      auto const draw = ts::random::normal(k);
      return std::tuple{draw, 2 * draw, 3 * draw};
    })(keys);
    return a + b + c;
  })(key);
#elif TESSERA_MISUSE == 5
  // expect: the shapes do not fit each other.
  // expect-fix: at_line<77>
  (void)ts::jit([](auto key, auto w) {
    auto const drawn = ts::random::normal<float, 8, 6>(key, ts::out_sharding<ts::P<dp>, line>);
    auto const positive = ts::relu(drawn);
    return ts::matmul(positive, w);
  })(key, square);
#elif TESSERA_MISUSE == 6
  // expect: the traced function cannot be called with these arguments.
  (void)ts::jit([](auto x, auto w) {
    auto const p = std::tuple{x, w};
    auto const slope = ts::grad([](auto p, auto y, auto scale) { return ts::sum(std::get<0>(p) * y * scale); })(p, x);
    return ts::tree_map([](auto a, auto b) { return a - b; }, p, slope);
  })(x, square);
#endif
}
