// SPDX-License-Identifier: Apache-2.0
// Loops, branches, transforms and regions called on arrays outside of jit: as in traced code.

#include "support/eager_case.hpp"

namespace {

using namespace eager_case;

constexpr auto twice = [](auto q) { return q * 2.0f; };
constexpr auto thrice = [](auto q) { return q * 3.0f; };
constexpr auto energy = [](auto q) { return ts::sum(q * q); };

struct control_flow {
  static constexpr auto rows = std::tuple{
      [](auto x, auto, auto) {
        return ts::scan([](auto c, auto r) { return std::tuple{c + r, c * r}; }, ts::sum<0>(x), ts::reshard<P<>>(x));
      },
      [](auto x, auto, auto) { return ts::cond(ts::sum(x) > 0.0f, twice, thrice, x); },
      [](auto x, auto i, auto) {
        return ts::switch_(ts::max(i), std::tuple{twice, thrice, twice, thrice}, x);
      },
      [](auto x, auto, auto) { return ts::while_loop([](auto q) { return ts::max(q) < 100.0f; }, twice, ts::exp(x)); },
      [](auto x, auto, auto) {
        return ts::fori_loop(
            1, 4, [](auto i, auto q) { return q * i; }, x);
      },
      [](auto x, auto i, auto) {
        return ts::fori_loop(
            0, ts::max(i), [](auto k, auto q) { return q + k; }, x);
      },
      [](auto x, auto, auto) { return ts::map([](auto r) { return ts::sum(r); }, ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) {
        return ts::associative_scan([](auto p, auto q) { return p + q; }, ts::reshard<P<>>(x));
      }};
};
struct transforms {
  static constexpr auto rows =
      std::tuple{[](auto x, auto, auto) { return ts::grad(energy)(x); },
                 [](auto x, auto, auto) { return ts::value_and_grad(energy)(x); },
                 [](auto x, auto, auto) { return ts::vmap([](auto r) { return ts::sum(r); })(x); },
                 [](auto x, auto, auto) { return ts::checkpoint([](auto r) { return ts::sin(r); })(x); },
                 [](auto x, auto, auto) { return ts::remat([](auto r) { return ts::sin(r); })(x); },
                 [](auto x, auto, auto) {
                   auto const named = [](auto r) { return ts::checkpoint_name<"x">(ts::sin(r)); };
                   return ts::checkpoint(named, ts::remat_to<64>)(ts::checkpoint_name<"y">(x));
                 },
                 [](auto x, auto, auto) {
                   return ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<dp>>>(
                       [](auto r) { return ts::psum<dp>(r) * ts::axis_index<dp>(); })(x);
                 },
                 [](auto x, auto, auto m) {
                   return ts::optimization_barrier(std::tuple{x, std::tuple{m}});
                 },
                 [](auto x, auto, auto) { return ts::reshard<P<none, dp>>(x); }};
};

TEST(eager_control, flow) { check_eager<control_flow>(); }
TEST(eager_control, transforms) { check_eager<transforms>(); }

}  // namespace
