// SPDX-License-Identifier: Apache-2.0
// nightly
// Reductions, cumulative ops, sorts and products of rows with special values, and their gradients, against JAX.

#include "support/special_rows.hpp"

namespace {

using namespace special;

struct odd {
  static constexpr auto rows = std::tuple{ALONG(median)};
};

TEST(special_rows, odd) { check<odd, float, 9, 3>("odd_rows"); }
TEST(special_rows, reductions) { check<reductions, float, 26, 4>("rows"); }
TEST(special_rows, orders) { check<orders, float, 26, 4>("rows"); }
TEST(special_rows, cumulative) { check<cumulative, float, 26, 4>("rows"); }

}  // namespace
