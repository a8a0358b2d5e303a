// SPDX-License-Identifier: Apache-2.0
// A number behind the values of each function whose dimensions, shapes and counts are template arguments: what the call
// says, as the type that it returns in traced code. Without the overload each would be 16 to 110 lines of candidates.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <type_traits>
#include <utility>

namespace ts = tessera;
using namespace ts::written;

namespace {

using table = ts::traced<ts::array_type<float, ts::shape<4, 4>, ts::P<ts::none, ts::none>, ts::mesh<>>>;
using ids = ts::traced<ts::array_type<std::int32_t, ts::shape<4>, ts::P<ts::none>, ts::mesh<>>>;

// Never run: the types of the calls are looked at. The error of one that says something else names its line.
template <class X, template <class...> class Written, class Call>
consteval void says() {
  static_assert(std::is_same_v<std::invoke_result_t<Call, X>, ts::poisoned<Written<>>>);
}
template <template <class...> class Written, class X = table, class... Call>
consteval bool say(Call...) {
  (says<X, Written, Call>(), ...);
  return true;
}

static_assert(say<dims_as_arguments>(
    [](auto x) { return ts::sum(x, 0); }, [](auto x) { return ts::prod<0>(x, 1); },
    [](auto x) { return ts::max(x, 0, true); },
    [](auto x) {
      return ts::mean(x, {0, 1});
    },
    [](auto x) { return ts::argmin(x, 1); }, [](auto x) { return ts::var(x, 1); },
    [](auto x) { return ts::stddev(x, 1); }, [](auto x) { return ts::nansum(x, 1); },
    [](auto x) { return ts::nanmean(x, 1); }, [](auto x) { return ts::nanprod(x, 1); },
    [](auto x) { return ts::nanmax(x, 1); }, [](auto x) { return ts::nanmin(x, 1); },
    [](auto x) { return ts::cumsum(x, 1); }, [](auto x) { return ts::cumprod<1>(x, 1); },
    [](auto x) { return ts::cummax<1>(x, 1); }, [](auto x) { return ts::cummin<1>(x, 1); },
    [](auto x) { return ts::cumlogsumexp<1>(x, 1); }, [](auto x) { return ts::softmax(x, -1); },
    [](auto x) { return ts::log_softmax(x, -1); }, [](auto x) { return ts::logsumexp(x, -1); },
    [](auto x) { return ts::reduce_sum<0>(x, 1); }, [](auto x) { return ts::reduce_max<0>(x, 1); },
    [](auto x) { return ts::reduce_min<0>(x, 1); }, [](auto x) { return ts::reduce_prod<0>(x, 1); },
    [](auto x) { return ts::transpose(x, 1, 0); }, [](auto x) { return ts::sort(x, 0); },
    [](auto x) { return ts::fftshift<1>(x, 1); }, [](auto x) { return ts::ifftshift<1>(x, 1); },
    [](auto x) { return ts::unstack<0>(x, 1); }));

static_assert(say<numbers_as_arguments>(
    [](auto x) { return ts::fft(x, 8); }, [](auto x) { return ts::ifft<0>(x, 8); },
    [](auto x) { return ts::rfft(x, 8, 1); }, [](auto x) { return ts::irfft(x, 8); },
    [](auto x) { return ts::fft2(x, 1); }, [](auto x) { return ts::ifft2(x, 1); },
    [](auto x) { return ts::rfft2(x, 1); }, [](auto x) { return ts::irfft2(x, 1); },
    [](auto x) { return ts::fftn<0, 1>(x, 1); }, [](auto x) { return ts::ifftn<0, 1>(x, 1); },
    [](auto x) { return ts::rfftn<0, 1>(x, 1); }, [](auto x) { return ts::irfftn<0, 1>(x, 1); },
    [](auto x) { return ts::triu(x, 1); }, [](auto x) { return ts::tril(x, -1); },
    [](auto x) { return ts::trace(x, 1); }, [](auto x) { return ts::diag<0>(x, 1); },
    [](auto x) { return ts::cov(x, false); }, [](auto x) { return ts::integer_pow<3>(x, 1); },
    [](auto x) { return ts::matrix_power<3>(x, 1); }, [](auto x) { return ts::top_k<2>(x, 1); },
    [](auto x) { return ts::reduce_precision<5, 10>(x, 1); }, [](auto x) { return ts::zeros_like(x, 1); },
    [](auto x) { return ts::ones_like(x, 1); }, [](auto x) { return ts::full_like(x, 2.5, 1); },
    [](auto x) { return ts::fliplr(x, 1); }, [](auto x) { return ts::flipud(x, 1); },
    [](auto x) { return ts::argsort(x, 1); },
    [](auto x) {
      return ts::roll(x, {1, 2}, {0, 1});
    },
    [](auto x) { return ts::quantile(x, 0.5, 1); }, [](auto x) { return ts::tensordot(x, x, 1); },
    [](auto x) { return ts::average<1>(x, x, 1); }, [](auto x) { return ts::matmul(x, x, 1); },
    [](auto x) { return ts::vdot(x, x, 1); }, [](auto x) { return ts::vecdot(x, x, 1); },
    [](auto x) { return ts::valid_mask<1>(x, 2, 1); }, [](auto x) { return ts::unpad<1>(x, x, 1); },
    [](auto x) { return ts::linspace<4>(x, 2.0, 1); }, [](auto x) { return ts::meshgrid(x, x, 1); },
    [](auto x) { return ts::select(x > 0.0f, x, x, 1); }, [](auto x) { return ts::interp(x, x, x, 1); },
    [](auto x) { return ts::conv(x, x, ts::same, 1); },
    [](auto x) { return ts::update_slice(x, x, ts::starts<1, 0>, 1); },
    [](auto x) { return ts::reduce_window_sum(x, ts::window<2, 2>, ts::same, 1); },
    [](auto x) { return ts::reduce_window_max(x, ts::window<2, 2>, ts::same, 1); },
    [](auto x) { return ts::reduce_window_min(x, ts::window<2, 2>, ts::same, 1); },
    [](auto x) { return ts::max_pool(x, ts::window<2, 2>, ts::strided<2, 2>, 1); },
    [](auto x) { return ts::avg_pool(x, ts::window<2, 2>, ts::strided<2, 2>, 1); },
    [](auto x) { return ts::broadcast_in_dim<ts::shape<4, 3, 4>, 0, 2>(x, 1); }));

// With integers: of labels and of indices.
static_assert(say<numbers_as_arguments, ids>([](auto i) { return ts::take(i, i, 1); },
                                             [](auto i) { return ts::take_along_axis<0>(i, i, 1); },
                                             [](auto i) { return ts::segment_sum<3>(i, i, 4); },
                                             [](auto i) { return ts::segment_max<3>(i, i, 4); },
                                             [](auto i) { return ts::segment_min<3>(i, i, 4); }));

static_assert(say<spec_in_brackets>([](auto x) { return ts::reshard<ts::P<>>(x, 1); },
                                    [](auto x) { return ts::with_sharding_constraint<ts::P<>>(x, 1); }));
static_assert(say<another_number_of_values>([](auto x) { return ts::astype<int>(x, 1); },
                                            [](auto x) { return ts::bitcast<int>(x, 1); }));

}  // namespace
