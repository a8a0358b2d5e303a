// SPDX-License-Identifier: Apache-2.0
// nightly
// Products, factors, windows and transforms called on arrays: as traced.

#include "support/eager_case.hpp"

namespace {

using namespace eager_case;

constexpr auto definite = [](auto x) {
  auto const whole = ts::reshard<P<>>(x);
  return ts::matmul(whole, whole.T()) + ts::eye<4>() * 4.0f;
};
struct contractions {
  static constexpr auto rows = std::tuple{
      [](auto x, auto, auto) { return ts::dot(x, ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) {
        return ts::dot_general<ts::contract<ts::dims<1>, ts::dims<0>>>(x, ts::reshard<P<>>(x));
      },
      [](auto x, auto, auto) { return ts::inner(x, ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::outer(ts::sum<0>(x), ts::sum<1>(x)); },
      [](auto x, auto, auto) { return ts::tensordot<1>(x, ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::vdot(x, x, ts::out_sharding<P<>>); },
      [](auto x, auto, auto) { return ts::vecdot(x, x); },
      [](auto x, auto, auto) {
        auto const q = ts::reshape<2, 2, 2, 2>(ts::reshard<P<>>(x));
        return ts::dot_product_attention(q, q * 0.5f, q + 1.0f, ts::attention_scale(0.5), ts::attention_bias(q),
                                         ts::attention_mask(q > -2.0f));
      },
      [](auto x, auto, auto) {
        auto const q = ts::reshape<2, 2, 2, 2>(ts::reshard<P<>>(x));
        auto const n = ts::arange<2>() + 1;
        return ts::dot_product_attention(q, q, q, ts::causal, ts::query_lengths(n), ts::key_lengths(n));
      },
      [](auto x, auto, auto) { return ts::matrix_power<3>(ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::cross(ts::slice_in_dim<1, 0, 3>(x), ts::slice_in_dim<1, 1, 4>(x)); },
      [](auto x, auto, auto) { return ts::cholesky(definite(x)); },
      [](auto x, auto, auto) { return ts::inv(definite(x)); },
      [](auto x, auto, auto) { return ts::solve(definite(x), ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) {
        return ts::triangular_solve(ts::tril(definite(x)), ts::reshard<P<>>(x), ts::left_side, ts::lower_triangle);
      },
      [](auto x, auto, auto) { return ts::lu(definite(x)); },
      [](auto x, auto, auto) { return ts::qr(definite(x)); },
      [](auto x, auto, auto) { return ts::eigh(definite(x)); },
      [](auto x, auto, auto) { return ts::svd(definite(x)); },
      [](auto x, auto, auto) { return ts::svdvals(definite(x)); },
      [](auto x, auto, auto) { return ts::qr(ts::complex(definite(x), definite(x))); },
      [](auto x, auto, auto) { return ts::svd(ts::complex(definite(x), definite(x))); },
      [](auto x, auto, auto) { return ts::pinv(ts::complex(definite(x), definite(x))); },
      [](auto x, auto, auto) { return ts::eig(definite(x)); },
      [](auto x, auto, auto) { return ts::eigvals(definite(x)); },
      [](auto x, auto, auto) { return ts::schur(definite(x)); },
      [](auto x, auto, auto) { return ts::sqrtm(definite(x)); },
      [](auto x, auto, auto) { return ts::solve_sylvester(definite(x), definite(x), ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::pinv(definite(x)); },
      [](auto x, auto, auto) { return ts::lstsq(definite(x), ts::sum<1>(definite(x))); },
      [](auto x, auto, auto) { return ts::condition_number(definite(x)); },
      [](auto x, auto, auto) { return ts::matrix_rank(definite(x)); },
      [](auto x, auto, auto) { return ts::matrix_norm(definite(x), ts::nuc); },
      [](auto x, auto, auto) { return ts::det(definite(x)); },
      [](auto x, auto, auto) { return ts::slogdet(definite(x)); },
      [](auto x, auto, auto) {
        return ts::max_pool(ts::expand_dims<0, -1>(ts::reshard<P<>>(x)), ts::window<2, 2>, ts::strided<2, 2>);
      },
      [](auto x, auto, auto) {
        return ts::avg_pool(ts::expand_dims<0, -1>(ts::reshard<P<>>(x)), ts::window<2, 2>, ts::strided<2, 2>);
      },
      [](auto x, auto, auto) { return ts::reduce_window_sum(ts::reshard<P<>>(x), ts::window<2, 2>, ts::same); },
      [](auto x, auto, auto) { return ts::reduce_window_max(ts::reshard<P<>>(x), ts::window<2, 2>, ts::same); },
      [](auto x, auto, auto) { return ts::reduce_window_min(ts::reshard<P<>>(x), ts::window<2, 2>, ts::same); },
      [](auto x, auto, auto) {
        return ts::conv(ts::expand_dims<0, 1>(ts::reshard<P<>>(x)), ts::ones<float, 2, 1, 3, 3>(), ts::same);
      },
      [](auto x, auto, auto) { return ts::fft(x); },
      [](auto x, auto, auto) { return ts::ifft(x); },
      [](auto x, auto, auto) { return ts::rfft(x); },
      [](auto x, auto, auto) { return ts::irfft(ts::rfft(x)); },
      [](auto x, auto, auto) { return ts::fft2(ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::ifft2(ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::rfft2(ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::irfft2(ts::rfft2(ts::reshard<P<>>(x))); },
      [](auto x, auto, auto) { return ts::fftn<0, 1>(ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::ifftn<0, 1>(ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::rfftn<0, 1>(ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::irfftn<0, 1>(ts::rfftn<0, 1>(ts::reshard<P<>>(x))); }};
};

TEST(eager_calls, contractions) { check_eager<contractions>(); }

}  // namespace
