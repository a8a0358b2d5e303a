// SPDX-License-Identifier: Apache-2.0
// Complex functions at infinities, NaN and zeros of both signs, and their gradients there, against JAX; and Fourier
// transforms of such lines.

#include "support/special_rows.hpp"

namespace {

using namespace special;

struct of_one {
  static constexpr auto rows = std::tuple{OF(abs),
                                          OF(angle),
                                          OF(real),
                                          OF(imag),
                                          OF(conj),
                                          OF(negative),
                                          OF(exp),
                                          OF(square),
                                          OF(reciprocal),
                                          row{"times_itself", [](auto x) { return x * x; }},
                                          row{"by_itself", [](auto x) { return x / x; }},
                                          row{"times_real", [](auto x) { return 2.0 * x; }}};
};
struct of_two {
  static constexpr auto rows =
      std::tuple{BOTH(add), BOTH(subtract), BOTH(multiply), BOTH(divide), FLAT_BOTH(equal), FLAT_BOTH(not_equal)};
};
TEST(special_complex, functions) {
  check<of_one, ts::complex64, 81>("complex.complex64", signed_zeros);
  check<of_one, ts::complex128, 81>("complex.complex128", signed_zeros);
}
TEST(special_complex, pairs) {
  check_pairs<of_two, ts::complex64, 196>("complex_pairs.complex64");
  check_pairs<of_two, ts::complex128, 196>("complex_pairs.complex128");
}

struct transforms {
  static constexpr auto rows =
      std::tuple{row{"rfft", [](auto x) { return ts::rfft(x); }, 1e-5},
                 row{"irfft", [](auto x) { return ts::irfft(ts::complex(x, x)); }, 1e-5},
                 row{"fft", [](auto x) { return ts::fft(ts::complex(x, ts::flip<0>(x))); }, 1e-5},
                 row{"ifft", [](auto x) { return ts::ifft(ts::complex(x, ts::flip<0>(x))); }, 1e-5}};
};
TEST(special_complex, transforms) {
  check<transforms, float, 14, 4>("fft_4");
  check<transforms, float, 14, 3>("fft_3");
  check<transforms, float, 14, 8>("fft_8");
}

}  // namespace
