// SPDX-License-Identifier: Apache-2.0
// Kernels in use, one in each header of examples/kernels: each beside the same as operations on whole arrays, with what
// its blocks move, and the messages of the one that runs on several devices.

#include "kernels/adam.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/matmul_gelu.hpp"
#include "kernels/quantized.hpp"
#include "kernels/sharded_matmul.hpp"
#include "kernels/softmax.hpp"
#include "kernels/vector_add.hpp"
#include "one_speaks.hpp"

#include <cmath>
#include <cstdio>
#include <iostream>
#include <tuple>
#include <vector>

namespace ts = tessera;

namespace {

std::vector<float> wave(std::size_t n, double phase) {
  std::vector<float> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<float>(std::sin(0.7 * static_cast<double>(i) + phase));
  return all;
}
template <std::int64_t... N>
auto waves(double phase = 0) {
  return ts::asarray(ts::host<N...>(wave((1 * ... * N), phase)));
}

// Prints whether an array is what it should be, up to `bound`.
bool good = true;
void compare(char const* name, auto const& got, auto const& want, double bound) {
  auto const a = ts::process_allgather(got), b = ts::process_allgather(want);
  double apart = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    apart = std::max(apart, std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  std::printf("%s: ", name);
  if (bound == 0)
    std::printf("%s\n", apart == 0 ? "equal" : "NOT EQUAL");
  else
    std::printf("%s to %.0e\n", apart <= bound ? "equal" : "NOT EQUAL", bound);
  good = good && apart <= bound;
}
// The bytes of the blocks that a call of F moves: a constant.
template <class F, class... X>
void print_cost(X const&...) {
  constexpr auto bytes = ts::work_of<F, X...>.bytes();
  std::printf("  %lld bytes moved\n", static_cast<long long>(bytes));
}

void add_vectors() {
  auto const x = waves<1000>(), y = waves<1000>(1);
  compare("vector add", ts::jit<kernels::vector_add>(x, y), x + y, 0);
  using X = std::remove_const_t<decltype(x)>;
  static_assert(ts::work_of<kernels::vector_add, X, X>.bytes() ==
                3 * 1024 * sizeof(float));  // four whole blocks of each
  print_cost<kernels::vector_add>(x, y);
}

void softmax_of_rows() {
  auto const x = waves<100, 80>();
  compare("softmax", ts::jit<kernels::row_softmax>(x), ts::softmax<1>(x), 1e-6);
  print_cost<kernels::row_softmax>(x);
}

struct plain_layer_norm {
  constexpr auto operator()(auto x, auto gain, auto offset) const { return ts::layer_norm(x) * gain + offset; }
};
template <class F>
struct sum_of_sines {
  constexpr auto operator()(auto x, auto gain, auto offset) const { return ts::sum(ts::sin(F{}(x, gain, offset))); }
};
template <class F>
struct gradients {
  constexpr auto operator()(auto x, auto gain, auto offset) const {
    return ts::grad<0, 1, 2>(sum_of_sines<F>{})(x, gain, offset);
  }
};
void normalize_layers() {
  auto const x = waves<100, 80>();
  auto const gain = waves<80>(1), offset = waves<80>(2);
  using layer_norm = std::remove_const_t<decltype(kernels::layer_norm)>;
  compare("layer norm", ts::jit<layer_norm>(x, gain, offset), ts::jit<plain_layer_norm>(x, gain, offset), 1e-5);
  print_cost<layer_norm>(x, gain, offset);
  auto const [x_bar, gain_bar, offset_bar] = ts::jit<gradients<layer_norm>>(x, gain, offset);
  auto const [x_want, gain_want, offset_want] = ts::jit<gradients<plain_layer_norm>>(x, gain, offset);
  compare("its gradient by x", x_bar, x_want, 1e-5);
  compare("its gradient by gain", gain_bar, gain_want, 1e-4);
  compare("its gradient by offset", offset_bar, offset_want, 1e-4);
}

struct plain_matmul_gelu {
  constexpr auto operator()(auto x, auto w, auto bias) const { return ts::gelu(ts::matmul(x, w) + bias); }
};
void multiply_and_gelu() {
  auto const x = waves<100, 96>();
  auto const w = waves<96, 64>(1);
  auto const bias = waves<64>(2);
  compare("matmul, bias, gelu", ts::jit<kernels::matmul_gelu>(x, w, bias), ts::jit<plain_matmul_gelu>(x, w, bias),
          1e-5);
  print_cost<kernels::matmul_gelu>(x, w, bias);
}

struct plain_quantized {  // the same with each element scaled before the product
  constexpr auto operator()(auto x, auto x_scale, auto w, auto w_scale) const {
    auto const scaled_x = ts::astype<float>(x) * ts::repeat<32, 1>(x_scale);
    auto const scaled_w = ts::astype<float>(w) * ts::repeat<32, 0>(w_scale);
    return ts::matmul(scaled_x, scaled_w);
  }
};

void multiply_quantized() {
  auto const x = ts::astype<ts::int8>(ts::round(waves<40, 128>() * 127));
  auto const w = ts::astype<ts::int8>(ts::round(waves<128, 48>(1) * 127));
  auto const x_scale = waves<40, 4>(2) / 127;
  auto const w_scale = waves<4, 48>(3) / 127;
  compare("int8 matmul with scales", ts::jit<kernels::quantized_matmul>(x, x_scale, w, w_scale),
          ts::jit<plain_quantized>(x, x_scale, w, w_scale), 1e-5);
  print_cost<kernels::quantized_matmul>(x, x_scale, w, w_scale);
}

struct plain_adam {
  constexpr auto operator()(auto slope, auto rate, auto state, auto w) const {
    return ts::train::adam{}.update(slope, state, w, rate);
  }
};
void step_in_place() {
  auto w = waves<1000>();
  auto mean = ts::asarray(ts::zeros<float, 1000>()), square = ts::asarray(ts::zeros<float, 1000>());
  auto const rate = ts::asarray(0.1f);
  auto plain = std::tuple{waves<1000>(), ts::jit([](auto p) { return ts::train::adam{}.init(p); })(w)};
  void const* const memory = w.addressable_shards()[0].data;
  for (int step = 1; step <= 5; ++step) {
    auto const slope = waves<1000>(step);
    plain = ts::jit<plain_adam>(slope, rate, std::get<1>(plain), std::get<0>(plain));
    std::tie(w, mean, square) =
        ts::jit<kernels::adam>(slope, rate, ts::asarray(step), std::move(w), std::move(mean), std::move(square));
  }
  compare("five steps of Adam", w, std::get<0>(plain), 1e-5);
  bool const in_place = w.addressable_shards()[0].data == memory;
  good = good && in_place;
  std::printf("  %s\n", in_place ? "in place" : "NOT in place");
  print_cost<kernels::adam>(w, rate, ts::asarray(5), w, mean, square);
}

// Split over four devices.
void multiply_on_devices() {
  using kernels::line, kernels::tp;
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const host_x = ts::host<64, 128>(wave(64 * 128, 0));
  auto const host_w = ts::host<128, 48>(wave(128 * 48, 1));
  auto const x = ts::device_put<ts::P<ts::none, tp>>(host_x, mesh);
  auto const w = ts::device_put<ts::P<tp>>(host_w, mesh);
  auto const z = ts::jit<kernels::sharded_matmul>(x, w);
  static_assert(ts::type_text<std::remove_const_t<decltype(z)>> == "float32[64@tp,48]");
  auto const want = ts::matmul(ts::device_put<ts::P<>>(host_x, mesh), ts::device_put<ts::P<>>(host_w, mesh));
  compare("sharded matmul", z, want, 1e-4);
  constexpr auto const& cost =
      ts::comm_of<kernels::sharded_matmul, std::remove_const_t<decltype(x)>, std::remove_const_t<decltype(w)>>;
  static_assert(cost.count() == 1 && cost.count(ts::collective::reduce_scatter) == 1);
  static_assert(cost.bytes() == 3 * (64 / 4) * 48 * sizeof(float));  // each device's sums pass three others
  std::cout << ts::explain(cost);
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  only_one_speaks();
  add_vectors();
  softmax_of_rows();
  normalize_layers();
  multiply_and_gelu();
  multiply_quantized();
  step_in_place();
  multiply_on_devices();
  return good ? 0 : 1;
}
