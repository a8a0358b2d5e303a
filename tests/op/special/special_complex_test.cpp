// SPDX-License-Identifier: Apache-2.0
// nightly
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

constexpr auto first_row(auto x) { return x.at(0).get(); }
constexpr auto beside_first(auto x) { return x - ts::slice_in_dim<0, 0, 1>(x); }
struct of_rows {
  static constexpr auto rows = std::tuple{
      row{"sum", [](auto x, auto) { return ts::sum<-1>(x); }},
      row{"mean", [](auto x, auto) { return ts::mean<-1>(x); }},
      row{"var", [](auto x, auto) { return ts::var<-1>(x); }},
      row{"stddev", [](auto x, auto) { return ts::stddev<-1>(x, ts::ddof<1>); }},
      row{"average", [](auto x, auto y) { return ts::average<-1>(x, y); }},
      row{"nansum", [](auto x, auto) { return ts::nansum<-1>(x); }},
      row{"nanmean", [](auto x, auto) { return ts::nanmean<-1>(x); }},
      row{"diff", [](auto x, auto) { return ts::diff<1, -1>(x); }},
      row{"matmul", [](auto x, auto y) { return ts::matmul(x, ts::transpose(y)); }},
      row{"einsum", [](auto x, auto y) { return ts::einsum<"ij,ij->j">(x, y); }},
      row{"tensordot", [](auto x, auto y) { return ts::tensordot<1>(x, ts::transpose(y)); }},
      BOTH(vecdot),
      BOTH(vdot),
      BOTH(inner),
      row{"outer", [](auto x, auto y) { return ts::outer(first_row(x), first_row(y)); }},
      BOTH(kron),
      row{"cross",
          [](auto x, auto y) { return ts::cross(ts::slice_in_dim<1, 0, 3>(x), ts::slice_in_dim<1, 0, 3>(y)); }},
      row{"cov", [](auto x, auto) { return ts::cov(x); }},
      row{"norm", [](auto x, auto) { return ts::norm(x); }},
      row{"trace", [](auto x, auto) { return ts::trace(x); }},
      row{"matrix_power", [](auto x, auto) { return ts::matrix_power<3>(ts::slice_in_dim<0, 0, 4>(x)); }, 1e-5},
      row{"tril", [](auto x, auto) { return ts::tril(x); }},
      row{"where", [](auto x, auto y) { return ts::where(ts::real(x) > 0, x, y); }},
      row{"segment_sum", [](auto x, auto) { return ts::segment_sum<2>(x, ts::remainder(ts::arange<5>(), 2)); }},
      flat{"count_nonzero", [](auto x, auto) { return ts::count_nonzero<-1>(beside_first(x)); }},
      flat{"any", [](auto x, auto) { return ts::any<-1>(beside_first(x)); }},
      flat{"isclose", [](auto x, auto y) { return ts::isclose(x, x + 1e-7 * y); }},
      flat{"logical_not", [](auto x, auto) { return ts::logical_not(beside_first(x)); }},
      row{"fft", [](auto x, auto) { return ts::fft(x); }, 1e-5},
      row{"irfft", [](auto x, auto) { return ts::irfft(x); }, 1e-5},
      row{"sum_of_sizes", [](auto x, auto y) { return ts::sum(ts::square(ts::abs(x))) + ts::sum(ts::angle(y)); }},
      row{"logsumexp", [](auto x, auto) { return ts::logsumexp<-1>(x); }},
      row{"qr_q", [](auto x, auto) { return std::get<0>(ts::qr(x)); }, 1e-4},
      row{"qr_r", [](auto x, auto) { return std::get<1>(ts::qr(x)); }, 1e-4},
      row{"svdvals", [](auto x, auto) { return ts::svdvals(x); }, 1e-5},
      row{"pinv", [](auto x, auto) { return ts::pinv(x); }, 1e-4},
      row{"lstsq", [](auto x, auto y) { return std::get<0>(ts::lstsq(x, y)); }, 1e-4}};
};
TEST(special_complex, rows) {
  answers const a = answers_of<ts::complex64>("complex_rows", any_zeros);
  auto const x = put<ts::complex64, 5, 4>(numbers(a.file.at("in x"))),
             y = put<ts::complex64, 5, 4>(numbers(a.file.at("in y")));
  check_values<of_rows>(a, x, y);
  check_slopes<of_rows, false>(a, one<float>(), x, y);
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
