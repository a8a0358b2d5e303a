// SPDX-License-Identifier: Apache-2.0
// nightly
// argmax, argmin, any and all; reductions of integers, masks and half floats, of special values, of nothing.

#include "support/op_case.hpp"
#include "support/throws.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct positions {
  static constexpr auto rows = std::tuple{
      row{"argmax<0>", [](auto x) { return ts::argmax<0>(x); }, [](tensor const& x) { return oracle::argmax(x, 0); }},
      row{"argmax<1>", [](auto x) { return ts::argmax<1>(x); }, [](tensor const& x) { return oracle::argmax(x, 1); }},
      row{"argmax<-1>", [](auto x) { return ts::argmax<-1>(x); },
          [](tensor const& x) { return oracle::argmax(x, -1); }},
      row{"argmax<1> keepdims", [](auto x) { return ts::argmax<1>(x, ts::keepdims); },
          [](tensor const& x) { return oracle::argmax(x, 1, true); }},
      row{"argmin<0>", [](auto x) { return ts::argmin<0>(x); }, [](tensor const& x) { return oracle::argmin(x, 0); }},
      row{"argmin<1>", [](auto x) { return ts::argmin<1>(x); }, [](tensor const& x) { return oracle::argmin(x, 1); }},
      row{"argmin<-1>", [](auto x) { return ts::argmin<-1>(x); },
          [](tensor const& x) { return oracle::argmin(x, -1); }},
      row{"argmin<1> keepdims", [](auto x) { return ts::argmin<1>(x, ts::keepdims); },
          [](tensor const& x) { return oracle::argmin(x, 1, true); }}};
};
struct of_all {
  static constexpr auto rows =
      std::tuple{row{"argmax", [](auto x) { return ts::argmax(x); },
                     [](tensor const& x) { return oracle::argmax(oracle::reshape(x, {-1}), 0); }},
                 row{"argmin", [](auto x) { return ts::argmin(x); },
                     [](tensor const& x) { return oracle::argmin(oracle::reshape(x, {-1}), 0); }}};
};
struct logic {
  static constexpr auto rows =
      std::tuple{row{"any", [](auto x) { return ts::any(x > 0.9); },
                     [](tensor const& x) { return oracle::any(oracle::greater(x, 0.9)); }},
                 row{"any<0>", [](auto x) { return ts::any<0>(x > -0.7); },
                     [](tensor const& x) { return oracle::any(oracle::greater(x, -0.7), {0}); }},
                 row{"any<1, 2>", [](auto x) { return ts::any<1, 2>(x > 0.6); },
                     [](tensor const& x) {
                       return oracle::any(oracle::greater(x, 0.6), {1, 2});
                     }},
                 row{"any<-1> keepdims", [](auto x) { return ts::any<-1>(x > -0.5, ts::keepdims); },
                     [](tensor const& x) { return oracle::any(oracle::greater(x, -0.5), {2}, true); }},
                 row{"any of numbers", [](auto x) { return ts::any<2>(ts::astype<std::int32_t>(x * 2.0)); },
                     [](tensor const& x) { return oracle::any(oracle::cast(x * 2, oracle::element::int32), {2}); }},
                 row{"all", [](auto x) { return ts::all(x > 0.9); },
                     [](tensor const& x) { return oracle::all(oracle::greater(x, 0.9)); }},
                 row{"all<0>", [](auto x) { return ts::all<0>(x > -0.7); },
                     [](tensor const& x) { return oracle::all(oracle::greater(x, -0.7), {0}); }},
                 row{"all<1, 2>", [](auto x) { return ts::all<1, 2>(x > 0.6); },
                     [](tensor const& x) {
                       return oracle::all(oracle::greater(x, 0.6), {1, 2});
                     }},
                 row{"all<-1> keepdims", [](auto x) { return ts::all<-1>(x > -0.5, ts::keepdims); },
                     [](tensor const& x) { return oracle::all(oracle::greater(x, -0.5), {2}, true); }},
                 row{"all of numbers", [](auto x) { return ts::all<2>(ts::astype<std::int32_t>(x * 2.0)); },
                     [](tensor const& x) { return oracle::all(oracle::cast(x * 2, oracle::element::int32), {2}); }}};
};
struct integers {
  static constexpr auto rows = std::tuple{
      row{"sum<1>", [](auto x) { return ts::sum<1>(x); }, [](tensor const& x) { return oracle::sum(x, {1}); }},
      row{"prod<1>", [](auto x) { return ts::prod<1>(x); }, [](tensor const& x) { return oracle::prod(x, {1}); }},
      row{"max<1>", [](auto x) { return ts::max<1>(x); }, [](tensor const& x) { return oracle::max(x, {1}); }},
      row{"min<1>", [](auto x) { return ts::min<1>(x); }, [](tensor const& x) { return oracle::min(x, {1}); }},
      row{"mean<1>", [](auto x) { return ts::mean<1>(x); }, [](tensor const& x) { return oracle::mean(x, {1}); }},
      row{"argmax<1>", [](auto x) { return ts::argmax<1>(x); }, [](tensor const& x) { return oracle::argmax(x, 1); }},
      row{"argmin<1>", [](auto x) { return ts::argmin<1>(x); }, [](tensor const& x) { return oracle::argmin(x, 1); }}};
};
struct masks {
  static constexpr auto rows = std::tuple{
      row{"sum<1>", [](auto x) { return ts::sum<1>(x); }, [](tensor const& x) { return oracle::sum(x, {1}); }},
      row{"prod<1>", [](auto x) { return ts::prod<1>(x); }, [](tensor const& x) { return oracle::prod(x, {1}); }},
      row{"any<1>", [](auto x) { return ts::any<1>(x); }, [](tensor const& x) { return oracle::any(x, {1}); }},
      row{"all<1>", [](auto x) { return ts::all<1>(x); }, [](tensor const& x) { return oracle::all(x, {1}); }},
      row{"max<1>", [](auto x) { return ts::max<1>(x); }, [](tensor const& x) { return oracle::max(x, {1}); }},
      row{"min<1>", [](auto x) { return ts::min<1>(x); }, [](tensor const& x) { return oracle::min(x, {1}); }},
      row{"mean<1>", [](auto x) { return ts::mean<1>(x); }, [](tensor const& x) { return oracle::mean(x, {1}); }}};
};

using three = dense<float, 4, 8, 2>;

TEST(reduce_more, positions_are_the_first) {
  auto const x = oracle::cast(oracle::scattered({4, 8, 2}, -3, 3), oracle::element::int32);  // many are equal
  check<positions, nowhere, interpreted>(three(x));
  check<positions, on<grid, P<dp, none, mp>>, jitted>(three(x));
  check<positions, on<cube, P<b, axes<c, a>>>, interpreted>(three(x));
  check<of_all, nowhere, interpreted>(three(x));
  check<of_all, on<grid, P<axes<dp>>>, interpreted>(three(x));
}

TEST(reduce_more, logic) {
  three const x(-1, 1);
  check<logic, on<grid, P<dp, none, mp>>, jitted>(x);
  check<logic, on<cube, P<none, axes<a, b, c>>>, interpreted>(x);
}

TEST(reduce_more, of_integers_and_masks) {
  auto const x = oracle::cast(oracle::scattered({8, 4}, -9, 9), oracle::element::int32);
  check<integers, on<grid, P<dp, mp>>, interpreted>(dense<std::int32_t, 8, 4>(x));
  check<integers, on<grid, P<none, dp>>, interpreted>(dense<std::int64_t, 8, 4>(x));
  check<masks, on<grid, P<dp, mp>>, interpreted>(dense<bool, 8, 4>(oracle::greater(x, -5)));
}

TEST(reduce_more, of_special_values) {
  dense<float, 4, 4> const x(
      tensor({4, 4}, {1, NAN, 2, 3, INFINITY, 1, -INFINITY, 2, 0, -0.0, 0, -1, -INFINITY, -3, NAN, NAN}));
  check<integers, on<grid, P<dp, mp>>, interpreted>(x);
  check<integers, on<grid, P<none, dp>>, interpreted>(x);
  check<integers, nowhere, interpreted>(x);
}

// Sums of half floats are made in float: of 4096 ones, bfloat16 would stop at 256.
TEST(reduce_more, of_half_floats) {
  auto const ones = dense<ts::bfloat16, 4096, 2>(oracle::ones({4096, 2}));
  auto const x = place<P<dp>>(ts::make_mesh<grid>(ts::devices()), ones);
  auto const total = ts::sum<0>(x);
  EXPECT_EQ(tensor_of(total), tensor({2}, {4096, 4096}));
  EXPECT_EQ(tensor_of(ts::mean(x)), tensor(1));
}

TEST(reduce_more, of_nothing) {
  auto const x = place(nowhere{}, dense<float, 0, 3>(oracle::zeros({0, 3})));
  EXPECT_EQ(tensor_of(ts::sum<0>(x)), oracle::zeros({3}));
  EXPECT_EQ(tensor_of(ts::prod<0>(x)), oracle::ones({3}));
  EXPECT_EQ(tensor_of(ts::reduce_max<0>(x)), oracle::full({3}, -INFINITY));
  EXPECT_EQ(tensor_of(ts::max<1>(x)), oracle::zeros({0}));
  EXPECT_EQ(tensor_of(ts::all<0>(x > 0)), oracle::ones({3}));
  EXPECT_EQ(tensor_of(ts::any<0>(x > 0)), oracle::zeros({3}));
}
// Where only the call says that there is nothing.
TEST(reduce_more, of_nothing_known_late) {
  auto const all = ts::asarray({3.f, 5.f, 9.f});
  auto const none = all.at(ts::span(2, 2)).get(), some = all.at(ts::span(0, 2)).get();
  char const* const said = "one of the elements along dimension 0 is asked for, and there are none";
  EXPECT_THROW_TEXT(ts::max(none), said);
  EXPECT_THROW_TEXT(ts::argmin(none), said);
  EXPECT_THROW_TEXT(ts::median(none), said);
  EXPECT_THROW_TEXT(ts::jit([](auto x) { return ts::nanmin(x); })(none), said);
  EXPECT_EQ(ts::max(some).item(), 5);
  EXPECT_EQ(ts::median(some).item(), 4);
  EXPECT_EQ(ts::sum(none).item(), 0);
}

}  // namespace
