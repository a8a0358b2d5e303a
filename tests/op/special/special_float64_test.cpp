// SPDX-License-Identifier: Apache-2.0
// nightly
// Functions, pairs and rows of float64 at special values, and their gradients there, against JAX.

#include "support/special_rows.hpp"

namespace {

using namespace special;

using element = double;

TEST(special_float64, functions) {
  check<functions, element, 22>("unary.float64", signed_zeros);
  check<shapes, element, 22>("unary.float64", signed_zeros);
  check<composites, element, 22>("unary.float64", signed_zeros);
}
TEST(special_float64, pairs) { check_pairs<pairs, element, 81>("binary.float64"); }
TEST(special_float64, rows) {
  check<reductions, element, 26, 4>("rows.float64");
  check<orders, element, 26, 4>("rows.float64");
  check<cumulative, element, 26, 4>("rows.float64");
}

}  // namespace
