// SPDX-License-Identifier: Apache-2.0
// Operators of whole numbers and of masks: of two arrays, with a number on either side, with assignment.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

constexpr int whole(double v) { return static_cast<int>(v); }
constexpr double negated(double v) { return 1 - v; }

#define OPERATOR(op)                                                                                 \
  row{"x " #op " y", [](auto x, auto y) { return x op y; },                                          \
      [](tensor const& x, tensor const& y) {                                                         \
        return oracle::map(x, y, [](double v, double w) { return double(whole(v) op whole(w)); });   \
      }},                                                                                            \
      row{"x " #op " 3", [](auto x, auto) { return x op 3; },                                        \
          [](tensor const& x, tensor const&) {                                                       \
            return oracle::map(x, [](double v) { return double(whole(v) op 3); });                   \
          }},                                                                                        \
      row{"3 " #op " x", [](auto x, auto) { return 3 op x; },                                        \
          [](tensor const& x, tensor const&) {                                                       \
            return oracle::map(x, [](double v) { return double(3 op whole(v)); });                   \
          }},                                                                                        \
      row {                                                                                          \
    "x " #op "= y",                                                                                  \
        [](auto x, auto y) {                                                                         \
          x op## = y;                                                                                \
          return x;                                                                                  \
        },                                                                                           \
        [](tensor const& x, tensor const& y) {                                                       \
          return oracle::map(x, y, [](double v, double w) { return double(whole(v) op whole(w)); }); \
        }                                                                                            \
  }

struct of_bits {
  static constexpr auto rows = std::tuple{
      OPERATOR(&), OPERATOR(|), OPERATOR(^),
      row{"~x", [](auto x, auto) { return ~x; },
          [](tensor const& x, tensor const&) { return oracle::map(x, [](double v) { return double(~whole(v)); }); }}};
};
struct of_positive_numbers {
  static constexpr auto rows = std::tuple{OPERATOR(%), OPERATOR(<<), OPERATOR(>>)};
};
struct of_masks {
  static constexpr auto rows = std::tuple{
      row{"x & y", [](auto x, auto y) { return x & y; },
          [](tensor const& x, tensor const& y) { return oracle::map(x, y, [](double v, double w) { return v * w; }); }},
      row{"x | y", [](auto x, auto y) { return x | y; },
          [](tensor const& x, tensor const& y) { return oracle::maximum(x, y); }},
      row{"x ^ true", [](auto x, auto) { return x ^ true; },
          [](tensor const& x, tensor const&) { return oracle::map(x, negated); }},
      row{"~x", [](auto x, auto) { return ~x; },
          [](tensor const& x, tensor const&) { return oracle::map(x, negated); }}};
};
struct of_numbers {
  static constexpr auto rows =
      std::tuple{row{"x % y", [](auto x, auto y) { return x % y; },
                     [](tensor const& x, tensor const& y) { return oracle::remainder(x, y); }},
                 row{"x % 0.75", [](auto x, auto) { return x % 0.75; },
                     [](tensor const& x, tensor const&) { return oracle::remainder(x, 0.75); }}};
};

TEST(operators, of_whole_numbers) {
  check<of_bits, on<grid, P<dp, mp>>, jitted>(dense<std::int32_t, 8, 4>(-9, 9), dense<std::int32_t, 8, 4>(-5, 5, 3));
  check<of_positive_numbers, on<cube, P<axes<c, a>, b>>, interpreted>(dense<std::int64_t, 8, 4>(1, 9),
                                                                      dense<std::int64_t, 8, 4>(1, 9, 3));
  check<of_positive_numbers, nowhere, interpreted>(dense<std::int8_t, 4>(1, 3), dense<std::int8_t, 4>(1, 3, 3));
}
TEST(operators, of_masks) {
  auto const half = oracle::greater(oracle::scattered({8, 4}), 0),
             other = oracle::greater(oracle::scattered({8, 4}, -1, 1, 5), 0);
  check<of_masks, on<grid, P<dp, mp>>, jitted>(dense<bool, 8, 4>(half), dense<bool, 8, 4>(other));
}
TEST(operators, of_numbers) {
  check<of_numbers, on<grid, P<dp, mp>>, jitted>(dense<float, 8, 4>(-2, 2), dense<float, 8, 4>(-2, 2, 3));
}

}  // namespace
