// SPDX-License-Identifier: Apache-2.0
// linear_transpose against vjp, and what it takes for linear.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;

struct inputs {
  decltype(put<ts::P<dp, mp>, 4, 6>(1.0)) x = put<ts::P<dp, mp>, 4, 6>(1.3), w = put<ts::P<dp, mp>, 4, 6>(0.7);
};

template <int Shift>
constexpr auto rolled(auto x) {
  return ts::reshard<ts::P<dp, mp>>(ts::roll<Shift, 0>(ts::reshard<ts::P<>>(x)));
}
// Linear in both, with a loop, a branch, a mapped function, a product and a convolution's window.
constexpr auto turned = [](auto x, auto y) {
  auto const looped = ts::fori_loop(
      0, 3, [&](auto i, auto v) { return v * i - x + rolled<1>(v); }, y);
  auto const mapped = ts::reshard<ts::P<dp, mp>>(
      ts::vmap([](auto row) { return ts::cumsum(row) * ts::arange<double, 6>(); })(ts::reshard<ts::P<dp>>(x)));
  return std::tuple{looped + mapped, ts::sum<1>(x) - 2.0 * ts::sum<1>(y)};
};

TEST(linear_transpose, is_the_pullback) {
  inputs const in;
  auto const bars = std::tuple{in.w, ts::jit([](auto x) { return ts::sum<1>(x * x); })(in.x)};
  auto const [x, y] = ts::linear_transpose(turned, in.x, in.w)(bars);
  auto const [vx, vy] = std::get<1>(ts::vjp(turned, in.x, in.w))(bars);
  near(x, vx);
  near(y, vy);
}

TEST(linear_transpose, in_traced_code) {
  inputs const in;
  near(std::get<0>(ts::jit([](auto x, auto w) {
         auto const back = ts::linear_transpose([&](auto v) { return v * ts::sin(w) + rolled<1>(v); }, x);
         return back(x);
       })(in.x, in.w)),
       ts::jit([](auto x, auto w) { return x * ts::sin(w) + rolled<-1>(x); })(in.x, in.w));
}

struct once {
  constexpr auto operator()(auto x) const { return x * 2.0; }
};
struct back {
  constexpr auto operator()(auto x) const { return std::get<0>(ts::linear_transpose(once{}, x)(x)); }
};
using x_type = ts::array_type<double, ts::shape<4, 6>, ts::P<dp, mp>, grid>;
static_assert(ts::work_of<once, x_type>.flops() == ts::work_of<back, x_type>.flops());  // f itself is not computed

// What is refused: each with the reason.
// What is refused.
template <class F>
struct turned_round {
  constexpr auto operator()(auto x) const { return std::get<0>(ts::linear_transpose(F{}, x)(F{}(x))); }
};
template <class F>
constexpr bool linear(F const&) {
  ts::reason const why = ts::trace_of<turned_round<F>, x_type>::refused.what.why;
  if (why != ts::reason::none && why != ts::reason::not_linear) throw "another reason";
  return why == ts::reason::none;
}
static_assert(linear([](auto x) { return ts::where(ts::astype<bool>(ts::ones_like(x)), x, 0.0) / 3.0; }));
static_assert(linear([](auto x) { return ts::concatenate<0>(x, ts::zeros_like(x), -x); }));
static_assert(!linear([](auto x) { return ts::sin(x); }));
static_assert(!linear([](auto x) { return x * x; }));
static_assert(!linear([](auto x) { return 1.0 / x; }));
static_assert(!linear([](auto x) { return x + 1.0; }));
static_assert(!linear([](auto x) { return ts::maximum(x, 0.0); }));
static_assert(!linear([](auto x) { return ts::sum(x * ts::sum(x)); }));
static_assert(!linear([](auto x) { return ts::where(x > 0.0, x, 0.0); }));
static_assert(!linear([](auto x) { return ts::concatenate<0>(x, ts::ones_like(x)); }));
static_assert(!linear([](auto x) {
  return ts::fori_loop(
      0, 3, [](auto, auto v) { return v * v; }, x);
}));
static_assert(!linear([](auto x) { return ts::ones_like(x); }));
static_assert(!linear([](auto x) { return ts::sort<0>(ts::reshard<ts::P<>>(x)); }));

}  // namespace
