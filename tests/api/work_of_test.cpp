// SPDX-License-Identifier: Apache-2.0
// Flops, bytes and predicted times against sums by hand.

#include "support/on_grid.hpp"

#include <complex>
#include <string>
#include <tuple>

namespace {

using namespace on_grid;

using X = ts::array_type<float, ts::shape<64, 32>, ts::P<dp>, grid>;            // a block: 16x32
using W = ts::array_type<float, ts::shape<32, 16>, ts::P<ts::none, mp>, grid>;  // 32x8
using V = ts::array_type<float, ts::shape<16, 32>, ts::P<mp>, grid>;            // 8x32

constexpr auto product = [](auto x, auto w) { return ts::matmul(x, w); };
constexpr auto const& of_product = ts::work_of<decltype(product), X, W>;
static_assert(of_product.flops() == 2 * 16 * 32 * 8);
static_assert(of_product.flops() == of_product.flops(ts::step_kind::dot));
static_assert(of_product.bytes() == 4 * (16 * 32 + 32 * 8 + 16 * 8));
static_assert(of_product.steps().size() == 1 && of_product.uncounted() == 0);

// Of complex numbers: four products, and two sums.
constexpr auto const& of_complex =
    ts::work_of<decltype(product), ts::array_type<std::complex<float>, ts::shape<64, 32>, ts::P<dp>, grid>,
                ts::array_type<std::complex<float>, ts::shape<32, 16>, ts::P<ts::none, mp>, grid>>;
static_assert(of_complex.flops() == 8 * 16 * 32 * 8);

// One step: two operations for each element; x is read once.
constexpr auto fused = [](auto x) { return ts::exp(x) * x; };
static_assert(ts::work_of<decltype(fused), X>.flops() == 2 * 16 * 32);
static_assert(ts::work_of<decltype(fused), X>.bytes() == 2 * 4 * 16 * 32);
constexpr auto summed = [](auto x) { return ts::sum<1>(x * x); };
static_assert(ts::work_of<decltype(summed), X>.flops() == 2 * 16 * 32);
static_assert(ts::work_of<decltype(summed), X>.bytes() == 4 * (16 * 32 + 16));
// What is broadcast is read once.
constexpr auto shifted = [](auto x, auto b) { return x + b; };
static_assert(ts::work_of<decltype(shifted), X, ts::array_type<float, ts::shape<32>, ts::P<>, grid>>.bytes() ==
              4 * (2 * 16 * 32 + 32));
// Moving has no flops.
constexpr auto moved = [](auto x) { return ts::concatenate<1>(std::tuple{x, x}); };
static_assert(ts::work_of<decltype(moved), X>.flops() == 0 && ts::work_of<decltype(moved), X>.bytes() > 0);
constexpr auto sorted = [](auto x) { return ts::sort<1>(x); };
static_assert(ts::work_of<decltype(sorted), X>.uncounted() == 1);

constexpr auto looped = [](auto x, auto w, auto v) {
  return std::get<0>(ts::scan<5>(
      [&](auto c) {
        return std::tuple{ts::matmul(ts::matmul(c, w), v, ts::out_sharding<ts::P<dp>>), std::tuple{}};
      },
      x));
};
constexpr auto const& of_loop = ts::work_of<decltype(looped), X, W, V>;
static_assert(of_loop.flops(ts::step_kind::dot) == 5 * 2 * 2 * 16 * 32 * 8);
constexpr auto until = [](auto x) {
  return ts::while_loop([](auto v) { return ts::sum(v) < 100.0f; }, [](auto v) { return v * 2.0f; }, x);
};
static_assert(ts::work_of<decltype(until), X>.flops() == ts::dynamic);

// Three products of the same size for one: the result, and both operands' cotangents.
constexpr auto loss = [](auto x, auto w) { return ts::sum(ts::tanh(ts::matmul(x, w))); };
constexpr auto gradient = ts::grad<0, 1>(loss);
constexpr auto const& of_gradient = ts::work_of<decltype(gradient), X, W>;
static_assert(of_gradient.flops(ts::step_kind::dot) == 3 * 2 * 16 * 32 * 8);
static_assert(of_gradient.flops() ==
              of_gradient.flops(ts::program_pass::forward) + of_gradient.flops(ts::program_pass::backward));

constexpr bool close(double got, double want) { return got > want * (1 - 1e-12) && got < want * (1 + 1e-12); }

constexpr ts::fabric ring{ts::network::ring, 1e-6, 1e9}, torus{ts::network::torus, 1e-6, 1e9},
    switched{ts::network::switched, 1e-6, 1e9};
constexpr double seconds(ts::fabric on, ts::collective kind, std::int64_t block) {
  ts::message m;
  m.kind = kind;
  m.axes = ts::axis_set::of(0);  // dp: 4 devices
  m.block = block;
  return ts::topology<grid>{}.with<dp>({on, 0, {}}).seconds(m);
}
using enum ts::collective;
static_assert(close(seconds(ring, all_gather, 1000), 3 * 1000 / 1e9 + 3e-6));
static_assert(close(seconds(ring, reduce_scatter, 1000), 750 / 1e9 + 3e-6));
static_assert(close(seconds(ring, all_reduce, 1000), 2 * (750 / 1e9 + 3e-6)));
static_assert(close(seconds(ring, all_to_all, 1000), 1500 / 1e9 + 3e-6));
static_assert(close(seconds(ring, permute, 1000), 1000 / 1e9 + 1e-6));
static_assert(close(seconds(torus, all_gather, 1000), 3 * 1000 / 1e9 + 2e-6));
static_assert(close(seconds(torus, all_to_all, 1000), 1000 / 1e9 + 2e-6));  // n/4 B: a quarter of the n B of a gather
static_assert(close(seconds(switched, all_gather, 1000), 3 * 1000 / 1e9 + 2e-6));
static_assert(close(seconds(switched, all_reduce, 1000), 2 * (750 / 1e9 + 2e-6)));
static_assert(close(seconds(switched, all_to_all, 1000), 750 / 1e9 + 3e-6));

// Two devices of an axis in a host: the sum within, then half of it between; a gather between, then all of it within.
constexpr ts::fabric cable{ts::network::switched, 1e-5, 1e8};
constexpr double across_hosts(ts::collective kind) {
  ts::message m;
  m.kind = kind;
  m.axes = ts::axis_set::of(0);
  m.block = 1000;
  return ts::topology<grid>{}.with<dp>({ring, 2, cable}).seconds(m);
}
static_assert(close(across_hosts(reduce_scatter), 500 / 1e9 + 1e-6 + 250 / 1e8 + 1e-5));
static_assert(close(across_hosts(all_gather), 2000 / 1e9 + 1e-6 + 1000 / 1e8 + 1e-5));
static_assert(close(across_hosts(permute), 1000 / 1e8 + 1e-5));

// Over both axes: one after the other on rings, all links at once on a torus.
constexpr double over_both(ts::fabric on) {
  ts::message m;
  m.kind = all_gather;
  m.axes = ts::axis_set::of(0) | ts::axis_set::of(1);
  m.block = 1000;
  return ts::topology<grid>{}.with<dp>({on, 0, {}}).with<mp>({on, 0, {}}).seconds(m);
}
static_assert(close(over_both(ring), 4000 / 1e9 + 1e-6 + 3000 / 1e9 + 3e-6));
static_assert(close(over_both(torus), 7000 / 2e9 + 3e-6));

constexpr ts::device_rates rates{1e12, 1e10, 1e11};
constexpr auto on_rings = ts::topology<grid>{}.with<dp>({ring, 0, {}}).with<mp>({ring, 0, {}});
constexpr auto both = ts::predict(of_gradient, on_rings, rates);
static_assert(both.exact && both.on_device >= both.compute && both.on_device >= both.memory);
static_assert(both.on_device <= both.compute + both.memory);
static_assert(close(both.total(), both.on_device + both.communication) && both.overlapped() < both.total());
static_assert(ts::predict(of_gradient.communicates(), on_rings).communication == both.communication);
static_assert(!ts::predict(ts::work_of<decltype(until), X>, on_rings, rates).exact);
static_assert(!ts::predict(ts::work_of<decltype(sorted), X>, on_rings, rates).exact);
constexpr auto one = ts::predict(of_product, on_rings, rates);
static_assert(one.communication == 0 && close(one.compute, 2 * 16 * 32 * 8 / 1e12));
static_assert(close(one.memory, 4 * (16 * 32 + 32 * 8 + 16 * 8) / 1e11) && one.on_device == one.memory);

TEST(predict, is_explained) {
  std::string const text = ts::explain(both);
  EXPECT_NE(text.find("communication " + std::to_string(both.communication * 1e6) + " us"), std::string::npos) << text;
  EXPECT_NE(ts::explain(ts::predict(ts::work_of<decltype(until), X>, on_rings, rates)).find("at least"),
            std::string::npos);
}

TEST(work_of, steps_of_the_plan) {
  ts::plan_view const p = ts::detail::planned<ts::trace_of<decltype(gradient), X, W>>::value.view();
  EXPECT_EQ(of_gradient.steps().size(), static_cast<std::size_t>(p.step_count));
}

}  // namespace
