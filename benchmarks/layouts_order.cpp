// SPDX-License-Identifier: Apache-2.0
// One training step of an MLP in five layouts: what predict() says of eight devices, and what they take here, where one process
// does the work of all eight, one after the other, each storing and computing everything itself, step by step. The processor's
// rates are measured first. Prints both orders; with --strict the exit status says whether they are the same.
//   OMP_NUM_THREADS=1 build/release/benchmarks/layouts_order

#include <tessera/tessera.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
using X = ts::array_type<float, ts::shape<2048, 256>, ts::P<>, grid>;
using W = ts::array_type<float, ts::shape<256, 1024>, ts::P<>, grid>;
using V = ts::array_type<float, ts::shape<1024, 256>, ts::P<>, grid>;

struct loss {
  constexpr auto operator()(auto w, auto v, auto x) const {
    auto const y = ts::matmul(ts::maximum(ts::matmul(x, w), 0.0f), v);
    return ts::mean(ts::square(x - y));
  }
};
struct training_step {
  constexpr auto operator()(auto w, auto v, auto x) const {
    auto const [value, slopes] = ts::value_and_grad<0, 1>(loss{})(w, v, x);
    return std::tuple{w - std::get<0>(slopes) * 0.1f, v - std::get<1>(slopes) * 0.1f, value};
  }
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
// The least of several turns.
template <class F>
double least_seconds(F f, int turns) {
  double least = 1e9;
  for (int i = 0; i < turns; ++i) {
    double const start = processor_seconds();
    f();
    least = std::min(least, processor_seconds() - start);
  }
  return least;
}

// A program on blocks of its own memory.
class runnable {
public:
  explicit runnable(ts::growable_plan plan) : plan_(std::move(plan)), program_(plan_.view()) {
    ts::graph_view const local = plan_.view().local;
    auto const take = [&](std::vector<std::byte*>& at, int id) {
      auto const bytes = static_cast<std::size_t>(ts::storage_bytes(local[id].facts, *local.mesh));
      memory_.emplace_back(bytes / sizeof(float) + 1, 0.01f);
      at.push_back(reinterpret_cast<std::byte*>(memory_.back().data()));
    };
    for (int i = 0; i < local.input_count; ++i) take(in_, local.inputs[i]);
    for (int i = 0; i < local.output_count; ++i) take(out_, local.outputs[i]);
  }
  void operator()() const { program_.run(in_.data(), nullptr, out_.data()); }

private:
  ts::growable_plan plan_;
  ts::executable program_;
  std::vector<std::vector<float>> memory_;
  std::vector<std::byte*> in_, out_;
};

// Each device for itself.
template <class F, class... Args>
runnable unshared() {
  auto const traced = ts::trace_of<F, ts::signature_of<Args>...>::program.view();
  auto const laid = ts::partitioned(ts::growable_graph::copy_of(traced));
  return runnable(ts::make_plan(laid.view(), {.share = false, .fuse = false}));
}

struct measured_rates {
  ts::device_rates device;
  double sent = 0;  // bytes/s of an all_reduce
};
struct product {
  constexpr auto operator()(auto x, auto w) const { return ts::matmul(x, w); }
};
struct update {
  constexpr auto operator()(auto x, auto y) const { return x - y * 0.1f; }
};
struct column_sums {
  constexpr auto operator()(auto x) const { return ts::sum<0>(x); }
};
// Of one device, by a product, an update and an all_reduce, each a program as the others.
measured_rates measure_rates() {
  using one = ts::mesh<ts::auto_axis<dp, 1>>;
  using rows = ts::array_type<float, ts::shape<256, 256>, ts::P<>, one>;
  using columns = ts::array_type<float, ts::shape<256, 1024>, ts::P<>, one>;
  using wide = ts::array_type<float, ts::shape<1024, 1024>, ts::P<>, one>;
  using terms = ts::array_type<float, ts::shape<8, 1 << 18>, ts::P<>, grid>;
  constexpr auto summed = ts::jit<ts::in_shardings<ts::P<ts::axes<dp, mp>>>, ts::out_shardings<ts::P<>>>(column_sums{});
  using summed_type = std::remove_const_t<decltype(summed)>;
  measured_rates rates;
  auto const times = unshared<product, rows, columns>();
  rates.device.matrix_flops = 2.0 * 256 * 256 * 1024 / least_seconds([&] { times(); }, 50);
  auto const minus = unshared<update, wide, wide>();
  rates.device.memory_bytes = 3.0 * sizeof(float) * (1 << 20) / least_seconds([&] { minus(); }, 30);
  auto const sums = unshared<summed_type, terms>();
  auto const sent = static_cast<double>(ts::comm_of<summed_type, terms>.bytes());
  rates.sent = 8 * sent / least_seconds([&] { sums(); }, 30);
  return rates;
}

struct way {
  std::string name;
  double predicted = 0, measured = 0;  // milliseconds of all eight devices
};
template <class WSpec, class VSpec, class XSpec>
way tried(char const* name, measured_rates const& rates) {
  constexpr auto step =
      ts::jit<ts::in_shardings<WSpec, VSpec, XSpec>, ts::out_shardings<WSpec, VSpec, ts::P<>>>(training_step{});
  using F = std::remove_const_t<decltype(step)>;
  ts::fabric const memory{ts::network::switched, 0, rates.sent};
  auto const network = ts::topology<grid>{}.with<dp>({memory}).with<mp>({memory});
  way made{name};
  made.predicted = 8e3 * ts::predict(ts::work_of<F, W, V, X>, network, rates.device).total();
  auto const run = unshared<F, W, V, X>();
  made.measured = 1e3 * least_seconds([&] { run(); }, 15);
  return made;
}

}  // namespace

int main(int count, char** words) {
  ::setenv("KOKKOS_NUM_THREADS", "1", 1);  // rates and times are those of one thread
  ts::runtime const runtime;
  using ts::none;
  using ts::P;
  using both = ts::axes<dp, mp>;
  measured_rates const rates = measure_rates();
  std::printf("one thread: %.1f Gflops in products, %.1f GB/s of memory, %.1f GB/s sent\n",
              rates.device.matrix_flops / 1e9, rates.device.memory_bytes / 1e9, rates.sent / 1e9);
  std::vector<way> ways{tried<P<>, P<>, P<both>>("data parallel, 8", rates),
                        tried<P<none, mp>, P<mp>, P<dp>>("data parallel 4 x tensor 2", rates),
                        tried<P<none, both>, P<both>, P<>>("tensor, 8", rates),
                        tried<P<>, P<>, P<dp>>("data parallel 4, pairs do the same", rates),
                        tried<P<>, P<>, P<mp>>("data parallel 2, fours do the same", rates)};
  std::sort(ways.begin(), ways.end(), [](way const& x, way const& y) { return x.predicted < y.predicted; });
  std::printf("%-36s %14s %14s\n", "of eight devices, in predicted order", "predicted, ms", "measured, ms");
  bool same = true;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    std::printf("%-36s %14.1f %14.1f\n", ways[i].name.c_str(), ways[i].predicted, ways[i].measured);
    same = same && (i == 0 || ways[i - 1].measured <= ways[i].measured);
  }
  std::printf("the measured order is %s\n", same ? "the same" : "another one");
  return count > 1 && std::strcmp(words[1], "--strict") == 0 && !same;
}
