// SPDX-License-Identifier: Apache-2.0
// nightly
// Functions, pairs and rows of bfloat16 at special values, and their gradients there, against JAX.

#include "support/special_rows.hpp"

namespace {

using namespace special;

using element = ts::bfloat16;

TEST(special_bfloat16, functions) {
  check<functions, element, 22>("unary.bfloat16", signed_zeros);
  check<shapes, element, 22>("unary.bfloat16", signed_zeros);
  check<composites, element, 22>("unary.bfloat16", signed_zeros);
}
TEST(special_bfloat16, pairs) { check_pairs<pairs, element, 81>("binary.bfloat16"); }
TEST(special_bfloat16, rows) {
  check<reductions, element, 26, 4>("rows.bfloat16");
  check<orders, element, 26, 4>("rows.bfloat16");
  check<cumulative, element, 26, 4>("rows.bfloat16");
}

}  // namespace
