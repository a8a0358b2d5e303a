// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of take, take_along_axis, x.at and slices with starts known late, over layouts.

#include "support/grad_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

// Rows 0, 3, 3 and 7 of x.
tensor four_rows(tensor const& x) {
  std::vector<tensor> rows;
  for (std::int64_t i : {0, 3, 3, 7}) rows.push_back(oracle::slice(x, {i, 0}, {i + 1, 4}));
  return oracle::concatenate(rows, 0);
}
// 0, 3, 3, 7 as a value of the program.
constexpr auto places() {
  auto const i = ts::arange<4>();
  return ts::where(i == 0, 0, ts::where(i == 3, 7, 3));
}
tensor changed(tensor x, auto f) {
  for (std::int64_t i : {0, 3, 3, 7})
    for (std::int64_t c = 0; c < 4; ++c) x[{i, c}] = f(x[{i, c}], c);
  return x;
}

struct picks {
  static constexpr auto rows =
      std::tuple{row{"take", [](auto x) { return ts::take<0>(x, places(), ts::out_sharding<P<none, mp>>); }, four_rows},
                 row{"take beyond", [](auto x) { return ts::take<0>(x, 3, ts::out_sharding<P<>>); },
                     [](tensor const& x) {
                       return oracle::squeeze(oracle::slice(x, {3, 0}, {4, 4}), 0);
                     }},
                 row{"take_along_axis",
                     [](auto x) {
                       return ts::take_along_axis<0>(x, ts::broadcast_to<4, 4>(ts::expand_dims<1>(places())),
                                                     ts::out_sharding<P<none, mp>>);
                     },
                     four_rows},
                 row{"at.get", [](auto x) { return x.at(places()).get(ts::out_sharding<P<dp>>) * 2.0; },
                     [](tensor const& x) { return four_rows(x) * 2; }}};
};
struct updates {
  static constexpr auto rows = std::tuple{
      row{"at.set", [](auto x, auto v) { return x.at(places()).set(v, ts::out_sharding<P<dp>>); },
          [](tensor const& x, tensor const& v) { return changed(x, [&](double, auto c) { return v[{c}]; }); }},
      row{"at.add", [](auto x, auto v) { return x.at(places()).add(v, ts::out_sharding<P<none, mp>>); },
          [](tensor const& x, tensor const& v) {
            return changed(x, [&](double old, auto c) { return old + v[{c}]; });
          }},
      row{"at.max", [](auto x, auto v) { return x.at(places()).max(v, ts::out_sharding<P<>>); },
          [](tensor const& x, tensor const& v) {
            return changed(x, [&](double old, auto c) { return std::max(old, v[{c}]); });
          }},
      row{"at.min", [](auto x, auto v) { return x.at(5).min(v, ts::out_sharding<P<>>); },
          [](tensor x, tensor const& v) {
            for (std::int64_t c = 0; c < 4; ++c) x[{5, c}] = std::min(x[{5, c}], v[{c}]);
            return x;
          }},
      row{"at.multiply", [](auto x, auto v) { return x.at(-3).multiply(v, ts::out_sharding<P<>>); },
          [](tensor x, tensor const& v) {
            for (std::int64_t c = 0; c < 4; ++c) x[{5, c}] *= v[{c}];
            return x;
          }}};
};
// Starts that no type knows.
constexpr auto late(auto x, int start) { return ts::astype<std::int32_t>(ts::sum(x) * 0.0) + start; }
struct windows {
  static constexpr auto rows = std::tuple{
      row{"dynamic_slice", [](auto x) { return ts::dynamic_slice<4, 2>(x, late(x, 3), 1); },
          [](tensor const& x) {
            return oracle::slice(x, {3, 1}, {7, 3});
          }},
      row{"dynamic_slice_in_dim", [](auto x) { return ts::dynamic_slice_in_dim<0, 4>(x, late(x, 9)); },
          [](tensor const& x) {
            return oracle::slice(x, {4, 0}, {8, 4});
          }},
      row{"dynamic_index_in_dim", [](auto x) { return ts::dynamic_index_in_dim<1>(x, late(x, -1)); },
          [](tensor const& x) {
            return oracle::slice(x, {0, 3}, {8, 4});
          }},
      row{"dynamic_update_slice",
          [](auto x) { return ts::dynamic_update_slice(x, ts::slice_in_dim<0, 0, 4>(x) * 3.0, late(x, 2), 0) * x; },
          [](tensor const& x) {
            return oracle::update_slice(x, oracle::slice(x, {0, 0}, {4, 4}) * 3, {2, 0}) * x;
          }},
      row{"dynamic_update_slice_in_dim",
          [](auto x) { return ts::dynamic_update_slice_in_dim<0>(x, ts::slice_in_dim<0, 0, 4>(x) * 3.0, late(x, 1)); },
          [](tensor const& x) {
            return oracle::update_slice(x, oracle::slice(x, {0, 0}, {4, 4}) * 3, {1, 0});
          }},
      row{"dynamic_update_index_in_dim",
          [](auto x) { return ts::dynamic_update_index_in_dim<1>(x, ts::sum<1>(x), late(x, 2)); },
          [](tensor const& x) {
            return oracle::update_slice(x, oracle::sum(x, {1}, true), {0, 2});
          }}};
};

dense<double, 8, 4> const x(-1, 1);
dense<double, 4> const v(-1, 1, 5);

TEST(gather, has_gradients) {
  check_gradients<picks, on<grid, P<dp, mp>>>(x);
  check_gradients<picks, on<grid, P<none, dp>>>(x);
  check_gradients<picks, on<grid, P<>>>(x);
}

TEST(scatter, has_gradients) {
  check_gradients<updates, on<grid, P<dp, mp>, P<mp>>>(x, v);
  check_gradients<updates, on<grid, P<none, dp>, P<>>>(x, v);
  check_gradients<updates, on<grid, P<>, P<>>>(x, v);
}

TEST(dynamic_slice, has_gradients) {
  check_gradients<windows, on<grid, P<dp>>>(x);
  check_gradients<windows, on<grid, P<mp>>>(x);
  check_gradients<windows, on<grid, P<>>>(x);
}

}  // namespace
