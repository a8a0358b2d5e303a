// SPDX-License-Identifier: Apache-2.0
// Ops of two arrays: operators and names, broadcasting, literals on either side, special values, over layouts.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

#define BOTH(op)                                                                                                     \
  row {                                                                                                              \
#op, [](auto x, auto y) { return ts::op(x, y); },                                                                \
                                                   [](tensor const& x, tensor const& y) { return oracle::op(x, y); } \
  }

struct arithmetic {
  static constexpr auto rows = std::tuple{
      BOTH(add),
      BOTH(subtract),
      BOTH(multiply),
      BOTH(divide),
      BOTH(maximum),
      BOTH(minimum),
      BOTH(remainder),
      row{"x + y", [](auto x, auto y) { return x + y; }, [](tensor const& x, tensor const& y) { return x + y; }},
      row{"x - y", [](auto x, auto y) { return x - y; }, [](tensor const& x, tensor const& y) { return x - y; }},
      row{"x * y", [](auto x, auto y) { return x * y; }, [](tensor const& x, tensor const& y) { return x * y; }},
      row{"x / y", [](auto x, auto y) { return x / y; }, [](tensor const& x, tensor const& y) { return x / y; }},
      row{"abs(x) ** y", [](auto x, auto y) { return ts::power(ts::abs(x), y); },
          [](tensor const& x, tensor const& y) { return oracle::power(oracle::abs(x), y); }, 4e-6}};
};
struct literals {
  static constexpr auto rows = std::tuple{
      row{"x + 1.5", [](auto x) { return x + 1.5; }, [](tensor const& x) { return x + 1.5; }},
      row{"1.5 + x", [](auto x) { return 1.5 + x; }, [](tensor const& x) { return tensor(1.5) + x; }},
      row{"x - 1.5", [](auto x) { return x - 1.5; }, [](tensor const& x) { return x - 1.5; }},
      row{"1.5 - x", [](auto x) { return 1.5 - x; }, [](tensor const& x) { return tensor(1.5) - x; }},
      row{"x * 3", [](auto x) { return x * 3; }, [](tensor const& x) { return x * 3; }},
      row{"3 * x", [](auto x) { return 3 * x; }, [](tensor const& x) { return x * 3; }},
      row{"x / 4", [](auto x) { return x / 4; }, [](tensor const& x) { return x / 4; }},
      row{"4 / x", [](auto x) { return 4 / x; }, [](tensor const& x) { return tensor(4) / x; }},
      row{"0.5 < x", [](auto x) { return 0.5 < x; }, [](tensor const& x) { return oracle::less(0.5, x); }},
      row{"0.5 >= x", [](auto x) { return 0.5 >= x; }, [](tensor const& x) { return oracle::greater_equal(0.5, x); }},
      row{"x == 1", [](auto x) { return x == 1; }, [](tensor const& x) { return oracle::equal(x, 1); }},
      row{"1 != x", [](auto x) { return 1 != x; }, [](tensor const& x) { return oracle::not_equal(1, x); }},
      row{"ts::maximum(x, 0.25)", [](auto x) { return ts::maximum(x, 0.25); },
          [](tensor const& x) { return oracle::maximum(x, 0.25); }},
      row{"ts::minimum(0.25, x)", [](auto x) { return ts::minimum(0.25, x); },
          [](tensor const& x) { return oracle::minimum(0.25, x); }},
      row{"ts::power(x, 2)", [](auto x) { return ts::power(x, 2); }, [](tensor const& x) { return x * x; }},
      row{"ts::remainder(x, 0.75)", [](auto x) { return ts::remainder(x, 0.75); },
          [](tensor const& x) { return oracle::remainder(x, 0.75); }}};
};
struct special {
  static constexpr auto rows = std::tuple{
      BOTH(add),   BOTH(subtract),  BOTH(multiply), BOTH(divide),     BOTH(maximum), BOTH(minimum),      BOTH(power),
      BOTH(equal), BOTH(not_equal), BOTH(less),     BOTH(less_equal), BOTH(greater), BOTH(greater_equal)};
};
struct few {
  static constexpr auto rows =
      std::tuple{BOTH(add), BOTH(multiply), BOTH(less),
                 row{"where", [](auto x, auto y) { return ts::where(x > 0.2, x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::where(oracle::greater(x, 0.2), x, y); }}};
};

TEST(binary, over_layouts) {
  dense<float, 8, 4> const x(-2, 2), y(-2, 2, 5);
  check<arithmetic, on<grid, P<dp, mp>>, jitted>(x, y);
  check<arithmetic, nowhere, interpreted>(x, y);
  check<arithmetic, on<grid, P<>>, interpreted>(x, y);
  check<arithmetic, on<cube, P<axes<c, a>, b>>, interpreted>(x, y);
}

TEST(binary, with_literals) {
  dense<float, 8, 4> const x(0.3, 2);
  check<literals, on<grid, P<mp, dp>>, jitted>(x);
  check<literals, on<cube, P<none, axes<b, c>>>, interpreted>(x);
}

#ifndef TESSERA_BY_DAY
TEST(binary, of_special_values) {
  std::vector<double> const values{NAN, INFINITY, -INFINITY, 0, -0.0, 1, -2.5, 3e38};
  dense<float, 8, 8> const x(oracle::generate({8, 8}, [&](oracle::ints const& at) { return values[at[0]]; }));
  dense<float, 8, 8> const y(oracle::generate({8, 8}, [&](oracle::ints const& at) { return values[at[1]]; }));
  check<special, on<grid, P<dp, mp>>, interpreted>(x, y);
}

TEST(binary, remainders_of_special_values) {
  auto const at = [](auto const& x) { return x.to_host(); };
  auto const x = ts::asarray({5.f, -5.f, 5.f, -5.f, 1.f}), y = ts::asarray({3.f, 3.f, -3.f, -3.f, INFINITY});
  EXPECT_EQ(at(ts::remainder(x, y)), (std::vector<float>{2, 1, -1, -2, 1}));
  EXPECT_EQ(at(ts::remainder(ts::asarray({7, -7, 7}), ts::asarray({0, 4, -4}))), (std::vector<std::int32_t>{0, 1, -1}));
}

TEST(binary, broadcast) {
  dense<float, 8, 4> const x(-2, 2);
  check<few, on<grid, P<dp, mp>, P<mp>>, interpreted>(x, dense<float, 4>(-1, 1, 3));
  check<few, on<grid, P<dp, mp>, P<none, mp>>, interpreted>(x, dense<float, 1, 4>(-1, 1, 3));
  check<few, on<grid, P<dp>, P<none, mp>>, interpreted>(dense<float, 8, 1>(-2, 2), dense<float, 1, 4>(-1, 1, 3));
  check<few, on<grid, P<axes<dp, mp>>, P<>>, jitted>(x, dense<float, 4>(-1, 1, 3));
  check<few, on<cube, P<b, none, axes<a, c>>, P<none, axes<a, c>>>, interpreted>(dense<float, 2, 3, 4>(-2, 2),
                                                                                 dense<float, 3, 4>(-1, 1, 3));
  check<few, nowhere, interpreted>(dense<float, 3, 1, 2>(-2, 2), dense<float, 5, 1>(-1, 1, 3));
}
#endif

}  // namespace
