// SPDX-License-Identifier: Apache-2.0
// LU factors and determinants against textbook loops, over layouts of the batch.

#include "support/lu_rows.hpp"

namespace {

using namespace lu_rows;

struct table {
  static constexpr auto rows = all;
};

TEST(factors, over_layouts) {
  check<table, on<grid, P<dp>>, interpreted>(dense<float, 4, 3, 3>(-1, 1));
  check<table, nowhere, eagerly>(dense<double, 4, 3, 3>(-1, 1));
  check<table, on<cube, P<axes<a, c>>>, jitted>(dense<double, 4, 3, 3>(-1, 1, 3));
}

TEST(factors, of_singular_matrices) {
  auto const x = place(nowhere{}, dense<float, 2, 2>(tensor({2, 2}, {1, 2, 2, 4})));
  EXPECT_EQ(tensor_of(ts::det(x)).item(), 0);
  EXPECT_EQ(tensor_of(std::get<0>(ts::slogdet(x))).item(), 0);
  EXPECT_EQ(tensor_of(std::get<1>(ts::slogdet(x))).item(), -INFINITY);
}

}  // namespace
