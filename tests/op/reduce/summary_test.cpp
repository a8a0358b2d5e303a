// SPDX-License-Identifier: Apache-2.0
// nightly
// Summaries, segments, searches, diagonals and stacks against plain loops, over layouts.

#include "support/summary_rows.hpp"

namespace {

using namespace summary_rows;

struct smooth_ones {
  static constexpr bool sized = true;  // a quantile's positions follow from the extent
  static constexpr auto rows = smooth;
};
struct counting {
  [[maybe_unused]] static constexpr bool sized = true;  // a quantile's positions follow from the extent
  static constexpr auto rows = std::tuple{
      row{"count_nonzero", [](auto x) { return ts::count_nonzero<0>(x > 0.0); },
          [](tensor const& x) { return oracle::sum(oracle::greater(x, 0), {0}); }},
      row{"bincount",
          [](auto x) { return ts::bincount<4>(ts::ravel(ts::astype<std::int32_t>(ts::reshard<P<>>(x) * 5.0))); },
          [](tensor const& x) {
            return oracle::generate({4}, [&](ints const& at) {
              double n = 0;
              for (double v : x.data) n += std::trunc(v * 5) == double(at[0]);
              return n;
            });
          }},
      row{"searchsorted",
          [](auto x) {
            auto const places = ts::astype<float>(ts::arange<5>()) * 0.5 - 1.0;
            return ts::searchsorted(places, x) - ts::max(ts::searchsorted(places, places * 0.0, ts::after_equals));
          },
          [](tensor const& x) {
            return oracle::generate(x.extents, [&](ints const& at) { return std::ceil((x[at] + 1) / 0.5) - 3; });
          }},
      row{"isclose", [](auto x) { return ts::isclose(x, ts::where(x > 0.0, x * 1.000001, x + 0.01)); },
          [](tensor const& x) { return oracle::greater(x, 0); }},
      row{"isclose of infinities",
          [](auto x) {
            double const inf = std::numeric_limits<double>::infinity();
            return ts::isclose(ts::where(x > 0.0, inf, x), inf, ts::tolerance{1e-2, 0});
          },
          [](tensor const& x) { return oracle::greater(x, 0); }},
      row{"allclose",
          [](auto x) {
            return ts::allclose(x, x * 1.01, ts::tolerance{0.02, 0});
          },
          [](tensor const&) { return tensor(1); }},
      row{"not allclose", [](auto x) { return ts::allclose(x, x * 1.01); }, [](tensor const&) { return tensor(0); }},
      row{"array_equal",
          [](auto x) { return ts::logical_and(ts::array_equal(x, x), ts::array_equal(x + 1.0, x) == false); },
          [](tensor const&) { return tensor(1); }},
      row{"diagonal of a mask", [](auto x) { return ts::diagonal(x > 0.0); },
          [](tensor const& x) { return oracle::generate({4}, [&](ints const& at) {
                                  return x[{at[0], at[0]}] > 0;
                                }); }},
      row{"diff of a mask", [](auto x) { return ts::diff(ts::reshard<P<>>(x > 0.0)); },
          [](tensor const& x) {
            return matrix(8, 3, [&](auto i, auto j) { return (x[{i, j}] > 0) != (x[{i, j + 1}] > 0); });
          }}};
};

TEST(summary, over_layouts) {
  dense<float, 8, 4> const x(-1, 1);
  check<smooth_ones, on<grid, P<dp, mp>>, interpreted>(x);
  check<counting, on<grid, P<dp, mp>>, jitted>(x);
  check<counting, nowhere, eagerly>(x);
}
TEST(summary, in_double) {
  dense<double, 8, 4> const x(-1, 1);
  check<smooth_ones, on<cube, P<axes<a, c>>>, interpreted>(x);
  check<smooth_ones, nowhere, interpreted>(x);
}
TEST(summary, what_has_only_gaps) {
  auto const nothing = place(nowhere{}, dense<float, 4>(tensor({4}, {NAN, NAN, NAN, NAN})));
  EXPECT_TRUE(std::isnan(tensor_of(ts::nanmax(nothing)).item()));
  EXPECT_TRUE(std::isnan(tensor_of(ts::nanmean(nothing)).item()));
  EXPECT_EQ(tensor_of(ts::nansum(nothing)).item(), 0);
  EXPECT_TRUE(std::isnan(tensor_of(ts::median(nothing)).item()));
}
// As jnp.searchsorted and jnp.interp have it: NaN stands last, and 0 beside -0.
TEST(summary, searched_for_special_values) {
  float const inf = HUGE_VALF, nan = std::nanf("");
  auto const sorted = ts::asarray({-inf, -1.f, -0.f, 0.f, 2.f, inf, nan, nan});
  auto const numbers = ts::asarray({-inf, -1.f, -0.f, 0.f, 2.f, inf});
  auto const x = ts::asarray({nan, -nan, inf, -inf, 0.f, -0.f, 3.f});
  using places = std::vector<std::int32_t>;
  EXPECT_EQ(ts::searchsorted(sorted, x).to_host(), (places{6, 6, 5, 0, 2, 2, 5}));
  EXPECT_EQ(ts::searchsorted(sorted, x, ts::after_equals).to_host(), (places{8, 8, 6, 1, 4, 4, 5}));
  EXPECT_EQ(ts::searchsorted(numbers, x).to_host(), (places{6, 6, 5, 0, 2, 2, 5}));
  EXPECT_EQ(ts::searchsorted(numbers, x, ts::after_equals).to_host(), (places{6, 6, 6, 1, 4, 4, 5}));
  auto const points = ts::asarray({0.f, 1.f, 2.f}), values = ts::asarray({5.f, 6.f, 8.f});
  auto const between = ts::interp(ts::asarray({nan, -inf, inf, 1.5f}), points, values).to_host();
  EXPECT_TRUE(std::isnan(between[0]));
  EXPECT_EQ((std::vector<float>{between[1], between[2], between[3]}), (std::vector<float>{5, 8, 7}));
}
TEST(segments, that_are_empty) {
  auto const x = place(nowhere{}, dense<std::int64_t, 3>(tensor({3}, {1, 2, 3})));
  auto const ids = place(nowhere{}, dense<std::int32_t, 3>(tensor({3}, {-1, 0, 5})));
  EXPECT_EQ(ts::segment_max<2>(x, ids).to_host(),
            (std::vector<std::int64_t>{2, std::numeric_limits<std::int64_t>::min()}));
  EXPECT_EQ(ts::segment_sum<2>(x, ids).to_host(), (std::vector<std::int64_t>{2, 0}));
}

}  // namespace
