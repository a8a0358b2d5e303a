// SPDX-License-Identifier: Apache-2.0
// nightly
// Functions, pairs and rows of float16 at special values, and their gradients there, against JAX.

#include "support/special_rows.hpp"

namespace {

using namespace special;

using element = ts::float16;

TEST(special_float16, functions) {
  check<functions, element, 22>("unary.float16", signed_zeros);
  check<shapes, element, 22>("unary.float16", signed_zeros);
  check<composites, element, 22>("unary.float16", signed_zeros);
}
TEST(special_float16, pairs) { check_pairs<pairs, element, 81>("binary.float16"); }
TEST(special_float16, rows) {
  check<reductions, element, 26, 4>("rows.float16");
  check<orders, element, 26, 4>("rows.float16");
  check<cumulative, element, 26, 4>("rows.float16");
}

}  // namespace
