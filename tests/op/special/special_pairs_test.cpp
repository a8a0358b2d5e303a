// SPDX-License-Identifier: Apache-2.0
// Functions of two and three arrays at all combinations of special values, and their gradients there, against JAX.

#include "support/special_rows.hpp"

namespace {

using namespace special;

TEST(special_pairs, pairs) { check_pairs<pairs, float, 121>("binary"); }
TEST(special_pairs, as_complex) { check_pairs<as_complex, float, 121>("binary"); }
TEST(special_pairs, triples) {
  answers const a = answers_of<float>("ternary", signed_zeros);
  auto const x = put<float, 216>(numbers(a.file.at("in x"))), y = put<float, 216>(numbers(a.file.at("in y"))),
             z = put<float, 216>(numbers(a.file.at("in z")));
  check_values<triples>(a, x, y, z);
  check_slopes<triples, false>(a, one<float>(), x, y, z);
}

}  // namespace
