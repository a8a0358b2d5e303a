// SPDX-License-Identifier: Apache-2.0
#pragma once
// A convolution net of 256 digits of 8 x 8: 16 and 32 features of 3 x 3, each with bias, relu and a maximum of 2 x 2, then 10
// logits. Channels first, or last.

#include "training.hpp"

namespace cases::convnet {

constexpr std::int64_t digits = 256;

template <bool Last>
struct loss {
  static constexpr float rate = 0.01f;
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

template <bool Last, std::int64_t Devices>
void run(benchmark::State& state, std::string const& name) {
  using M = grid<Devices, 1>;
  auto const zeros = []<std::int64_t N>(std::integral_constant<std::int64_t, N>) {
    return put<ts::P<>, M, N>(std::vector<float>(N));
  };
  auto const p = std::tuple{kernel<Last, 3, 1, 16, M>(1, 0.3f),
                            zeros(std::integral_constant<std::int64_t, 16>{}),
                            kernel<Last, 3, 16, 32, M>(2, 0.1f),
                            zeros(std::integral_constant<std::int64_t, 32>{}),
                            put<ts::P<>, M, 128, 10>(noises(3, 1280, 0.1f)),
                            zeros(std::integral_constant<std::int64_t, 10>{})};
  train<loss<Last>>(state, name, p, images<Last, M>(), put<ts::P<dp>, M, digits, 10>(one_hot_rows(digits, 10)));
}

}  // namespace cases::convnet
