// SPDX-License-Identifier: Apache-2.0
// Fourier transforms against the sums that define them: powers of two, products of primes, primes, both halves of both
// kinds, over layouts of the dimensions that are not transformed.

#include "support/fft_rows.hpp"

namespace {

using namespace fft_rows;

template <std::int64_t N>
struct lines {
  static constexpr auto rows = every_row<N>;
};
template <std::int64_t M, std::int64_t N>
struct planes {
  static constexpr auto rows = several<M, N>;
};

TEST(fft, lines) {
  check_all<lines<16>, on<grid, P<dp, mp>, P<dp, mp>>, jitted, float, 4, 2, 16>(1e-6);
  check_all<lines<15>, on<grid, P<axes<dp, mp>>, P<axes<dp, mp>>>, interpreted, double, 8, 3, 15>(1e-14);
  check_all<lines<7>, on<cube, P<none, c>, P<none, c>>, interpreted, double, 3, 2, 7>(1e-14);
  check_all<lines<2>, nowhere, eagerly, double, 1, 1, 2>(1e-14);
}

TEST(fft, long_lines) {
  check_all<lines<1000>, on<grid, P<mp>, P<mp>>, interpreted, double, 2, 1, 1000>(1e-13);
  check_all<lines<521>, nowhere, interpreted, float, 1, 1, 521>(2e-6);
  check_all<lines<15>, nowhere, interpreted, float, 1, 67, 15>(2e-6);  // panels of 64 and of 3 lines
}

#ifndef TESSERA_BY_DAY
TEST(fft, several_dimensions) {
  check_all<planes<6, 8>, on<grid, P<dp>, P<dp>>, jitted, float, 4, 6, 8>(1e-6);
  check_all<planes<5, 9>, on<cube, P<axes<a, c>>, P<axes<a, c>>>, interpreted, double, 4, 5, 9>(1e-14);
}

TEST(fft, of_integers_and_halves) {
  dense<std::int32_t, 4, 6> const x(-9, 9);
  dense<ts::bfloat16, 4, 6> const h(-9, 9);
  auto const f = [](auto x) { return pair_of(ts::rfft(x)); };
  for (auto const& got : {tensor_of(ts::jit(f)(place<P<dp>>(ts::make_mesh<grid>(ts::devices()), x)))})
    EXPECT_LE(oracle::difference(got, pair_of(dft(numbers_of(x.values), 1, -1, 1, 4))), 1e-5);
  EXPECT_LE(oracle::difference(tensor_of(f(place(nowhere{}, h))), pair_of(dft(numbers_of(h.values), 1, -1, 1, 4))),
            1e-5);
}

TEST(fft, frequencies) {
  EXPECT_EQ(
      tensor_of(ts::jit([](auto x) { return x * 0.0 + ts::fftfreq<5>(); })(place(nowhere{}, dense<float, 5>(0, 1))))
          .data,
      tensor_of(place(nowhere{}, dense<float, 5>(tensor({5}, {0, 0.2, 0.4, -0.4, -0.2})))).data);
  EXPECT_EQ(tensor_of(ts::jit([](auto x) { return x * 0.0 + ts::fftfreq<4, double>(0.5); })(
                          place(nowhere{}, dense<double, 4>(0, 1))))
                .data,
            (std::vector<double>{0, 0.5, -1, -0.5}));
  EXPECT_EQ(tensor_of(ts::jit([](auto x) { return x * 0.0 + ts::rfftfreq<6, double>(0.5); })(
                          place(nowhere{}, dense<double, 4>(0, 1))))
                .data,
            (std::vector<double>{0, 1 / 3., 2 / 3., 1}));
}
#endif

}  // namespace
