// SPDX-License-Identifier: Apache-2.0
// best_layout: what it finds for a small program is the best of all layouts of all arguments, tried one after the other; written
// down as types it costs what was said; a budget of memory is kept where it can be, and said where not.

#include <tessera/api/best_layout.hpp>
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
template <std::int64_t... E>
using f32 = ts::array_type<float, ts::shape<E...>, ts::P<>, grid>;

template <class W, class V>
struct layer {
  W w;
  V v;
  static constexpr ts::names<2> names{"w", "v"};
};
struct mlp {
  constexpr auto operator()(auto p, auto x) const { return ts::matmul(ts::gelu(ts::matmul(x, p.w)), p.v); }
};
struct step {
  constexpr auto operator()(auto p, auto x) const {
    auto const result = ts::value_and_grad([](auto q, auto y) { return ts::mean(ts::square(y + mlp{}(q, y))); })(p, x);
    return std::tuple{ts::tree_map([](auto a, auto g) { return a - g * 0.1f; }, p, std::get<1>(result)),
                      std::get<0>(result)};
  }
};
using parameters = layer<f32<16, 64>, f32<64, 16>>;

// Each axis along one dimension of a matrix, or none: in both orders where they share one.
std::vector<ts::by_dim<ts::entry_value>> all_layouts(std::int64_t const (&extent)[2]) {
  std::vector<ts::by_dim<ts::entry_value>> all;
  std::int64_t const sizes[]{4, 2};
  for (int a = -1; a < 2; ++a)
    for (int b = -1; b < 2; ++b) {
      ts::by_dim<ts::entry_value> made;
      std::int64_t parts[]{1, 1};
      for (auto [d, axis] : {std::pair{a, 0}, std::pair{b, 1}})
        if (d >= 0) {
          made.items[d].append(axis);
          parts[d] *= sizes[axis];
        }
      if (extent[0] % parts[0] == 0 && extent[1] % parts[1] == 0) all.push_back(made);
    }
  return all;
}

template <class F, class Data>
std::int64_t least_of_all() {
  using T = ts::trace_of<F, parameters, Data>;
  std::int64_t const w[]{16, 64}, v[]{64, 16};
  std::int64_t least = -1;
  auto const& x = T::program.view()[T::program.inputs[2]].facts;
  std::int64_t const rows[]{x.extent(0), x.extent(1)};
  for (auto const& lw : all_layouts(w))
    for (auto const& lv : all_layouts(v))
      for (auto const& lx : all_layouts(rows)) {
        ts::by_dim<ts::entry_value> const given[]{lw, lv, lx};
        auto const laid = ts::partitioned(ts::growable_graph::copy_of(T::program.view()), given);
        auto const cost = ts::detail::program_cost(ts::lower(laid.view())).in_bytes();
        if (least < 0 || cost < least) least = cost;
      }
  return least;
}
std::int64_t cost(ts::advised_layouts const& advice) {
  return advice.bytes + advice.work / ts::detail::program_cost::work_for_a_byte;
}

TEST(best_layout, is_the_best_of_all_for_small_programs) {
  EXPECT_EQ(cost(ts::best_layout<mlp, parameters, f32<4096, 16>>()), (least_of_all<mlp, f32<4096, 16>>()));
  EXPECT_EQ(cost(ts::best_layout<mlp, parameters, f32<64, 16>>()), (least_of_all<mlp, f32<64, 16>>()));
  EXPECT_EQ(cost(ts::best_layout<mlp, parameters, f32<8, 16>>()), (least_of_all<mlp, f32<8, 16>>()));
}

TEST(best_layout, many_rows_are_split_over_all_devices) {
  auto const advice = ts::best_layout<step, parameters, f32<65536, 16>>();
  ASSERT_EQ(advice.arguments.size(), 3u);
  EXPECT_EQ(advice.arguments[0].path, "0.w");
  EXPECT_EQ(advice.arguments[2].spec, "P<axes<dp, mp>>");
}

// Few rows, work dear: parameters stay where they are, and what they make of all rows is summed.
TEST(best_layout, as_types_to_write_down) {
  auto const advice = ts::best_layout<step, parameters, f32<8, 16>>({.work_for_a_byte = 4});
  using ts::none;
  using ts::P;
  EXPECT_EQ(advice.in_shardings, "in_shardings<layer<P<none, axes<dp, mp>>, P<axes<dp, mp>>>, P<>>");
  EXPECT_EQ(advice.out_shardings, "out_shardings<layer<P<none, axes<dp, mp>>, P<axes<dp, mp>>>, unspecified>");
  using columns = P<none, ts::axes<dp, mp>>;
  using rows = P<ts::axes<dp, mp>>;
  constexpr auto planned =
      ts::jit<ts::in_shardings<layer<columns, rows>, P<>>, ts::out_shardings<layer<columns, rows>, ts::unspecified>>(
          step{});
  constexpr auto const& said = ts::comm_of<decltype(planned), parameters, f32<8, 16>>;
  EXPECT_EQ(advice.bytes, said.bytes());
  EXPECT_EQ(advice.peak_bytes, said.peak_bytes());
  std::ostringstream text;
  text << advice;
  EXPECT_NE(text.str().find("plans compared"), std::string::npos);
}

#ifndef TESSERA_BY_DAY
TEST(best_layout, keeps_a_budget_of_memory_where_it_can) {
  auto const free = ts::best_layout<step, parameters, f32<8, 16>>({.work_for_a_byte = 1 << 20});
  EXPECT_EQ(free.bytes, 0);
  auto const tight =
      ts::best_layout<step, parameters, f32<8, 16>>({.memory = free.peak_bytes / 2, .work_for_a_byte = 1 << 20});
  EXPECT_TRUE(tight.fits);
  EXPECT_LE(tight.peak_bytes, free.peak_bytes / 2);
  EXPECT_GT(tight.bytes, 0);
  auto const hopeless = ts::best_layout<step, parameters, f32<8, 16>>({.memory = 16});
  EXPECT_FALSE(hopeless.fits);
  std::ostringstream text;
  text << hopeless;
  EXPECT_NE(text.str().find("more than the budget"), std::string::npos);
}

struct deep {
  constexpr auto operator()(auto layers, auto x) const {
    for (auto const& l : layers) x = x + mlp{}(l, x);
    return x;
  }
};
// Layers of one name and type lie alike.
TEST(best_layout, layers_lie_alike) {
  auto const advice = ts::best_layout<deep, std::array<parameters, 3>, f32<64, 16>>();
  ASSERT_EQ(advice.arguments.size(), 7u);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(advice.arguments[i].spec, advice.arguments[i - 2].spec);
}

// Bytes along the slow one of two equal axes cost eight times as much: nothing is split by it, whichever it is.
struct a : ts::axis {};
struct b : ts::axis {};
struct between_hosts : ts::axis {
  static constexpr double byte_price = 8;
};
template <class A>
using equal_axes = ts::mesh<ts::auto_axis<A, 4>, ts::auto_axis<b, 4>>;
template <class A, std::int64_t... E>
using on_equal_axes = ts::array_type<float, ts::shape<E...>, ts::P<>, equal_axes<A>>;
template <class A>
using wide = layer<on_equal_axes<A, 64, 256>, on_equal_axes<A, 256, 64>>;
template <class Advice>
std::string all_specs(Advice const& advice) {
  std::string text;
  for (auto const& argument : advice.arguments) text += argument.spec + ' ';
  return text;
}
TEST(best_layout, slow_axes_are_asked_less) {
  constexpr ts::fabric chips{ts::network::torus, 1e-6, 4e11}, cables{ts::network::switched, 5e-6, 5e10};
  constexpr auto even = ts::topology<equal_axes<a>>{}.with<a>({chips}).with<b>({chips});
  constexpr auto slow_a = even.with<a>({cables}), slow_b = even.with<b>({cables});
  static_assert(even.byte_prices() == ts::by_dim<std::int32_t>{16, 16});
  static_assert(slow_a.byte_prices() == ts::by_dim<std::int32_t>{128, 16} && slow_a.fastest() > 3.9e11);
  using data = on_equal_axes<a, 512, 64>;
  auto const advice = ts::best_layout<step, wide<a>, data>();
  EXPECT_EQ(all_specs(advice), all_specs(ts::best_layout<step, wide<a>, data>(even)));
  EXPECT_NE(all_specs(advice).find("a"), std::string::npos);
  EXPECT_EQ(all_specs(ts::best_layout<step, wide<a>, data>(slow_a)), "P<b> P<b> P<b> ");
  EXPECT_EQ(all_specs(ts::best_layout<step, wide<a>, data>(slow_b)), "P<a> P<a> P<a> ");
  EXPECT_EQ(all_specs(ts::best_layout<step, wide<between_hosts>, on_equal_axes<between_hosts, 512, 64>>()),
            "P<b> P<b> P<b> ");
  auto const slow_devices = ts::best_layout<step, wide<a>, data>(slow_a, {.matrix_flops = 1e12});
  auto const fast_devices = ts::best_layout<step, wide<a>, data>(slow_a, {.matrix_flops = 1e15});
  EXPECT_LT(slow_devices.work, fast_devices.work);
}
#endif

}  // namespace
