// SPDX-License-Identifier: Apache-2.0
// Comparisons, logic and selection; ops of two arrays of integers and of masks, over layouts.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

#define BOTH(op)                                                                                                     \
  row {                                                                                                              \
#op, [](auto x, auto y) { return ts::op(x, y); },                                                                \
                                                   [](tensor const& x, tensor const& y) { return oracle::op(x, y); } \
  }

struct comparisons {
  static constexpr auto rows = std::tuple{
      BOTH(equal),
      BOTH(not_equal),
      BOTH(less),
      BOTH(less_equal),
      BOTH(greater),
      BOTH(greater_equal),
      row{"x == y", [](auto x, auto y) { return x == y; },
          [](tensor const& x, tensor const& y) { return oracle::equal(x, y); }},
      row{"x != y", [](auto x, auto y) { return x != y; },
          [](tensor const& x, tensor const& y) { return oracle::not_equal(x, y); }},
      row{"x < y", [](auto x, auto y) { return x < y; },
          [](tensor const& x, tensor const& y) { return oracle::less(x, y); }},
      row{"x <= y", [](auto x, auto y) { return x <= y; },
          [](tensor const& x, tensor const& y) { return oracle::less_equal(x, y); }},
      row{"x > y", [](auto x, auto y) { return x > y; },
          [](tensor const& x, tensor const& y) { return oracle::greater(x, y); }},
      row{"x >= y", [](auto x, auto y) { return x >= y; },
          [](tensor const& x, tensor const& y) { return oracle::greater_equal(x, y); }},
      row{"x > 0", [](auto x, auto y) { return ts::logical_or(ts::logical_and(x > 0, y > 0), ts::logical_not(y < x)); },
          [](tensor const& x, tensor const& y) {
            return oracle::logical_or(oracle::logical_and(oracle::greater(x, 0), oracle::greater(y, 0)),
                                      oracle::greater_equal(y, x));
          }}};
};
struct selections {
  static constexpr auto rows =
      std::tuple{row{"where(x > y, x, y)", [](auto x, auto y) { return ts::where(x > y, x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::maximum(x, y); }},
                 row{"where(x > 0, 1, y)", [](auto x, auto y) { return ts::where(x > 0, 1, y); },
                     [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, 0), 1, y); }},
                 row{"where(x, y, 0.0)", [](auto x, auto y) { return ts::where(x > 0.5, y, 0.0); },
                     [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, 0.5), y, 0); }},
                 row{"where of numbers", [](auto x, auto y) { return ts::where(ts::astype<std::int32_t>(x), x, y); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::where(oracle::cast(x, oracle::element::int32), x, y);
                     }},
                 row{"clipped", [](auto x, auto) { return ts::minimum(ts::maximum(x, -0.5), 0.5); },
                     [](tensor const& x, tensor const&) { return oracle::clip(x, -0.5, 0.5); }}};
};
struct integers {
  static constexpr auto rows =
      std::tuple{BOTH(add),       BOTH(subtract), BOTH(multiply), BOTH(divide),      BOTH(maximum),   BOTH(minimum),
                 BOTH(remainder), BOTH(equal),    BOTH(less),     BOTH(logical_and), BOTH(logical_or)};
};
struct masks {
  static constexpr auto rows = std::tuple{BOTH(logical_and), BOTH(logical_or), BOTH(equal), BOTH(not_equal),
                                          BOTH(maximum),     BOTH(minimum),    BOTH(less)};
};
TEST(compare, over_layouts) {
  dense<float, 8, 4> const x(-2, 2), y(-2, 2, 5);
  check<comparisons, on<grid, P<none, mp>>, jitted>(x, y);
  check<comparisons, on<cube, P<axes<a, b>>>, interpreted>(
      x, dense<float, 8, 4>(oracle::where(oracle::iota({8, 4}), y.values, x.values)));
}

TEST(compare, selects) {
  dense<float, 8, 4> const x(-2, 2), y(-2, 2, 5);
  check<selections, on<grid, P<axes<dp, mp>>>, jitted>(x, y);
  check<selections, on<cube, P<b, c>>, interpreted>(x, y);
}

TEST(compare, of_integers_and_masks) {
  dense<std::int32_t, 8, 4> const i(-9, 9), j(-3, 3, 7);
  check<integers, on<grid, P<dp, mp>>, jitted>(i, dense<std::int32_t, 8, 4>(oracle::where(j.values, j.values, 2)));
  check<masks, on<grid, P<mp>>, interpreted>(dense<bool, 8, 4>(oracle::greater(i.values, 0)),
                                             dense<bool, 8, 4>(oracle::greater(j.values, 0)));
}

}  // namespace
