// SPDX-License-Identifier: Apache-2.0
// Training steps of models as people run them. A convolution net of 256 digits of 8 x 8: 16 and 32 features of 3 x 3, each
// with bias, relu and a maximum of 2 x 2, then 10 logits; loss, gradient and update. On one device, and with the digits
// over eight; channels first and last.

#include "support/cases.hpp"

#include <tuple>

using namespace cases;

namespace {

constexpr std::int64_t digits = 256;
constexpr float rate = 0.01f;

template <bool Last>
struct net {
  constexpr auto operator()(auto p, auto x, auto y) const {
    auto [k1, b1, k2, b2, w, b] = p;
    auto const layer = [](auto z, auto k, auto bias) {
      if constexpr (Last)
        return ts::max_pool(ts::relu(ts::conv(z, k, ts::nhwc, ts::same) + bias), ts::window<2, 2>, ts::strided<2, 2>);
      else
        return ts::reduce_window_max(ts::relu(ts::conv(z, k, ts::same) + ts::expand_dims<1, 2>(bias)),
                                     ts::window<1, 1, 2, 2>, ts::strided<1, 1, 2, 2>);
    };
    auto const features = layer(layer(x, k1, b1), k2, b2);
    auto const logits = ts::matmul(ts::reshape<digits, 128>(features), w) + b;
    return -ts::mean(ts::sum<1>(ts::log_softmax(logits) * y));
  }
};
template <bool Last>
struct step {
  constexpr auto operator()(auto p, auto x, auto y) const {
    auto const [loss, slopes] = ts::value_and_grad(net<Last>{})(p, x, y);
    return std::tuple{loss, ts::tree_map([](auto w, auto slope) { return w - rate * slope; }, p, slopes)};
  }
};

template <bool Last, std::int64_t K, std::int64_t C, std::int64_t O, class M>
auto kernel(std::uint64_t seed, float scale) {
  auto const values = noises(seed, K * K * C * O, scale);
  if constexpr (Last)
    return put<ts::P<>, M, K, K, C, O>(values);
  else
    return put<ts::P<>, M, O, C, K, K>(values);
}
template <bool Last, class M>
auto images() {
  auto const values = noises(7, digits * 64);
  if constexpr (Last)
    return put<ts::P<dp>, M, digits, 8, 8, 1>(values);
  else
    return put<ts::P<dp>, M, digits, 1, 8, 8>(values);
}

std::vector<double> numbers_of(auto const& tree) {
  std::vector<double> all;
  ts::tree_each(
      [&](auto const& value) {
        auto const numbers = value.to_host();
        all.insert(all.end(), numbers.begin(), numbers.end());
      },
      tree);
  return all;
}

template <bool Last, class M>
void convnet(benchmark::State& state, std::string const& name) {
  std::vector<float> const none(128);
  std::vector<float> classes(digits * 10);
  for (std::size_t i = 0; i < digits; ++i) classes[i * 10 + i % 10] = 1;
  auto const vector_of = [&]<std::int64_t N>(std::integral_constant<std::int64_t, N>) {
    return put<ts::P<>, M, N>(std::vector<float>(none.begin(), none.begin() + N));
  };
  auto const p = std::tuple{kernel<Last, 3, 1, 16, M>(1, 0.3f),
                            vector_of(std::integral_constant<std::int64_t, 16>{}),
                            kernel<Last, 3, 16, 32, M>(2, 0.1f),
                            vector_of(std::integral_constant<std::int64_t, 32>{}),
                            put<ts::P<>, M, 128, 10>(noises(3, 1280, 0.1f)),
                            vector_of(std::integral_constant<std::int64_t, 10>{})};
  auto const x = images<Last, M>();
  auto const y = put<ts::P<dp>, M, digits, 10>(classes);
  auto const call = [&](auto const& at) { return ts::jit<step<Last>>(at, x, y); };
  measure(
      state, name, 0.1, [&] { ts::tree_each([](auto const& value) { value.block_until_ready(); }, call(p)); },
      [&] {  // a step lowers the loss by its rate times the square of the gradient, but for what is of second order
        auto const [before, moved] = call(p);
        auto const was = numbers_of(p), is = numbers_of(moved);
        double square = 0;
        for (std::size_t i = 0; i < was.size(); ++i) square += std::pow((was[i] - is[i]) / rate, 2);
        difference d;
        d.add(double(before.item()) - std::get<0>(call(moved)).item(), rate * square);
        return d.relative();
      });
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 8, [] {
    add("models.convnet layout=nchw devices=1", convnet<false, grid<1, 1>>);
    add("models.convnet layout=nhwc devices=1", convnet<true, grid<1, 1>>);
    add("models.convnet layout=nchw devices=8", convnet<false, grid<8, 1>>);
    add("models.convnet layout=nhwc devices=8", convnet<true, grid<8, 1>>);
  });
}
