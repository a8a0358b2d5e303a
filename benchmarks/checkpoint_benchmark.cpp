// SPDX-License-Identifier: Apache-2.0
// What save and restore take beside the disk itself: the same bytes written from memory and forced to it, and read. 64 MiB, or
// TESSERA_CHECKPOINT_MIB of them, in TMPDIR. checkpoint.py runs this and Python's libraries in turns.
// ctest: .

#include <tessera/array/device_put.hpp>
#include <tessera/checkpoint.hpp>
#include <tessera/exec/device/runtime.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
constexpr std::int64_t columns = 4096, parts = 8;

std::int64_t mebibytes() {
  char const* const text = std::getenv("TESSERA_CHECKPOINT_MIB");
  return text ? std::atoll(text) : 64;
}
std::string place() {
  static std::string const path =
      std::filesystem::temp_directory_path() / ("tessera-checkpoint-" + std::to_string(::getpid()));
  return path;
}
double seconds_of(auto const& f) {
  auto const begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Half of the arrays lie in rows, whose blocks are one run of the file, half in rows and columns.
auto const& tree() {
  static auto const arrays = [] {
    auto const mesh = ts::make_mesh<grid>(ts::devices());
    std::int64_t const rows = mebibytes() * (1 << 20) / parts / columns / 4;
    std::vector<float> values(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 8191) / 8191;
    auto const in_rows = [&] { return ts::device_put<ts::P<dp>>(ts::host(values, {rows, columns}), mesh); };
    auto const in_both = [&] { return ts::device_put<ts::P<dp, mp>>(ts::host(values, {rows, columns}), mesh); };
    return std::tuple{std::array{in_rows(), in_rows(), in_rows(), in_rows()},
                      std::array{in_both(), in_both(), in_both(), in_both()}};
  }();
  return arrays;
}
std::int64_t bytes() { return mebibytes() << 20; }

void forget(std::string const& path) {  // what is read next comes from the disk
  int const file = ::open(path.c_str(), O_RDONLY);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}
void forget_all() {
  for (auto const& entry : std::filesystem::directory_iterator(place())) forget(entry.path());
}

void disk_write(std::string const& path) {
  auto const& block = std::get<0>(std::get<0>(tree())).stored().memory;
  int const file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  std::int64_t const size = static_cast<std::int64_t>(block.size());
  for (std::int64_t at = 0; at < bytes();) {
    auto const from = at % size, some = std::min<std::int64_t>({8 << 20, bytes() - at, size - from});
    auto const done = ::pwrite(file, block.data() + from, static_cast<std::size_t>(some), at);
    if (done <= 0) throw std::runtime_error("the disk is full");
    at += done;
  }
  ::fsync(file);
  ::close(file);
}

void measure(benchmark::State& state, auto const& prepare, auto const& f) {
  for (auto _ : state) {
    prepare();
    state.SetIterationTime(seconds_of(f));
  }
  state.SetBytesProcessed(state.iterations() * bytes());
}
void write_floor(benchmark::State& state) {
  static_cast<void>(tree());
  std::filesystem::create_directories(place());
  auto const path = place() + "/floor";
  measure(
      state, [&] { std::filesystem::remove(path); }, [&] { disk_write(path); });
  std::filesystem::remove_all(place());
}
void save(benchmark::State& state) {
  static_cast<void>(tree());
  measure(
      state, [] { std::filesystem::remove_all(place()); }, [] { ts::save(place(), tree()); });
  std::filesystem::remove_all(place());
}
// Until save_async gives the program back.
void save_async(benchmark::State& state) {
  static_cast<void>(tree());
  ts::pending_save saving;
  measure(
      state,
      [&] {
        saving.wait();
        std::filesystem::remove_all(place());
      },
      [&] { saving = ts::save_async(place(), tree()); });
  saving.wait();
  std::filesystem::remove_all(place());
}
void read_floor(benchmark::State& state) {
  std::filesystem::create_directories(place());
  auto const path = place() + "/floor";
  disk_write(path);
  measure(
      state, [&] { forget(path); },
      [&] {
        // Into memory that is new, as what is restored is.
        std::unique_ptr<char[]> const to(new char[bytes()]);
        int const file = ::open(path.c_str(), O_RDONLY);
        for (std::int64_t at = 0; at < bytes();) {
          auto const some = static_cast<std::size_t>(std::min<std::int64_t>(8 << 20, bytes() - at));
          auto const done = ::pread(file, to.get() + at, some, at);
          if (done <= 0) throw std::runtime_error("the file is shorter");
          at += done;
        }
        ::close(file);
      });
  std::filesystem::remove_all(place());
}
void restore(benchmark::State& state) {
  ts::save(place(), tree());
  measure(
      state, [] { forget_all(); }, [] { benchmark::DoNotOptimize(ts::restore(place(), tree())); });
  std::filesystem::remove_all(place());
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  benchmark::Initialize(&argc, argv);
  struct measured {
    char const* name;
    void (*f)(benchmark::State&);
  };
  for (auto const& [name, f] :
       {measured{"write_floor", write_floor}, measured{"save", save}, measured{"save_async", save_async},
        measured{"read_floor", read_floor}, measured{"restore", restore}})
    benchmark::RegisterBenchmark(name, f)->UseManualTime()->Unit(benchmark::kMillisecond);
  benchmark::RunSpecifiedBenchmarks();
}
