// SPDX-License-Identifier: Apache-2.0
// A Fourier neural operator with complex weights, trained over the 4x2 mesh: the losses of the same program in JAX 0.10.2
// (jnp.fft.rfft, einsum, pad, irfft, gelu; w - 60 conj(gradient)).

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;
using std::int64_t;

constexpr int64_t batch = 8, points = 32, width = 8, modes = 6;

template <class Lift, class C0, class C1, class R0, class R1, class Out>
struct parameters {
  Lift lift;
  C0 c0;
  C1 c1;
  R0 r0;
  R1 r1;
  Out out;
  static constexpr ts::names<6> names{"lift", "c0", "c1", "r0", "r1", "out"};
};
template <class... X>
parameters<X...> parameters_of(X const&... x) {
  return {x...};
}

constexpr auto block(auto h, auto c, auto r) {
  auto const low = ts::slice_in_dim<1, 0, modes>(ts::rfft<1>(h));
  auto const mixed = ts::einsum<"bki,kio->bko">(low, c);
  auto const padded = ts::pad(mixed, 0.0, ts::low<0, 0, 0>, ts::high<0, points / 2 + 1 - modes, 0>);
  return ts::gelu(ts::irfft<1, points>(padded) + ts::matmul(h, r));
}
struct loss {
  constexpr auto operator()(auto p, auto x, auto y) const {
    auto const h = block(block(ts::matmul(x, p.lift), p.c0, p.r0), p.c1, p.r1);
    return ts::mean(ts::square(ts::matmul(h, p.out) - y));
  }
};
struct step {
  constexpr auto operator()(auto p, auto x, auto y) const {
    auto [value, gradients] = ts::value_and_grad(loss{})(p, x, y);
    auto const next = ts::tree_map([](auto w, auto g) { return w - 60.0 * ts::conj(g); }, p, gradients);
    return std::tuple{next, value};
  }
};

template <class S, int64_t... E>
auto real_waves(double scale) {
  std::vector<float> v((E * ...));
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = static_cast<float>(0.4 * std::sin(0.37 * static_cast<double>(i) * scale + scale));
  return ts::device_put<S>(ts::host<E...>(v), ts::make_mesh<grid>(ts::devices()));
}
template <class S, int64_t... E>
auto complex_waves(double scale) {
  std::vector<ts::complex64> v((E * ...));
  for (std::size_t i = 0; i < v.size(); ++i) {
    double const at = static_cast<double>(i) * scale;
    v[i] = {static_cast<float>(0.3 * std::sin(0.21 * at)), static_cast<float>(0.3 * std::cos(0.33 * at))};
  }
  return ts::device_put<S>(ts::host<E...>(v), ts::make_mesh<grid>(ts::devices()));
}

TEST(complex_parameters, train_as_in_jax) {
  using whole = ts::P<>;
  auto p = parameters_of(real_waves<whole, 2, width>(1), complex_waves<whole, modes, width, width>(1),
                         complex_waves<whole, modes, width, width>(2), real_waves<whole, width, width>(2),
                         real_waves<whole, width, width>(3), real_waves<whole, width, 1>(4));
  auto const x = real_waves<ts::P<dp>, batch, points, 2>(0.3);
  auto const y = real_waves<ts::P<dp>, batch, points, 1>(0.7);
  auto const train = ts::jit(step{});
  for (double const expected : {0.0798464, 0.0792248, 0.0781013, 0.0772303, 0.0780144, 0.0851195}) {
    auto const [next, value] = train(p, x, y);
    EXPECT_NEAR(value.item(), expected, 2e-6);
    p = next;
  }
}

}  // namespace
