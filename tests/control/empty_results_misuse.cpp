// SPDX-License-Identifier: Apache-2.0
// Functions whose result, or a part of it, is an empty object: std::nullopt where JAX has None.

#include <tessera/tessera.hpp>

#include <optional>
#include <tuple>
#include <vector>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;

constexpr auto nothing = [](auto) { return std::nullopt; };

int main() {
  auto const a = ts::asarray(1.0f);
  auto const v = ts::asarray({1.0f, 2.0f, 3.0f, 4.0f});
  auto const split = ts::device_put<ts::P<dp>>(ts::host<8, 4>(std::vector<float>(32)), ts::make_mesh<line>());
  (void)ts::scan([](auto c, auto) { return std::tuple{c, std::tuple{}}; }, a, v);
  (void)ts::jit([](auto x) {
    return ts::cond(
        x > 0, [](auto) { return std::tuple{}; }, [](auto) { return std::tuple{}; }, x);
  })(a);
  (void)split;
#if TESSERA_MISUSE == 1
  // expect: what stands here is neither an array nor a number
  (void)ts::scan([](auto c, auto) { return std::tuple{c, std::nullopt}; }, a, v);
#elif TESSERA_MISUSE == 2
  // expect: what stands here is neither an array nor a number
  (void)ts::jit([](auto x, auto y) {
    return ts::scan([](auto c, auto) { return std::tuple{c, std::nullopt}; }, x, y);
  })(a, v);
#elif TESSERA_MISUSE == 3
  // expect: what stands here is neither an array nor a number
  (void)ts::jit([](auto x) { return ts::cond(x > 0, nothing, nothing, x); })(a);
#elif TESSERA_MISUSE == 4
  // expect: what stands here is neither an array nor a number
  (void)ts::jit([](auto x) { return ts::while_loop([](auto i) { return i < 3; }, nothing, x); })(a);
#elif TESSERA_MISUSE == 5
  // expect: what stands here is neither an array nor a number
  (void)ts::jit([](auto x) {
    return ts::fori_loop(
        0, 3, [](auto, auto) { return std::nullopt; }, x);
  })(a);
#elif TESSERA_MISUSE == 6
  // expect: what stands here is neither an array nor a number
  (void)ts::jit([](auto y) { return ts::vmap(nothing)(y); })(v);
#elif TESSERA_MISUSE == 7
  // expect: what stands here is neither an array nor a number
  (void)ts::jit([](auto y) { return ts::map(nothing, y); })(v);
#elif TESSERA_MISUSE == 8
  // expect: what stands here is neither an array nor a number
  (void)ts::jit([](auto x) { return ts::checkpoint(nothing)(x); })(a);
#elif TESSERA_MISUSE == 9
  // expect: what stands here is neither an array nor a number
  (void)ts::jit([](auto y) { return ts::associative_scan([](auto, auto) { return std::nullopt; }, y); })(v);
#elif TESSERA_MISUSE == 10
  // expect: what stands here is neither an array nor a number
  (void)ts::jit(ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(nothing))(split);
#elif TESSERA_MISUSE == 11
  // expect: what stands here is neither an array nor a number
  (void)ts::jit([](auto x) { return ts::grad(nothing)(x); })(a);
#endif
}
