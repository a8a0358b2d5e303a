// SPDX-License-Identifier: Apache-2.0
// What a loader costs beside reading the same bytes: rows of a .npy file of 64 MiB, shuffled, as batches over 4 x 2 devices,
// beside memcpy of the file from end to end and of its rows in the loader's order; the digits' CSV file, per row.

#include <tessera/data.hpp>
#include <tessera/tessera.hpp>

#include <benchmark/benchmark.h>

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

constexpr std::int64_t rows = 16384, width = 1024, batch = 256;
constexpr std::int64_t bytes = rows * width * static_cast<std::int64_t>(sizeof(float));
using batch_type = ts::array_type<float, ts::shape<batch, width>, ts::P<dp>, grid>;
using split_batch = ts::array_type<float, ts::shape<batch, width>, ts::P<dp, mp>, grid>;

class sample_file {
public:
  sample_file() : path_("/tmp/tessera_data_benchmark_" + std::to_string(::getpid()) + ".npy") {
    std::vector<float> values(static_cast<std::size_t>(rows * width));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1000);
    ts::save_npy(path_, ts::host<rows, width>(values));
  }
  sample_file(sample_file const&) = delete;
  sample_file& operator=(sample_file const&) = delete;
  ~sample_file() { std::remove(path_.c_str()); }
  std::string const& path() const { return path_; }

private:
  std::string path_;
};
sample_file const& sample() {
  static sample_file const file;
  return file;
}

void plain_read(benchmark::State& state) {
  ts::mapped_file const file(sample().path());
  std::vector<std::byte> out(batch * width * sizeof(float));
  auto const size = static_cast<std::int64_t>(out.size());
  for (auto _ : state)
    for (std::int64_t at = 0; at + size <= file.size(); at += size) {
      std::memcpy(out.data(), file.data() + at, out.size());
      benchmark::DoNotOptimize(out.data());
    }
  state.SetBytesProcessed(state.iterations() * bytes);
}
BENCHMARK(plain_read)->Unit(benchmark::kMillisecond)->UseRealTime();

void plain_read_of_shuffled_rows(benchmark::State& state) {
  ts::mapped_file const file(sample().path());
  std::vector<std::byte> out(batch * width * sizeof(float));
  ts::shuffled_order const order(rows, 1);
  constexpr std::size_t row = width * sizeof(float);
  for (auto _ : state)
    for (std::int64_t i = 0; i < rows; ++i) {
      auto const* const from = file.data() + 128 + static_cast<std::size_t>(order[i]) * row;
      std::memcpy(out.data() + static_cast<std::size_t>(i % batch) * row, from, row);
      benchmark::DoNotOptimize(out.data());
    }
  state.SetBytesProcessed(state.iterations() * bytes);
}
BENCHMARK(plain_read_of_shuffled_rows)->Unit(benchmark::kMillisecond)->UseRealTime();

template <class Batch>
void loader_of_npy(benchmark::State& state) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::loader<Batch> batches(mesh, {.key = 1, .ahead = static_cast<int>(state.range(0))},
                            ts::npy_file(sample().path()).rows<float>());
  for (auto _ : state)
    for (auto const& [x] : batches.epoch()) benchmark::DoNotOptimize(x.id());
  state.SetBytesProcessed(state.iterations() * bytes);
}
BENCHMARK(loader_of_npy<batch_type>)->Arg(0)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(loader_of_npy<split_batch>)->Arg(0)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void loader_of_csv(benchmark::State& state) {
  using type = ts::array_type<float, ts::shape<64, 64>, ts::P<dp>, grid>;
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  ts::csv_file const file(TESSERA_SOURCE_DIR "/examples/data/digits.csv");
  ts::loader<type> batches(mesh, {.key = 1, .ahead = 0}, file.columns<float>({.count = 64}));
  for (auto _ : state)
    for (auto const& [x] : batches.epoch()) benchmark::DoNotOptimize(x.id());
  state.SetItemsProcessed(state.iterations() * batches.rows());
}
BENCHMARK(loader_of_csv)->Unit(benchmark::kMillisecond)->UseRealTime();

void one_order(benchmark::State& state) {
  ts::shuffled_order const order(state.range(0), 1);
  std::int64_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(order[i]);
    if (++i == state.range(0)) i = 0;
  }
}
BENCHMARK(one_order)->Arg(60000)->Arg(1000000000);

}  // namespace

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
