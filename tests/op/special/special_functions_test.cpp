// SPDX-License-Identifier: Apache-2.0
// nightly
// Functions of one array at special values, their gradients there, and the gradients of these, against JAX.

#include "support/special_rows.hpp"

namespace {

using namespace special;

struct lookups {
  static constexpr auto rows = std::tuple{
      flat{"one_hot", [](auto x) { return ts::one_hot<4>(x); }},
      flat{"searchsorted", [](auto x) { return ts::searchsorted(ts::arange<float, 5>() - 2, x); }},
      row{"interp",
          [](auto x) { return ts::interp(x, ts::arange<float, 3>() - 1, ts::square(ts::arange<float, 3>())); }},
      row{"segment_sum", [](auto x) { return ts::segment_sum<16>(x, ts::remainder(ts::arange<32>(), 15)); }},
      row{"segment_max", [](auto x) { return ts::segment_max<16>(x, ts::remainder(ts::arange<32>(), 15)); }},
      row{"segment_min", [](auto x) { return ts::segment_min<16>(x, ts::remainder(ts::arange<32>(), 15)); }}};
};

TEST(special_functions, functions) { check<functions, float, 32>("unary", signed_zeros); }
TEST(special_functions, shapes) { check<shapes, float, 32>("unary", signed_zeros); }
TEST(special_functions, composites) { check<composites, float, 32>("unary", signed_zeros); }
TEST(special_functions, lookups) { check<lookups, float, 32>("unary", signed_zeros); }
TEST(special_functions, subnormal) {
  check<functions, float, 4>("subnormal.float32", signed_zeros);
  check<shapes, float, 4>("subnormal.float32", signed_zeros);
  check<composites, float, 4>("subnormal.float32", signed_zeros);
}

}  // namespace
