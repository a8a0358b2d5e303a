// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of Fourier transforms against central differences of the sums that define them.

#include "support/fft_rows.hpp"
#include "support/grad_case.hpp"

namespace {

using namespace fft_rows;

struct even {
  static constexpr bool sized = true;  // what is cut off or padded follows from the extent
  static constexpr auto rows = every_row<6>;
};
struct odd {
  static constexpr bool sized = true;  // what is cut off or padded follows from the extent
  static constexpr auto rows = every_row<5>;
};
struct planes {
  static constexpr bool sized = true;  // what is cut off or padded follows from the extent
  static constexpr auto rows = several<3, 4>;
};

TEST(fft_gradients, over_layouts) {
  dense<double, 4, 2, 6> const x(-1, 1), y(-1, 1, 5);
  check_gradients<even, on<grid, P<dp, mp>, P<dp, mp>>>(x, y);
  check_gradients<even, on<cube, P<axes<a, b>>, P<axes<a, b>>>>(x, y);
}
TEST(fft_gradients, odd_lengths) {
  check_gradients<odd, on<cube, P<none, c>, P<none, c>>>(dense<double, 1, 2, 5>(-1, 1),
                                                         dense<double, 1, 2, 5>(-1, 1, 5));
}
TEST(fft_gradients, several_dimensions) {
  check_gradients<planes, on<grid, P<mp>, P<mp>>>(dense<double, 2, 3, 4>(-1, 1), dense<double, 2, 3, 4>(-1, 1, 5));
}

}  // namespace
