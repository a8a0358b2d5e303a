// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of summaries, segments, diagonals and stacks against central differences of plain loops.

#include "support/grad_case.hpp"
#include "support/summary_rows.hpp"

namespace {

struct table {
  static constexpr bool sized = true;  // a quantile's positions follow from the extent
  static constexpr auto rows = summary_rows::smooth;
};

TEST(summary_gradients, over_layouts) {
  using namespace op_case;
  dense<double, 8, 4> const x(-1, 1, 3);
  check_gradients<table, on<grid, P<dp, mp>>>(x);
  check_gradients<table, on<grid, P<axes<mp, dp>>>>(x);
  check_gradients<table, on<cube, P<none, c>>>(x);
}

}  // namespace
