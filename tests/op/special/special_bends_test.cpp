// SPDX-License-Identifier: Apache-2.0
// nightly
// Second derivatives at kinks, ties, zeros and infinities, against JAX.

#include "support/special_rows.hpp"

namespace {

using namespace special;

TEST(special_bends, functions) {
  check_bends<functions, float, 10>("bends");
  check_bends<shapes, float, 10>("bends");
  check_bends<composites, float, 10>("bends");
}
TEST(special_bends, pairs) {
  answers const a = answers_of<float>("pair_bends", any_zeros);
  auto const x = put<float, 36>(numbers(a.file.at("in x"))), y = put<float, 36>(numbers(a.file.at("in y")));
  check_slopes<pairs, true>(a, one<float>(), x, y);
}
TEST(special_bends, rows) {
  check_bends<reductions, float, 22, 4>("row_bends");
  check_bends<orders, float, 22, 4>("row_bends");
  check_bends<cumulative, float, 22, 4>("row_bends");
}

}  // namespace
