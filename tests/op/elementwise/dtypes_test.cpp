// SPDX-License-Identifier: Apache-2.0
// What ops make of dtypes: functions of integers, masks and half floats, casts between all dtypes.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::element;
using oracle::tensor;

#define SAME(op)                                                                         \
  row {                                                                                  \
#op, [](auto x) { return ts::op(x); }, [](tensor const& x) { return oracle::op(x); } \
  }
#define CAST(T)                                                                                  \
  row {                                                                                          \
    "astype<" #T ">", [](auto x) { return ts::astype<T>(x); }, [](tensor const& x) { return x; } \
  }

struct functions {
  static constexpr auto rows =
      std::tuple{SAME(negative), SAME(square), SAME(reciprocal), SAME(sqrt), SAME(rsqrt), SAME(exp),
                 SAME(log),      SAME(tanh),   SAME(erf),        SAME(relu), SAME(gelu),  SAME(softmax)};
};
struct integer_functions {  // of integers: themselves, or float32 where the function is a floating one
  static constexpr auto rows =
      std::tuple{SAME(negative), SAME(abs),     SAME(sign), SAME(square), SAME(sqrt),  SAME(exp),
                 SAME(tanh),     SAME(sigmoid), SAME(relu), SAME(gelu),   SAME(isnan), SAME(isfinite)};
};
struct mask_functions {
  static constexpr auto rows = std::tuple{SAME(logical_not), SAME(relu)};
};

struct casts {
  static constexpr auto rows = std::tuple{CAST(float), CAST(double),      CAST(std::int32_t), CAST(std::int64_t),
                                          CAST(bool),  CAST(ts::float16), CAST(ts::bfloat16)};
};
TEST(dtypes, in_other_dtypes) {
  check<functions, on<grid, P<axes<dp, mp>>>, interpreted>(dense<double, 8, 4>(0.1, 3));
  check<functions, on<grid, P<mp>>, interpreted>(dense<ts::bfloat16, 8, 4>(0.1, 3));
  check<functions, on<grid, P<none, dp>>, interpreted>(dense<ts::float16, 8, 4>(0.1, 3));
}

TEST(dtypes, of_integers) {
  dense<std::int32_t, 8, 4> const x(-9, 9);
  check<integer_functions, nowhere, interpreted>(x);
  check<integer_functions, on<grid, P<dp, mp>>, jitted>(x);
  check<integer_functions, on<cube, P<axes<a, b>>>, interpreted>(dense<std::int64_t, 8, 4>(-9, 9));
  dense<bool, 8, 4> const mask(oracle::greater(oracle::scattered({8, 4}), 0));
  check<mask_functions, on<grid, P<mp, dp>>, jitted>(mask);
  check<mask_functions, on<grid, P<mp, dp>>, eagerly>(mask);
}

#ifndef TESSERA_BY_DAY
// In the element type of another value, whatever its shape; a number beside arrays is weak.
struct casts_like {
  static constexpr auto rows = std::tuple{
      row{"astype like bfloat16", [](auto x) { return ts::astype(x, ts::zeros<ts::bfloat16, 3>()); },
          [](tensor const& x) { return x; }},
      row{"astype like int32", [](auto x) { return ts::astype(x, ts::sum(ts::astype<std::int32_t>(x))); },
          [](tensor const& x) { return x; }},
      row{"astype like itself", [](auto x) { return ts::astype(x, x); }, [](tensor const& x) { return x; }},
      row{"astype like a number", [](auto x) { return ts::astype(x, 1.5); }, [](tensor const& x) { return x; }}};
};
TEST(dtypes, cast_like_another_value) {
  check<casts_like, on<grid, P<dp, mp>>, jitted>(dense<float, 8, 4>(-9, 9));
  check<casts_like, on<grid, P<mp>>, eagerly>(dense<std::int32_t, 8, 4>(-9, 9));
  static_assert(ts::type_text<decltype(ts::astype(ts::zeros<float, 2>(), ts::zeros<ts::bfloat16, 3>()))> ==
                "bfloat16[2]");
}

TEST(dtypes, cast_to_each_other) {
  check<casts, on<grid, P<dp, mp>>, jitted>(dense<float, 8, 4>(-9, 9));
  check<casts, on<grid, P<mp>>, interpreted>(dense<double, 8, 4>(-9, 9));
  check<casts, on<grid, P<none, dp>>, interpreted>(dense<std::int32_t, 8, 4>(-9, 9));
  check<casts, on<cube, P<axes<a, b>>>, interpreted>(dense<std::int64_t, 8, 4>(-9, 9));
  check<casts, on<cube, P<none, c>>, interpreted>(dense<bool, 8, 4>(oracle::greater(oracle::scattered({8, 4}), 0)));
  check<casts, nowhere, interpreted>(dense<ts::float16, 8, 4>(-9, 9));
  check<casts, on<cube, P<c, axes<b, a>>>, interpreted>(dense<ts::bfloat16, 8, 4>(-9, 9));
}

TEST(dtypes, large_integers_keep_all_digits) {
  auto const moved = ts::jit([](auto x) { return ts::transpose(x + 1) * 1; });
  std::vector<std::int64_t> const values{9007199254740993, -9007199254740995, 4, 5};
  auto const x = ts::device_put<P<mp>>(ts::host<2, 2>(values), ts::make_mesh<grid>(ts::devices()));
  EXPECT_EQ(moved(x).to_host(), (std::vector<std::int64_t>{9007199254740994, 5, -9007199254740994, 6}));
}
#endif

}  // namespace
