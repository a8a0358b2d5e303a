// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of LU factors and determinants against central differences of textbook loops.

#include "support/grad_case.hpp"
#include "support/lu_rows.hpp"

namespace {

struct table {
  static constexpr auto rows = lu_rows::all;
};

TEST(factors_gradients, over_layouts) {
  using namespace op_case;
  dense<double, 4, 3, 3> const x(-1, 1);
  check_gradients<table, on<grid, P<dp>>>(x);
  check_gradients<table, on<cube, P<axes<c, a>>>>(x);
  check_gradients<table, nowhere>(x);
}

}  // namespace
