// SPDX-License-Identifier: Apache-2.0
// nightly
// One training step of examples/digits (forward, backward, all-reduce, Adam) as users run it: a warm jitted call.
// Beside benchmarks/peers/jax_digits_step.py, which does the same step with the same shapes.

#include "../examples/digits/model.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

namespace ts = tessera;
using namespace digits;

namespace {

// Values without any library: the same on every run, of the size a network's weights have.
std::vector<float> spread(std::size_t count, float scale) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = scale * std::sin(0.7f * static_cast<float>(i) + 0.3f);
  return values;
}

template <class Grid, std::int64_t Batch, std::int64_t Hidden>
void digits_step(benchmark::State& state) {
  auto const mesh = ts::make_mesh<Grid>(ts::devices());
  auto const put = [&]<class S, std::int64_t... E>(S, ts::shape<E...>, float scale) {
    return ts::device_put<S>(ts::host<E...>(spread(static_cast<std::size_t>((E * ...)), scale)), mesh);
  };
  auto const tree = [&](float scale) {
    auto w1 = put(ts::P<ts::none, mp>{}, ts::shape<64, Hidden>{}, scale);
    auto b1 = put(ts::P<mp>{}, ts::shape<Hidden>{}, scale);
    auto w2 = put(ts::P<mp, ts::none>{}, ts::shape<Hidden, 10>{}, scale);
    auto b2 = put(ts::P<ts::none>{}, ts::shape<10>{}, scale);
    return std::tuple{block<decltype(w1), decltype(b1), decltype(w2), decltype(b2)>{w1, b1, w2, b2}};
  };
  auto parameters = tree(0.1f);
  auto optimizer_state = ts::jit<first_state>(parameters);
  auto const images = put(ts::P<dp, ts::none>{}, ts::shape<Batch, 64>{}, 0.5f);
  std::vector<std::int32_t> digit(Batch);
  for (std::size_t i = 0; i < digit.size(); ++i) digit[i] = static_cast<std::int32_t>(i % 10);
  auto const labels = ts::device_put<ts::P<dp>>(ts::host<Batch>(digit), mesh);
  auto const mask = ts::device_put<ts::P<dp>>(ts::host<Batch>(std::vector<float>(Batch, 1.0f)), mesh);
  for (auto _ : state) {
    auto result = ts::jit<train_step>(parameters, optimizer_state, images, labels, mask, 1e-3f);
    parameters = std::get<0>(result);
    optimizer_state = std::get<1>(result);
    std::get<2>(result).block_until_ready();
  }
  state.counters["batch"] = static_cast<double>(Batch);
  state.counters["hidden"] = static_cast<double>(Hidden);
}

using grid_1x1 = ts::mesh<ts::explicit_axis<dp, 1>, ts::explicit_axis<mp, 1>>;
using grid_4x2 = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

}  // namespace

BENCHMARK(digits_step<grid_1x1, 64, 128>)->Name("digits_step/1x1")->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(digits_step<grid_4x2, 64, 128>)->Name("digits_step/4x2")->Unit(benchmark::kMicrosecond)->UseRealTime();

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  ts::runtime runtime{argc, argv};
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
