// SPDX-License-Identifier: Apache-2.0
// Gradients of the ops against central differences in float64, in several layouts of a 4x2 mesh. The differences are of
// the function's own value without a mesh, so that layout and gradient are tested together. Interpreted, not compiled.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

template <class F>
struct summed {
  constexpr auto operator()(auto x, auto w) const { return ts::sum(F{}(x)*w); }
};
template <class F>
struct gradient_of {
  constexpr auto operator()(auto x, auto w) const { return ts::grad(summed<F>{})(x, w); }
};

std::vector<double> spread(std::size_t n, double low, double high, double shift = 0) {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i)
    v[i] = low + (high - low) * (0.5 + 0.5 * std::sin(1.7 * static_cast<double>(i) + 0.4 + shift));
  return v;
}

// Shape (8, 4) of x; the result's shape follows from F.
template <class F, class S>
void check(char const* what, double low, double high) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const values = spread(32, low, high);
  auto const sharded = ts::device_put<S>(ts::host<8, 4>(values), mesh);
  using result = typename ts::trace_of<F, typename decltype(sharded)::type>::result;
  constexpr std::int64_t size = result::value.size();
  auto const weight = spread(static_cast<std::size_t>(size), -1, 1, 0.9);
  auto const weights = [&]<std::size_t... D>(std::index_sequence<D...>) {
    return ts::device_put(ts::host<result::value.extents[D]...>(weight));
  };
  auto const w = [&] {
    if constexpr (result::rank == 0)
      return ts::sum(ts::device_put(ts::host<1>(weight)));
    else
      return weights(std::make_index_sequence<static_cast<std::size_t>(result::rank)>{});
  }();
  auto const gradient = ts::detail::run_jitted<gradient_of<F>, false>(sharded, w);
  static_assert(std::is_same_v<typename decltype(gradient)::type, typename decltype(sharded)::type>,
                "cotangent type = primal type");
  auto const got = gradient.to_host();
  double const h = 1e-5;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto const at = [&](double step) {
      auto moved = values;
      moved[i] += step;
      return ts::detail::run_jitted<summed<F>, false>(ts::device_put(ts::host<8, 4>(moved)), w).item();
    };
    double const want = (at(h) - at(-h)) / (2 * h);
    EXPECT_NEAR(got[i], want, 1e-6 * (1 + std::fabs(want))) << what << " at " << i;
  }
}
template <class F>
void check_layouts(char const* what, double low = 0.2, double high = 1.8) {
  check<F, ts::P<dp, mp>>(what, low, high);
  check<F, ts::P<ts::none, mp>>(what, low, high);
  check<F, ts::P<ts::axes<dp, mp>, ts::none>>(what, low, high);
}

#define GRADIENT(name, low, high, ...)                              \
  struct name##_f {                                                 \
    constexpr auto operator()(auto x) const { return __VA_ARGS__; } \
  };                                                                \
  TEST(gradient, name) { check_layouts<name##_f>(#name, low, high); }

GRADIENT(elementwise, 0.2, 1.8, ts::exp(x) * ts::log(x) + ts::sqrt(x) / (x + 1.0) - ts::rsqrt(x) + ts::square(-x))
GRADIENT(smooth, -1.5, 1.5,
         ts::tanh(x) + ts::sigmoid(x) * ts::erf(x) + ts::sin(x) * ts::cos(x) + ts::expm1(x) +
             ts::log1p(ts::abs(x) + 0.1))
GRADIENT(activations, -1.5, 1.5, ts::gelu(x) + ts::gelu(x, ts::exact) + ts::silu(x) + ts::softplus(x) + ts::relu(x))
GRADIENT(powers, 0.3, 1.8,
         ts::power(x, 3.0) + ts::power(2.0, x) + ts::reciprocal(x) + ts::maximum(x, 1.0) - ts::minimum(x, 0.7))
GRADIENT(selection, -1.5, 1.5, ts::where(x > 0.1, x* x, -x))
GRADIENT(sums, -1.5, 1.5, ts::sum<0>(x* x))
GRADIENT(means, -1.5, 1.5, ts::mean<1>(x* x, ts::keepdims) * x)
GRADIENT(extremes, -1.5, 1.5, ts::max<1>(x) * ts::min<1>(x))
GRADIENT(products, 0.4, 1.6, ts::prod<1>(x))
GRADIENT(softmaxes, -1.5, 1.5, ts::softmax(x) * ts::log_softmax(x) + ts::softmax<0>(x))
GRADIENT(logsumexps, -1.5, 1.5, ts::logsumexp<-1>(x) * ts::logsumexp<-1>(x))
GRADIENT(layer_norms, -1.5, 1.5, ts::layer_norm(x) * x)
GRADIENT(transposes, -1.5, 1.5, ts::transpose<1, 0>(x) * ts::transpose<1, 0>(x * x))
GRADIENT(reshapes, -1.5, 1.5, ts::reshape<8, 4, 1>(x* x))
GRADIENT(broadcasts, -1.5, 1.5, ts::sum<0>(x) * x)
GRADIENT(concatenations, -1.5, 1.5, ts::concatenate<0>(x, x* x))
GRADIENT(slices, -1.5, 1.5, ts::slice(x* x, ts::starts<0, 0>, ts::limits<8, 2>))
GRADIENT(casts, -1.5, 1.5, ts::astype<double>(x) * x)

}  // namespace
