// SPDX-License-Identifier: Apache-2.0
// nightly
// Random programs with custom_vjp and custom_jvp functions against JAX: recorded/custom_rules.py.

#include "support/on_grid.hpp"
#include "transform/recorded/custom_rules.hpp"

namespace {

using namespace on_grid;

constexpr auto pulled = ts::custom_vjp([](auto x) { return ts::sin(x); },
                                       [](auto x) {
                                         return std::tuple{ts::sin(x), x};
                                       },
                                       [](auto x, auto bar) { return std::tuple{bar * x * 3.0}; });
constexpr auto pushed = ts::custom_jvp([](auto x) { return ts::cos(x); },
                                       [](auto primals, auto tangents) {
                                         auto const [x] = primals;
                                         auto const [dx] = tangents;
                                         return std::tuple{ts::cos(x), x * 2.0 * dx};
                                       });
constexpr auto pulled_two = ts::custom_vjp([](auto x, auto w) { return x * w; },
                                           [](auto x, auto w) {
                                             return std::tuple{x * w, std::tuple{x, w}};
                                           },
                                           [](auto kept, auto bar) {
                                             auto const [x, w] = kept;
                                             return std::tuple{bar * w * 1.5, ts::sin(x) * bar};
                                           });
constexpr auto pushed_two = ts::custom_jvp([](auto x, auto w) { return x * w; },
                                           [](auto primals, auto tangents) {
                                             auto const [x, w] = primals;
                                             auto const [dx, dw] = tangents;
                                             return std::tuple{x * w, 2.0 * dx * w + ts::cos(x) * dw};
                                           });
constexpr auto cut = ts::custom_vjp([](auto x) { return x * 1.0; },
                                    [](auto x) {
                                      return std::tuple{x * 1.0, std::tuple{}};
                                    },
                                    [](auto, auto bar) { return std::tuple{ts::clip(bar, -0.5, 0.5)}; });
// fwd calls functions that have rules of their own, this one among them.
struct nested_value {
  constexpr auto operator()(auto x) const { return pushed(x) * x; }
};
struct nested_bwd {
  constexpr auto operator()(auto kept, auto bar) const { return std::tuple{bar * kept * 0.7}; }
};
struct nested_fwd {
  constexpr auto operator()(auto x) const {
    return std::tuple{ts::custom_vjp(nested_value{}, nested_fwd{}, nested_bwd{})(x), pulled(x)};
  }
};
constexpr auto nested = ts::custom_vjp(nested_value{}, nested_fwd{}, nested_bwd{});
constexpr auto looped = ts::custom_jvp([](auto x, auto w) { return x * x * w; },
                                       [](auto primals, auto tangents) {
                                         auto const [x, w] = primals;
                                         auto const [dx, dw] = tangents;
                                         auto const [at, moved] = ts::fori_loop(
                                             0, 2,
                                             [x = x, dx = dx](auto, auto carry) {
                                               auto const [v, dv] = carry;
                                               return std::tuple{v * x, v * dx + dv * x};
                                             },
                                             std::tuple{w, dw});
                                         return std::tuple{at, moved * 1.25};
                                       });

template <class F>
void compare(std::vector<double> const& want) {
  auto const x = put<ts::P<dp, mp>, 4, 6>(1.3), w = put<ts::P<dp, mp>, 4, 6>(0.7);
  double largest = 1;
  for (double v : want) largest = std::max(largest, std::abs(v));
  expect(run<F>(x, w), want, 1e-11 * largest);
}

#define NUMBERS(...) \
  { __VA_ARGS__ }
#define RECORDED(name, numbers, ...)                                 \
  struct name##_f {                                                  \
    constexpr auto operator()(auto x, auto w) const { __VA_ARGS__; } \
  };                                                                 \
  TEST(recorded_custom_rules, name) { compare<name##_f>(NUMBERS numbers); }
RECORDED_CUSTOM_RULES

}  // namespace
