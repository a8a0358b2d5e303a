// SPDX-License-Identifier: Apache-2.0
// Functions of two and three arrays at all combinations of special values, and their gradients there, against JAX.

#include "support/special_answers.hpp"

namespace {

using special::differs;
using special::flat;
using special::row;
namespace ts = tessera;

#define OF(op)                                       \
  row {                                              \
#op, [](auto x, auto y) { return ts::op(x, y); } \
  }
#define FLAT(op)                                     \
  flat {                                             \
#op, [](auto x, auto y) { return ts::op(x, y); } \
  }

struct pairs {
  static constexpr auto rows =
      std::tuple{OF(add),
                 OF(subtract),
                 OF(multiply),
                 OF(divide),
                 OF(maximum),
                 OF(minimum),
                 OF(power),
                 OF(fmod),
                 OF(remainder),
                 OF(floor_divide),
                 OF(arctan2),
                 OF(hypot),
                 OF(copysign),
                 OF(logaddexp),
                 FLAT(equal),
                 FLAT(not_equal),
                 FLAT(less),
                 FLAT(less_equal),
                 FLAT(greater),
                 FLAT(greater_equal),
                 FLAT(isclose),
                 FLAT(allclose),
                 FLAT(array_equal),
                 row{"where", [](auto x, auto y) { return ts::where(x > y, x, y); }},
                 row{"guarded_divide", [](auto x, auto y) { return ts::where(y == 0, 0.0, x / y); }},
                 row{"complex", [](auto x, auto y) { return ts::abs(ts::complex(x, y)); }},
                 row{"complex_exp", [](auto x, auto y) { return ts::real(ts::exp(ts::complex(x, y))); }},
                 row{"complex_square", [](auto x, auto y) { return ts::imag(ts::complex(x, y) * ts::complex(x, y)); }}};
};
struct triples {
  static constexpr auto rows =
      std::tuple{row{"clamp", [](auto x, auto y, auto z) { return ts::clamp(x, y, z); }},
                 row{"clip", [](auto x, auto y, auto z) { return ts::clip(x, y, z); }},
                 row{"where", [](auto x, auto y, auto z) { return ts::where(x > 0, y, z); }},
                 row{"select", [](auto x, auto y, auto z) { return ts::select(x > 0, y, z); }},
                 row{"select_n", [](auto x, auto y, auto z) { return ts::select_n(x > 0, z, y); }},
                 row{"product", [](auto x, auto y, auto z) { return x * y + z; }}};
};

TEST(special_pairs, pairs) {
  auto file = special::read("binary");
  auto const x = special::put<121>(file, "x"), y = special::put<121>(file, "y");
  auto const w = ts::device_put(ts::host<121>(std::vector<float>(121, 1.0f)));
  special::check_values<pairs>(
      "binary", file,
      {{"maximum value", {differs::zero}}, {"minimum value", {differs::zero}}, {"complex value", {differs::number}}},
      true, x, y);
  special::check_slopes<pairs>("binary", file,
                               {{"divide by1", {differs::number}},
                                {"guarded_divide by1", {differs::number}},
                                {"hypot by0", {differs::other}},
                                {"hypot by1", {differs::other}}},
                               w, x, y);
}
TEST(special_pairs, triples) {
  auto file = special::read("ternary");
  auto const x = special::put<216>(file, "x"), y = special::put<216>(file, "y"), z = special::put<216>(file, "z");
  auto const w = ts::device_put(ts::host<216>(std::vector<float>(216, 1.0f)));
  special::check_values<triples>("ternary", file, {}, true, x, y, z);
  special::check_slopes<triples>("ternary", file, {}, w, x, y, z);
}

}  // namespace
