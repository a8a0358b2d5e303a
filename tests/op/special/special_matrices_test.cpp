// SPDX-License-Identifier: Apache-2.0
// nightly
// Linear algebra of singular, indefinite and infinite matrices, and of NaN, and its gradients, against JAX.

#include "support/special_rows.hpp"

namespace {

using namespace special;

struct determinants {
  static constexpr auto rows = std::tuple{MATRIX(det)};
};
TEST(special_matrices, factors) { check<factors, float, 10, 3, 3>("matrices"); }
TEST(special_matrices, of_double) { check<factors, double, 10, 3, 3>("matrices.float64"); }
TEST(special_matrices, singular) { check<by_singular_values, float, 6, 3, 3>("singular"); }
TEST(special_matrices, singular_of_double) { check<by_singular_values, double, 6, 3, 3>("singular.float64"); }
TEST(special_matrices, larger) { check<determinants, float, 6, 4, 4>("larger_matrices"); }

}  // namespace
