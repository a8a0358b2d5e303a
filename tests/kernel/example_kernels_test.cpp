// SPDX-License-Identifier: Apache-2.0
// The kernels of examples/kernels against plain loops in double: element types, extents that blocks do not divide, one
// row, vmap, gradients, several devices.
// stand-in at night

#include "../../examples/kernels/adam.hpp"
#include "../../examples/kernels/layer_norm.hpp"
#include "../../examples/kernels/matmul_gelu.hpp"
#include "../../examples/kernels/quantized.hpp"
#include "../../examples/kernels/sharded_matmul.hpp"
#include "../../examples/kernels/softmax.hpp"
#include "../../examples/kernels/vector_add.hpp"
#include "support/kernel_case.hpp"

#include <cmath>
#include <tuple>
#include <vector>

namespace {

using namespace kernel_case;
using doubles = std::vector<double>;

// An array in another element type, and its values as the oracle gets them.
template <class T, std::int64_t... N>
auto waves(double phase = 0) {
  return ts::jit([](auto x) { return ts::astype<T>(x * (std::is_integral_v<T> ? 50 : 1)); })(matrix<N...>(phase));
}
template <class X>
doubles values(X const& x) {
  doubles all;
  for (auto v : x.to_host()) all.push_back(static_cast<double>(v));
  return all;
}
template <class T, std::int64_t N>
void expect_sum() {
  auto const x = waves<T, N>(), y = waves<T, N>(1);
  auto const a = values(x), b = values(y);
  doubles want;
  for (std::size_t i = 0; i < a.size(); ++i) want.push_back(a[i] + b[i]);
  double const bound = std::is_same_v<T, ts::bfloat16> ? 0.01 : std::is_same_v<T, float> ? 1e-7 : 0;
  expect(kernels::vector_add{}(x, y), want, bound);
  expect(ts::jit<kernels::vector_add>(x, y), want, bound);
}
TEST(example_kernels, vector_add) {
  expect_sum<float, 1>();
  expect_sum<float, 257>();
  expect_sum<double, 512>();
  expect_sum<ts::bfloat16, 300>();
  expect_sum<std::int32_t, 1000>();
  expect_sum<std::int8_t, 511>();
}
TEST(example_kernels, vector_add_in_vmap) {
  auto const x = matrix<3, 300>();
  auto const y = matrix<300>(1);
  auto const z = ts::vmap<ts::in_axes<0, ts::unmapped>>(kernels::vector_add{})(x, y);
  doubles want;
  for (std::size_t i = 0; i < 900; ++i)
    want.push_back(static_cast<double>(wave(900)[i]) + static_cast<double>(wave(300, 1)[i % 300]));
  expect(z, want, 1e-6);
}

doubles softmax_of(doubles const& x, std::size_t columns) {
  doubles made(x.size());
  for (std::size_t r = 0; r < x.size(); r += columns) {
    double sum = 0;
    for (std::size_t c = r; c < r + columns; ++c) sum += std::exp(x[c]);
    for (std::size_t c = r; c < r + columns; ++c) made[c] = std::exp(x[c]) / sum;
  }
  return made;
}
template <class T, std::int64_t Rows, std::int64_t Columns>
void expect_softmax(double bound) {
  auto const x = waves<T, Rows, Columns>();
  expect(ts::jit<kernels::row_softmax>(x), softmax_of(values(x), Columns), bound);
}
TEST(example_kernels, softmax) {
  expect_softmax<float, 1, 7>(1e-6);
  expect_softmax<float, 33, 1>(0);
  expect_softmax<double, 50, 31>(1e-15);
  expect_softmax<ts::bfloat16, 17, 9>(4e-3);
  auto const batch = matrix<3, 20, 5>();
  expect(ts::vmap(kernels::row_softmax{})(batch), softmax_of(values(batch), 5), 1e-6);
}

doubles layer_norm_of(doubles const& x, doubles const& gain, doubles const& offset) {
  std::size_t const columns = gain.size();
  doubles made(x.size());
  for (std::size_t r = 0; r < x.size(); r += columns) {
    double mean = 0, variance = 0;
    for (std::size_t c = 0; c < columns; ++c) mean += x[r + c] / static_cast<double>(columns);
    for (std::size_t c = 0; c < columns; ++c)
      variance += (x[r + c] - mean) * (x[r + c] - mean) / static_cast<double>(columns);
    for (std::size_t c = 0; c < columns; ++c)
      made[r + c] = (x[r + c] - mean) / std::sqrt(variance + 1e-5) * gain[c] + offset[c];
  }
  return made;
}
// The derivatives of f by each element of x, by central differences.
template <class F>
doubles differences(F const& f, doubles x) {
  doubles made(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    double const at = x[i];
    x[i] = at + 1e-5;
    double const more = f(x);
    x[i] = at - 1e-5;
    made[i] = (more - f(x)) / 2e-5;
    x[i] = at;
  }
  return made;
}
double sum_of_sines(doubles const& x) {
  double sum = 0;
  for (double v : x) sum += std::sin(v);
  return sum;
}
struct sines {
  constexpr auto operator()(auto x, auto gain, auto offset) const {
    return ts::sum(ts::sin(kernels::layer_norm(x, gain, offset)));
  }
};
struct slopes {
  constexpr auto operator()(auto x, auto gain, auto offset) const {
    return ts::grad<0, 1, 2>(sines{})(x, gain, offset);
  }
};
template <class Got>
void expect_slopes(Got const& got, doubles const& x, doubles const& gain, doubles const& offset, double bound) {
  auto const number = [](doubles const& a, doubles const& b, doubles const& c) {
    return sum_of_sines(layer_norm_of(a, b, c));
  };
  auto const& [x_bar, gain_bar, offset_bar] = got;
  expect(x_bar, differences([&](doubles const& a) { return number(a, gain, offset); }, x), bound);
  expect(gain_bar, differences([&](doubles const& b) { return number(x, b, offset); }, gain), bound);
  expect(offset_bar, differences([&](doubles const& c) { return number(x, gain, c); }, offset), bound);
}
template <class T, std::int64_t Rows, std::int64_t Columns>
void expect_layer_norm(double bound, double bound_of_slopes) {
  auto const x = waves<T, Rows, Columns>();
  auto const gain = waves<T, Columns>(1), offset = waves<T, Columns>(2);
  auto const a = values(x), b = values(gain), c = values(offset);
  expect(kernels::layer_norm(x, gain, offset), layer_norm_of(a, b, c), bound);
  expect_slopes(ts::jit<slopes>(x, gain, offset), a, b, c, bound_of_slopes);
}
TEST(example_kernels, layer_norm) {
  expect_layer_norm<float, 1, 5>(1e-5, 1e-4);
  expect_layer_norm<float, 37, 6>(1e-5, 1e-4);
  expect_layer_norm<double, 32, 9>(1e-12, 1e-7);
  expect_layer_norm<double, 50, 3>(1e-12, 1e-7);
  auto const x = waves<ts::bfloat16, 20, 8>();
  auto const gain = waves<ts::bfloat16, 8>(1), offset = waves<ts::bfloat16, 8>(2);
  expect(kernels::layer_norm(x, gain, offset), layer_norm_of(values(x), values(gain), values(offset)), 0.05);
}

#ifndef TESSERA_BY_DAY
// The elements from `from` on, as many as one of the batch has.
doubles part(doubles const& x, std::size_t n, std::size_t count) {
  return {x.begin() + static_cast<std::ptrdiff_t>(n * count), x.begin() + static_cast<std::ptrdiff_t>((n + 1) * count)};
}

// A batch of arrays, of which all have one gain.
TEST(example_kernels, layer_norm_in_vmap) {
  auto const x = waves<double, 3, 18, 5>();
  auto const gain = waves<double, 5>(1);
  auto const offset = waves<double, 3, 5>(2);
  auto const a = values(x), b = values(gain), c = values(offset);
  using axes = ts::in_axes<0, ts::unmapped, 0>;
  auto const normal = ts::vmap<axes>(kernels::layer_norm)(x, gain, offset);
  auto const bars = ts::jit([](auto p, auto q, auto r) { return ts::vmap<axes>(slopes{})(p, q, r); })(x, gain, offset);
  doubles want, x_bar, gain_bar, offset_bar;
  for (std::size_t n = 0; n < 3; ++n) {
    auto const own = part(a, n, 90), own_offset = part(c, n, 5);
    for (double v : layer_norm_of(own, b, own_offset)) want.push_back(v);
    auto const number = [&](doubles const& p, doubles const& q, doubles const& r) {
      return sum_of_sines(layer_norm_of(p, q, r));
    };
    for (double v : differences([&](doubles const& p) { return number(p, b, own_offset); }, own)) x_bar.push_back(v);
    for (double v : differences([&](doubles const& q) { return number(own, q, own_offset); }, b)) gain_bar.push_back(v);
    for (double v : differences([&](doubles const& r) { return number(own, b, r); }, own_offset))
      offset_bar.push_back(v);
  }
  expect(normal, want, 1e-12);
  expect(std::get<0>(bars), x_bar, 1e-7);
  expect(std::get<1>(bars), gain_bar, 1e-7);
  expect(std::get<2>(bars), offset_bar, 1e-7);
}
// Rows over four devices: the result is split likewise, nothing is sent, and the sums for gain and offset are one
// message.
struct dp : ts::axis {};
using rows_split = ts::mesh<ts::explicit_axis<dp, 4>>;
TEST(example_kernels, layer_norm_of_split_rows) {
  auto const mesh = ts::make_mesh<rows_split>(ts::devices());
  auto const x = ts::device_put<ts::P<dp>>(waves<double, 128, 5>(), mesh);
  auto const gain = ts::device_put<ts::P<>>(waves<double, 5>(1), mesh);
  auto const offset = ts::device_put<ts::P<>>(waves<double, 5>(2), mesh);
  using X = std::remove_const_t<decltype(x)>;
  using G = std::remove_const_t<decltype(gain)>;
  static_assert(ts::comm_of<std::remove_const_t<decltype(kernels::layer_norm)>, X, G, G>.count() == 0);
  constexpr auto const& cost = ts::comm_of<slopes, X, G, G>;
  static_assert(cost.count() == 1 && cost.count(ts::collective::all_reduce) == 1);
  auto const a = values(x), b = values(gain), c = values(offset);
  auto const y = ts::jit([](auto p, auto q, auto r) { return kernels::layer_norm(p, q, r); })(x, gain, offset);
  static_assert(std::is_same_v<decltype(y)::type, X::type>);
  expect(y, layer_norm_of(a, b, c), 1e-12);
  expect_slopes(ts::jit<slopes>(x, gain, offset), a, b, c, 1e-7);
}

doubles product_of(doubles const& x, doubles const& w, std::size_t inner) {
  std::size_t const m = x.size() / inner, n = w.size() / inner;
  doubles made(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t p = 0; p < inner; ++p)
      for (std::size_t j = 0; j < n; ++j) made[i * n + j] += x[i * inner + p] * w[p * n + j];
  return made;
}
doubles gelu_of(doubles x, doubles const& bias) {  // by tanh
  for (std::size_t i = 0; i < x.size(); ++i) {
    double const v = x[i] + bias[i % bias.size()];
    x[i] = 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
  }
  return x;
}
template <class T, std::int64_t M, std::int64_t K, std::int64_t N>
void expect_matmul_gelu(double bound) {
  auto const x = waves<T, M, K>();
  auto const w = waves<T, K, N>(1);
  auto const bias = waves<T, N>(2);
  doubles const want = gelu_of(product_of(values(x), values(w), K), values(bias));
  expect(kernels::matmul_gelu{}(x, w, bias), want, bound);
  expect(ts::jit<kernels::matmul_gelu>(x, w, bias), want, bound);
}
TEST(example_kernels, matmul_gelu) {
  expect_matmul_gelu<float, 1, 1, 1>(1e-6);
  expect_matmul_gelu<float, 33, 65, 70>(2e-5);
  expect_matmul_gelu<float, 64, 128, 32>(2e-5);
  expect_matmul_gelu<double, 1, 200, 33>(1e-13);
  expect_matmul_gelu<ts::bfloat16, 40, 70, 5>(0.02);
  auto const x = matrix<2, 34, 66>();
  auto const w = matrix<66, 3>(1);
  auto const bias = matrix<2, 3>(2);
  auto const z = ts::vmap<ts::in_axes<0, ts::unmapped, 0>>(kernels::matmul_gelu{})(x, w, bias);
  doubles want;
  for (std::size_t n = 0; n < 2; ++n)
    for (double v : gelu_of(product_of(part(values(x), n, 34 * 66), values(w), 66), part(values(bias), n, 3)))
      want.push_back(v);
  expect(z, want, 2e-5);
}

doubles quantized_of(doubles const& x, doubles const& x_scale, doubles const& w, doubles const& w_scale,
                     std::size_t inner) {
  std::size_t const m = x.size() / inner, n = w.size() / inner, blocks = x_scale.size() / m;
  doubles made(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t p = 0; p < inner; ++p)
        made[i * n + j] += x[i * inner + p] * x_scale[i * blocks + p / 32] * w[p * n + j] * w_scale[p / 32 * n + j];
  return made;
}
template <std::int64_t M, std::int64_t K, std::int64_t N>
void expect_quantized() {
  auto const to_int8 = [](auto x) { return ts::astype<std::int8_t>(ts::round(x * 127)); };
  auto const x = ts::jit(to_int8)(matrix<M, K>());
  auto const w = ts::jit(to_int8)(matrix<K, N>(1));
  auto const x_scale = matrix<M, (K + 31) / 32>(2) / 127;
  auto const w_scale = matrix<(K + 31) / 32, N>(3) / 127;
  expect(ts::jit<kernels::quantized_matmul>(x, x_scale, w, w_scale),
         quantized_of(values(x), values(x_scale), values(w), values(w_scale), K), 2e-5);
}
TEST(example_kernels, quantized_matmul) {
  expect_quantized<1, 1, 1>();
  expect_quantized<16, 64, 16>();
  expect_quantized<17, 70, 33>();
  expect_quantized<1, 33, 40>();
  // The largest products: a sum of 32 of them is more than 16 bits hold.
  auto const x = ts::asarray(ts::full<std::int8_t, 2, 64>(-128));
  auto const w = ts::asarray(ts::full<std::int8_t, 64, 2>(-128));
  auto const ones = ts::asarray(ts::ones<float, 2, 2>());
  expect(kernels::quantized_matmul{}(x, ones, w, ones), doubles(4, 64 * 16384.0), 0);
}

// Of one element.
struct moments {
  double w, mean = 0, square = 0;
  void step(double slope, double rate, int count) {
    mean = 0.9 * mean + 0.1 * slope;
    square = 0.999 * square + 0.001 * slope * slope;
    w -= rate * (mean / (1 - std::pow(0.9, count))) / (std::sqrt(square / (1 - std::pow(0.999, count))) + 1e-8);
  }
};
template <class T, std::int64_t N>
void expect_adam(double bound) {
  auto w = waves<T, N>();
  auto mean = waves<T, N>(1) * 0, square = waves<T, N>(1) * 0;
  std::vector<moments> want;
  for (double v : values(w)) want.push_back({v});
  for (int count = 1; count <= 4; ++count) {
    auto const slope = waves<T, N>(count);
    for (std::size_t i = 0; i < want.size(); ++i) want[i].step(values(slope)[i], 0.1f, count);
    std::tie(w, mean, square) = ts::jit<kernels::adam>(slope, ts::asarray(0.1f), ts::asarray(count), std::move(w),
                                                       std::move(mean), std::move(square));
  }
  auto const all = [&](double moments::*member) {
    doubles made;
    for (moments const& m : want) made.push_back(m.*member);
    return made;
  };
  expect(w, all(&moments::w), bound);
  expect(mean, all(&moments::mean), bound);
  expect(square, all(&moments::square), bound);
}
TEST(example_kernels, adam) {
  expect_adam<float, 1>(2e-5);
  expect_adam<float, 300>(2e-5);
  expect_adam<double, 256>(1e-12);
}

// Split over four devices: nothing is sent.
TEST(example_kernels, adam_of_split_parameters) {
  auto const mesh = ts::make_mesh<rows_split>(ts::devices());
  auto const slope = ts::device_put<ts::P<dp>>(matrix<1024>(1), mesh);
  auto const w = ts::device_put<ts::P<dp>>(matrix<1024>(), mesh);
  auto const zero = ts::device_put<ts::P<dp>>(matrix<1024>() * 0, mesh);
  auto const rate = ts::device_put<ts::P<>>(ts::asarray(0.1f), mesh);
  auto const count = ts::device_put<ts::P<>>(ts::asarray(1), mesh);
  using W = std::remove_const_t<decltype(w)>;
  static_assert(
      ts::comm_of<kernels::adam, W, std::remove_const_t<decltype(rate)>, std::remove_const_t<decltype(count)>, W, W, W>.count() ==
      0);
  auto const [made, mean, square] = ts::jit<kernels::adam>(slope, rate, count, w, zero, zero);
  static_assert(std::is_same_v<std::remove_const_t<decltype(made)>::type, W::type>);
  doubles want;
  for (std::size_t i = 0; i < 1024; ++i) {
    moments one{static_cast<double>(wave(1024)[i])};
    one.step(static_cast<double>(wave(1024, 1)[i]), 0.1f, 1);
    want.push_back(one.w);
  }
  expect(made, want, 2e-5);
}

TEST(example_kernels, sharded_matmul) {
  auto const mesh = ts::make_mesh<kernels::line>(ts::devices());
  auto const x = ts::device_put<ts::P<ts::none, kernels::tp>>(matrix<36, 84>(), mesh);
  auto const w = ts::device_put<ts::P<kernels::tp>>(matrix<84, 5>(1), mesh);
  auto const z = ts::jit<kernels::sharded_matmul>(x, w);
  static_assert(ts::type_text<std::remove_const_t<decltype(z)>> == "float32[36@tp,5]");
  expect(z, product_of(values(matrix<36, 84>()), values(matrix<84, 5>(1)), 84), 2e-5);
  expect(kernels::tiled_matmul{}(matrix<1, 17>(), matrix<17, 1>(1)),
         product_of(values(matrix<1, 17>()), values(matrix<17, 1>(1)), 17), 1e-5);
}
#endif

}  // namespace
