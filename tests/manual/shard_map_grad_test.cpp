// SPDX-License-Identifier: Apache-2.0
// Gradients through shard_map and inside it, against the same function written for whole arrays.

#include "support/on_grid.hpp"

#include <cmath>
#include <vector>

namespace {

using namespace on_grid;

// Rows over dp, columns of w over mp: a layer, once by devices and once by types.
constexpr auto layer_by_devices = [](auto x, auto w) {
  auto const y = ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<ts::none, mp>>, ts::out_specs<ts::P<dp, mp>>>(
      [](auto block, auto part) { return ts::tanh(ts::matmul(block, part)); })(x, w);
  return ts::sum(y * y);
};
constexpr auto layer_by_types = [](auto x, auto w) {
  auto const y = ts::tanh(ts::matmul(x, w));
  return ts::sum(y * y);
};

TEST(shard_map_grad, from_outside) {
  auto const x = put<ts::P<dp>, 8, 6>(0.5);
  auto const w = put<ts::P<ts::none, mp>, 6, 4>(0.3);
  auto const [by_x, by_w] = ts::grad<0, 1>(layer_by_devices)(x, w);
  auto const [want_x, want_w] = ts::grad<0, 1>(layer_by_types)(x, w);
  static_assert(ts::type_text<decltype(by_x)> == "float64[8@dp,6]");
  static_assert(ts::type_text<decltype(by_w)> == "float64[6,4@mp]");
  near(by_x, want_x);
  near(by_w, want_w);
}

// A contraction over a split dimension: the sum over mp is the function's own.
constexpr auto sum_by_devices = [](auto x, auto w) {
  auto const y = ts::shard_map<ts::out_specs<ts::P<dp>>>(
      [](auto block, auto part) { return ts::exp(ts::psum<mp>(ts::matmul(block, part))); })(x, w);
  return ts::mean(y);
};
constexpr auto sum_by_types = [](auto x, auto w) {
  return ts::mean(ts::exp(ts::matmul(x, w, ts::out_sharding<ts::P<dp>>)));
};

TEST(shard_map_grad, through_psum) {
  auto const x = put<ts::P<dp, mp>, 8, 6>(0.5);
  auto const w = put<ts::P<mp>, 6, 4>(0.3);
  auto const [by_x, by_w] = ts::grad<0, 1>(sum_by_devices)(x, w);
  auto const [want_x, want_w] = ts::grad<0, 1>(sum_by_types)(x, w);
  near(by_x, want_x);
  near(by_w, want_w);
}

// Each collective between two elementwise functions, beside the function of whole arrays that it is.
template <class Inside>
struct squared {
  constexpr auto operator()(auto x) const {
    auto const y = ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto block) { return Inside{}(block * block); })(x);
    return ts::sum(y * ts::astype<double>(ts::iota<ts::int32, 0, decltype(y)::type::value.extent(0), 2>()));
  }
};
template <class Inside>
void agrees_with_differences() {
  using f = squared<Inside>;
  auto const x = put<ts::P<dp>, 16, 2>(0.8);
  auto const slope = ts::grad(f{})(x).to_host();
  auto values = std::vector<double>(x.to_host());
  auto const at = [&](std::vector<double> const& v) {
    return ts::jit<f>(ts::device_put<ts::P<dp>>(ts::host<16, 2>(v), x.mesh())).item();
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    double const kept = values[i], h = 1e-5;
    values[i] = kept + h;
    double const above = at(values);
    values[i] = kept - h;
    double const below = at(values);
    values[i] = kept;
    EXPECT_NEAR(slope[i], (above - below) / (2 * h), 1e-6) << i;
  }
}

struct summed {
  constexpr auto operator()(auto v) const { return ts::psum<dp>(v); }
};
struct averaged {
  constexpr auto operator()(auto v) const { return ts::pmean<dp>(v) * v; }
};
struct gathered {
  constexpr auto operator()(auto v) const { return ts::all_gather<dp>(v, ts::tiled); }
};
struct gathered_invariant {
  constexpr auto operator()(auto v) const { return ts::all_gather_invariant<dp>(v, ts::dim<0>, ts::tiled) * 2; }
};
struct scattered {
  constexpr auto operator()(auto v) const { return ts::psum_scatter<dp>(v, ts::tiled); }
};
struct exchanged {
  constexpr auto operator()(auto v) const {
    return ts::all_to_all<dp>(v, ts::split_dim<0>, ts::concat_dim<0>, ts::tiled);
  }
};
struct shifted {
  constexpr auto operator()(auto v) const { return ts::ppermute<dp>(v, ts::perm<ts::send<0, 2>, ts::send<3, 1>>); }
};
struct turned {
  constexpr auto operator()(auto v) const { return ts::ppermute<dp>(v, ts::rotate<-1>) * v; }
};
struct counted_copies {  // a value that does not vary, summed: as many times as there are devices
  constexpr auto operator()(auto v) const { return ts::psum<dp>(ts::psum<dp>(v)) + v; }
};
struct where_it_is {
  constexpr auto operator()(auto v) const { return v * ts::axis_index<dp>(v); }
};
struct where_it_is_from_the_end {
  constexpr auto operator()(auto v) const { return v * (ts::axis_size<dp>() - ts::axis_index<dp>() - 1); }
};
struct told_by_one {
  constexpr auto operator()(auto v) const { return ts::pbroadcast<dp>(v * ts::axis_index<dp>(), ts::source<2>) * v; }
};
struct changed_places {
  constexpr auto operator()(auto v) const { return ts::pswapaxes<dp>(v, ts::dim<0>) * v; }
};

struct shuffled {
  constexpr auto operator()(auto v) const { return ts::pshuffle<dp>(v, ts::order<2, 0, 3, 1>) * v; }
};
struct largest {
  constexpr auto operator()(auto v) const { return ts::pmax<dp>(v) * v; }
};
struct smallest {
  constexpr auto operator()(auto v) const { return ts::pmin<dp>(v) * v; }
};
struct seen_apart {
  constexpr auto operator()(auto v) const { return ts::pvary<dp>(ts::psum<dp>(v)) * v; }
};

// As in JAX.
template <class Error>
constexpr bool has_no_gradient = false;
template <class... Facts>
constexpr bool has_no_gradient<ts::error::not_differentiable<Facts...>> = true;
template <class Inside>
struct slope_of {
  constexpr auto operator()(auto x) const { return ts::grad(squared<Inside>{})(x); }
};
template <class Inside>
using refused = ts::why<slope_of<Inside>, decltype(put<ts::P<dp>, 16, 2>(0.8))>;
static_assert(has_no_gradient<refused<largest>> && has_no_gradient<refused<smallest>>);

TEST(shard_map_grad, of_each_collective) {
  agrees_with_differences<summed>();
  agrees_with_differences<averaged>();
  agrees_with_differences<gathered>();
  agrees_with_differences<gathered_invariant>();
  agrees_with_differences<scattered>();
  agrees_with_differences<exchanged>();
  agrees_with_differences<shifted>();
  agrees_with_differences<turned>();
  agrees_with_differences<counted_copies>();
  agrees_with_differences<where_it_is>();
  agrees_with_differences<where_it_is_from_the_end>();
  agrees_with_differences<told_by_one>();
  agrees_with_differences<changed_places>();
  agrees_with_differences<shuffled>();
  agrees_with_differences<seen_apart>();
}

// Inside: by a parameter that is the same everywhere the gradient is the sum over devices; by one that was made to vary
// it is each device's own.
TEST(shard_map_grad, inside) {
  auto const x = put<ts::P<dp>, 8, 2>(0.5);
  auto const w = put<ts::P<>, 2>(0.3);
  auto const loss = [](auto p, auto block) { return ts::sum(ts::sin(block * p)); };
  (void)loss;
  auto const together = ts::shard_map<ts::in_specs<ts::P<>, ts::P<dp>>, ts::out_specs<ts::P<>>>([](auto p, auto block) {
    auto const slope = ts::grad([](auto q, auto b) { return ts::sum(ts::sin(b * q)); })(p, block);
    static_assert(ts::type_text<decltype(slope)> == "float64[2]");
    return slope;
  })(w, x);
  auto const whole = ts::grad([](auto q, auto b) { return ts::sum(ts::sin(b * q)); })(w, x);
  near(together, whole);
  auto const apart = ts::shard_map<ts::in_specs<ts::P<>, ts::P<dp>>, ts::out_specs<ts::P<dp>>>([](auto p, auto block) {
    auto const slope = ts::grad([](auto q, auto b) { return ts::sum(ts::sin(b * q)); })(ts::pvary<dp>(p), block);
    static_assert(ts::type_text<decltype(slope)> == "float64[2]{V:dp}");
    return ts::expand_dims<0>(slope);
  })(w, x);
  static_assert(ts::type_text<decltype(apart)> == "float64[4@dp,2]");
  near(ts::jit([](auto v) { return ts::sum<0>(v); })(apart), whole);
}

}  // namespace
