// SPDX-License-Identifier: Apache-2.0
// take, take_along_axis and slices with starts known late, over layouts.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::ints;
using oracle::tensor;

// Outside: NaN, or the nearest place.
tensor taken(tensor const& x, tensor const& places, int dim, bool clip = false) {
  ints extents(x.extents.begin(), x.extents.begin() + dim);
  extents.insert(extents.end(), places.extents.begin(), places.extents.end());
  extents.insert(extents.end(), x.extents.begin() + dim + 1, x.extents.end());
  auto const rank = places.extents.size();
  auto const n = x.extents[dim];
  return oracle::generate(extents, [&](ints const& at) {
    ints from(at.begin(), at.begin() + dim);
    auto i =
        static_cast<std::int64_t>(places[ints(at.begin() + dim, at.begin() + dim + static_cast<std::ptrdiff_t>(rank))]);
    if (clip) i = i < 0 ? 0 : i >= n ? n - 1 : i;
    if (i < 0) i += n;
    if (i < 0 || i >= n) return std::numeric_limits<double>::quiet_NaN();
    from.push_back(i);
    from.insert(from.end(), at.begin() + dim + static_cast<std::ptrdiff_t>(rank), at.end());
    return x[from];
  });
}
tensor taken_along(tensor const& x, tensor const& places, int dim) {
  auto extents = x.extents;
  auto const d = static_cast<std::size_t>(dim);
  extents[d] = places.extents[d];
  return oracle::generate(extents, [&](ints at) {
    ints by = at;
    for (std::size_t e = 0; e < by.size(); ++e)
      if (places.extents[e] == 1) by[e] = 0;
    auto const i = static_cast<std::int64_t>(places[by]);
    at[d] = i < 0 ? i + x.extents[d] : i;
    return x[at];
  });
}
tensor window(tensor const& x, tensor const& start, ints const& sizes) {
  ints from, to;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    auto i = static_cast<std::int64_t>(start.data[d]);
    if (i < 0) i += x.extents[d];
    i = std::max<std::int64_t>(0, std::min(i, x.extents[d] - sizes[d]));
    from.push_back(i);
    to.push_back(i + sizes[d]);
  }
  return oracle::slice(x, from, to);
}

struct picks {
  static constexpr auto rows = std::tuple{
      row{"take<0>", [](auto x, auto i) { return ts::take<0>(x, i); },
          [](tensor const& x, tensor const& i) { return taken(x, i, 0); }},
      row{"take<0> clipped", [](auto x, auto i) { return ts::take<0>(x, i * 2, ts::mode::clip); },
          [](tensor const& x, tensor const& i) { return taken(x, i * 2, 0, true); }},
      row{"take<0> of int64", [](auto x, auto i) { return ts::take<0>(x, ts::astype<std::int64_t>(i)); },
          [](tensor const& x, tensor const& i) { return taken(x, i, 0); }},
      row{"take<0> of one", [](auto x, auto) { return ts::take<0>(x, -2); },
          [](tensor const& x, tensor const&) { return taken(x, -2.0, 0); }},
      row{"dynamic_index_in_dim", [](auto x, auto i) { return ts::dynamic_index_in_dim<0, false>(x, ts::max(i)); },
          [](tensor const& x, tensor const&) { return taken(x, 7.0, 0); }}};
};
struct asked {
  static constexpr auto rows = std::tuple{
      row{"take<0>", [](auto x, auto i) { return ts::take<0>(x, i, ts::out_sharding<P<none, dp, mp>>); },
          [](tensor const& x, tensor const& i) { return taken(x, i, 0); }},
      row{"take<1>", [](auto x, auto i) { return ts::take<1>(x, ts::remainder(i, 4), ts::out_sharding<P<none, mp>>); },
          [](tensor const& x, tensor const& i) { return taken(x, oracle::remainder(i, 4), 1); }},
      row{"take<0> to one place", [](auto x, auto i) { return ts::take<0>(x, i, ts::out_sharding<P<>>); },
          [](tensor const& x, tensor const& i) { return taken(x, i, 0); }}};
};
struct along {
  static constexpr auto rows = std::tuple{
      row{"take_along_axis<0>", [](auto x, auto i) { return ts::take_along_axis<0>(x, i); },
          [](tensor const& x, tensor const& i) { return taken_along(x, i, 0); }},
      row{"take_along_axis<0> of one column",
          [](auto x, auto i) {
            return ts::take_along_axis<0>(x, ts::reshard<P<>>(ts::slice_in_dim<1, 0, 1>(ts::reshard<P<>>(i))));
          },
          [](tensor const& x, tensor const& i) {
            return taken_along(x, oracle::slice(i, {0, 0}, {4, 1}), 0);
          }},
      row{"take_along_axis<1>", [](auto x, auto i) { return ts::take_along_axis<1>(x.T(), i.T()).T(); },
          [](tensor const& x, tensor const& i) { return taken_along(x, i, 0); }}};
};
struct windows {
  static constexpr auto rows = std::tuple{
      row{"dynamic_slice", [](auto x, auto i) { return ts::dynamic_slice<4, 2>(x, ts::min(i), ts::max(i)); },
          [](tensor const& x, tensor const& i) {
            return window(x, tensor({2}, {oracle::min(i).item(), oracle::max(i).item()}), {4, 2});
          }},
      row{"dynamic_slice of rows", [](auto x, auto i) { return ts::dynamic_slice<4, ts::to_end>(x, ts::sum(i), 0); },
          [](tensor const& x, tensor const& i) {
            return window(x, tensor({2}, {oracle::sum(i).item(), 0}), {4, 4});
          }},
      row{"dynamic_slice at literals", [](auto x, auto) { return ts::dynamic_slice<4, 2>(x, 9, -3); },
          [](tensor const& x, tensor const&) {
            return oracle::slice(x, {4, 1}, {8, 3});
          }},
      row{"dynamic_slice_in_dim", [](auto x, auto i) { return ts::dynamic_slice_in_dim<1, 2>(x, ts::min(i)); },
          [](tensor const& x, tensor const& i) {
            return window(x, tensor({2}, {0, oracle::min(i).item()}), {8, 2});
          }},
      row{"dynamic_update_slice",
          [](auto x, auto i) {
            return ts::dynamic_update_slice(x, ts::slice(x, ts::starts<0, 0>, ts::limits<4, 2>) * 3.0, ts::max(i), 1);
          },
          [](tensor const& x, tensor const&) {
            return oracle::update_slice(x, oracle::slice(x, {0, 0}, {4, 2}) * 3, {4, 1});
          }},
      row{"dynamic_update_slice at literals",
          [](auto x, auto) {
            return ts::dynamic_update_slice(x, ts::slice(x, ts::starts<0, 0>, ts::limits<4, 2>) * 3.0, 2, -1);
          },
          [](tensor const& x, tensor const&) {
            return oracle::update_slice(x, oracle::slice(x, {0, 0}, {4, 2}) * 3, {2, 2});
          }},
      row{"dynamic_update_slice_in_dim",
          [](auto x, auto i) {
            return ts::dynamic_update_slice_in_dim<1>(x, ts::slice_in_dim<1, 0, 2>(x) + 1.0, ts::max(i));
          },
          [](tensor const& x, tensor const&) {
            return oracle::update_slice(x, oracle::slice(x, {0, 0}, {8, 2}) + 1, {0, 2});
          }},
      row{"dynamic_update_index_in_dim",
          [](auto x, auto i) { return ts::dynamic_update_index_in_dim<1>(x, ts::sum<1>(x), ts::min(i)); },
          [](tensor const& x, tensor const&) {
            return oracle::update_slice(x, oracle::expand_dims(oracle::sum(x, {1}), 1), {0, 0});
          }}};
};

using matrix = dense<float, 8, 4>;
matrix const values(-1, 1);
// Negative ones, ends, and one place twice.
dense<std::int32_t, 2, 4> const places(tensor({2, 4}, {0, -1, 7, 3, 3, -8, 5, 2}));
dense<std::int32_t, 2, 4> const beyond(tensor({2, 4}, {0, -9, 8, 3, 3, -8, 100, 2}));
dense<std::int32_t, 4, 4> const rows_of(tensor({4, 4}, {0, -1, 7, 3, 3, -8, 5, 2, 1, 1, 1, 1, 6, 0, -2, 4}));

TEST(gather, takes) {
  check<picks, on<grid, P<none, mp>, P<>>, jitted>(values, places);
  check<picks, on<cube, P<none, axes<b, a>>, P<>>, interpreted>(values, beyond);
  check<picks, nowhere, eagerly>(values, places);
}

TEST(gather, to_a_layout) {
  check<asked, on<grid, P<dp, mp>, P<none, dp>>, jitted>(values, places);
  check<asked, on<grid, P<mp>, P<mp>>, interpreted>(values, places);
  check<asked, on<grid, P<>, P<>>, interpreted>(values, beyond);
}

#ifndef TESSERA_BY_DAY
TEST(gather, along) {
  check<along, on<grid, P<none, mp>, P<none, mp>>, jitted>(values, rows_of);
  check<along, on<cube, P<none, axes<c, a>>, P<>>, interpreted>(values, rows_of);
  check<along, nowhere, interpreted>(values, rows_of);
}

TEST(gather, windows) {
  check<windows, on<cube, P<axes<c, a>>, P<>>, jitted>(values, places);
  check<windows, on<grid, P<dp>, P<>>, interpreted>(values, places);
  check<windows, nowhere, eagerly>(values, places);
}

TEST(gather, of_other_dtypes) {
  check<picks, on<grid, P<none, mp>, P<>>, interpreted>(dense<std::int64_t, 8, 4>(-9, 9), places);
  check<picks, on<grid, P<none, mp>, P<>>, interpreted>(dense<ts::bfloat16, 8, 4>(-9, 9), beyond);
  check<picks, on<grid, P<none, mp>, P<>>, interpreted>(dense<bool, 8, 4>(0, 2), places);
}
#endif

}  // namespace
