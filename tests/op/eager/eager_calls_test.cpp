// SPDX-License-Identifier: Apache-2.0
// nightly
// Reductions, scans, movements, creation and x.at(...) called on arrays: as traced.

#include "support/eager_case.hpp"

namespace {

using namespace eager_case;

struct reductions {
  static constexpr auto rows = std::tuple{
      [](auto x, auto, auto) { return ts::prod(x); },
      [](auto x, auto, auto) { return ts::nansum(x); },
      [](auto x, auto, auto) { return ts::nanmean(x); },
      [](auto x, auto, auto) { return ts::nanmax(x); },
      [](auto x, auto, auto) { return ts::nanmin(x); },
      [](auto x, auto, auto) { return ts::nanprod(x); },
      [](auto x, auto, auto) { return ts::norm(x); },
      [](auto x, auto, auto) { return ts::ptp(x); },
      [](auto x, auto, auto) { return ts::stddev(x); },
      [](auto x, auto, auto) { return ts::var(x); },
      [](auto x, auto, auto) { return ts::logsumexp(x); },
      [](auto, auto, auto m) { return ts::all(m); },
      [](auto, auto, auto m) { return ts::any<0>(m); },
      [](auto x, auto, auto) { return ts::argmax<1>(x); },
      [](auto x, auto, auto) { return ts::average<1>(x, x * x + 1.0); },
      [](auto x, auto, auto) { return ts::cov(ts::reshard<P<>>(x)); },
      [](auto x, auto, auto) { return ts::with_sharding_constraint<P<dp>>(x); },
      [](auto x, auto, auto) { return ts::median<1>(x); },
      [](auto x, auto, auto) { return ts::quantile<1>(x, 0.7); },
      [](auto x, auto, auto) { return ts::reduce_sum<0>(x); },
      [](auto x, auto, auto) { return ts::reduce_max<1>(x); },
      [](auto x, auto, auto) { return ts::reduce_min<1>(x); },
      [](auto x, auto, auto) { return ts::reduce_prod<1>(x); },
      [](auto x, auto, auto) { return ts::layer_norm(x); },
      [](auto x, auto, auto) { return ts::rms_norm(x); },
      [](auto x, auto, auto) { return ts::log_softmax(x); },
      [](auto x, auto, auto) {
        return ts::interp(ts::reshard<P<>>(x), ts::arange<float, 5>(), ts::arange<float, 5>() * 2.0f);
      },
      [](auto x, auto, auto) { return ts::segment_sum<3>(ts::reshard<P<>>(x), ts::remainder(ts::arange<4>(), 3)); },
      [](auto x, auto, auto) { return ts::segment_max<3>(ts::reshard<P<>>(x), ts::remainder(ts::arange<4>(), 3)); },
      [](auto x, auto, auto) { return ts::segment_min<3>(ts::reshard<P<>>(x), ts::remainder(ts::arange<4>(), 3)); },
      [](auto x, auto, auto) { return ts::cumsum<1>(x); },
      [](auto x, auto, auto) { return ts::cumprod<1>(x); },
      [](auto x, auto, auto) { return ts::cummax<1>(x); },
      [](auto x, auto, auto) { return ts::cummin<1>(x); },
      [](auto x, auto, auto) { return ts::cumlogsumexp<1>(x); },
      [](auto x, auto, auto) { return ts::sort(x); },
      [](auto x, auto, auto) { return ts::argsort(x); },
      [](auto x, auto, auto) { return ts::top_k<2>(x); },
      [](auto x, auto, auto) { return ts::trace(x); },
      [](auto x, auto i, auto) { return ts::take_along_axis<1>(x, i); },
      [](auto, auto i, auto) { return ts::one_hot<4>(i); },
      [](auto x, auto, auto) { return ts::zeros_like(x); },
      [](auto x, auto, auto) { return ts::ones_like(x); },
      [](auto x, auto, auto) { return ts::full_like(x, 2.5); },
      [](auto x, auto, auto) { return ts::valid_mask<1>(x, 2); }};
};
struct movements {
  static constexpr auto rows =
      std::tuple{[](auto x, auto, auto) { return ts::atleast_1d(ts::sum(x)); },
                 [](auto x, auto, auto) { return ts::atleast_2d(ts::sum<1>(x)); },
                 [](auto x, auto, auto) { return ts::broadcast_in_dim<ts::shape<4, 3, 4>, 0, 2>(x); },
                 [](auto x, auto, auto) { return ts::column_stack(ts::sum<1>(x), ts::sum<1>(x * x)); },
                 [](auto x, auto, auto) { return ts::dstack(x, x * 2.0); },
                 [](auto x, auto, auto) { return ts::hstack(x, x * 2.0); },
                 [](auto x, auto, auto) { return ts::vstack(ts::reshard<P<>>(x), ts::reshard<P<>>(x)); },
                 [](auto x, auto, auto) { return ts::stack(x, x); },
                 [](auto x, auto, auto) { return ts::diag(x); },
                 [](auto x, auto, auto) { return ts::fliplr(x); },
                 [](auto x, auto, auto) { return ts::flipud(ts::reshard<P<>>(x)); },
                 [](auto x, auto, auto) { return ts::meshgrid(ts::sum<0>(x), ts::sum<1>(x)); },
                 [](auto x, auto, auto) { return ts::moveaxis<0, 1>(x); },
                 [](auto x, auto, auto) { return ts::optimization_barrier(x, ts::sum(x)); },
                 [](auto x, auto, auto) { return ts::swapaxes<0, 1>(x); },
                 [](auto x, auto, auto) { return ts::rot90(ts::reshard<P<>>(x)); },
                 [](auto x, auto, auto) { return ts::split<2, 1>(x)[1]; },
                 [](auto x, auto, auto) { return ts::squeeze<0>(ts::expand_dims<0>(x)); },
                 [](auto x, auto, auto) { return ts::tile<1, 2>(x); },
                 [](auto x, auto, auto) { return ts::tril(x); },
                 [](auto x, auto, auto) { return ts::triu(x); },
                 [](auto x, auto, auto) { return ts::unstack<0>(ts::reshard<P<>>(x))[2]; },
                 [](auto x, auto, auto) {
                   return ts::update_slice(ts::reshard<P<>>(x), ts::slice_in_dim<0, 0, 2>(ts::reshard<P<>>(x)) * 2.0,
                                           ts::starts<1, 0>);
                 },
                 [](auto x, auto, auto) { return ts::kron(x, ts::reshard<P<>>(x)); },
                 [](auto x, auto, auto) { return ts::unpad<1>(ts::pad_to_multiple<1, mp>(x), x); },
                 [](auto x, auto, auto) { return ts::fftshift<1>(x); },
                 [](auto x, auto, auto) { return ts::ifftshift<1>(x); }};
};
struct creation {
  static constexpr auto rows = std::tuple{
      [](auto x, auto, auto) { return ts::full<4, 4>(2.5) + x; },
      [](auto x, auto, auto) { return ts::zeros<float, 4, 4>() + x; },
      [](auto x, auto, auto) { return ts::ones<float, 4, 4>() + x; },
      [](auto x, auto, auto) { return ts::eye<4>() * x; },
      [](auto x, auto, auto) { return ts::tri<4, 4, 1>() * x; },
      [](auto x, auto, auto) {
        return ts::constant({{2}, {3}, {1}, {4}}) * x;
      },
      [](auto x, auto, auto) { return ts::iota<float, 1, 4, 4>() + x; },
      [](auto x, auto, auto) { return ts::linspace<4>(ts::sum(x), 2.0); },
      [](auto x, auto, auto) { return ts::fftfreq<4>() + x; },
      [](auto x, auto, auto) { return ts::rfftfreq<6>() + x; },
      [](auto x, auto, auto) { return ts::reshard<P<>>(x).at(1).get(ts::mode::fill); },
      [](auto x, auto, auto) { return ts::reshard<P<>>(x).at(9).get(ts::mode::clip); },
      [](auto x, auto, auto) { return x.at(ts::every, -1).get(ts::out_sharding<P<none>>); },
      [](auto x, auto, auto) { return ts::reshard<P<>>(x).at(1).set(0.5, ts::out_sharding<P<none, dp>>); },
      [](auto x, auto, auto) { return ts::reshard<P<>>(x).at(9).add(0.5, ts::mode::drop); },
      [](auto x, auto, auto) { return ts::reshard<P<>>(x).at(1, 2).multiply(3.0, ts::mode::promise_in_bounds); },
      [](auto x, auto, auto) { return ts::reshard<P<>>(x).at(1).min(0.0, ts::mode::drop); },
      [](auto x, auto, auto) { return x.at(ts::every, 2).max(0.0, ts::mode::drop); }};
};

TEST(eager_calls, reductions) { check_eager<reductions>(); }
TEST(eager_calls, movements) { check_eager<movements>(); }
TEST(eager_calls, creation) { check_eager<creation>(); }

}  // namespace
