// SPDX-License-Identifier: Apache-2.0
// The MLP's step (W5) and the transformer block's gradient (W6) over 8 devices, which the processes that mpiexec starts
// share: one with two threads beside two of one thread each. Process 0 prints a line of JSON a case; results are compared with
// those of one process.
// usage: mpiexec -n N processes_steps [seconds a case] [round]

#include "../support/block.hpp"
#include "../support/mlp.hpp"
#include "timing.hpp"

#include <tessera/comm/mpi.hpp>
#include <tessera/comm/world/world.hpp>

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace cases;
namespace ml = cases::mlp_step;
namespace tr = cases::block_of_transformer;

int rank_, ranks, round_;
double seconds;

// Of all threads, waits that look for messages among it.
double processor_time() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  auto const seconds_of = [](timeval const& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
}

// step() is a tree of arrays.
template <class Step>
double difference_from_one(Step const& step) {
  if (ranks == 1 || round_ > 0) return 0;
  std::vector<float> wanted;
  ts::detail::join_world_as_thread(ts::alone());
  ts::tree_each(
      [&](auto const& x) {
        auto const values = x.to_host();
        wanted.insert(wanted.end(), values.begin(), values.end());
      },
      step());
  ts::detail::join_world_as_thread(nullptr);
  double worst = 0, largest = 0;
  std::size_t at = 0;
  ts::tree_each(
      [&](auto const& x) {
        for (float value : ts::process_allgather(x)) {
          worst = std::max<double>(worst, std::abs(value - wanted[at]));
          largest = std::max<double>(largest, std::abs(wanted[at++]));
        }
      },
      step());
  return worst / largest;
}
template <class Make>
void measure(char const* program, Make const& make) {
  double const error = difference_from_one([&] { return make()(); });
  auto const step = make();
  double one = 0;
  for (int i = 0; i < 3; ++i) one = processes::once(step);
  auto const samples = static_cast<std::size_t>(std::clamp(seconds / one, 3.0, 300.0));
  std::vector<double> took;
  double cpu = -processor_time();
  for (std::size_t i = 0; i < samples; ++i) took.push_back(processes::once(step));
  cpu = (cpu + processor_time()) / static_cast<double>(samples);
  MPI_Allreduce(MPI_IN_PLACE, &cpu, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank_ != 0) return;
  std::printf(
      "{\"peer\": \"tessera\", \"name\": \"processes.step\", \"params\": {\"program\": \"%s\", \"ranks\": %d}, "
      "\"round\": %d, \"median_s\": %.9g, \"quartiles_s\": [%.9g, %.9g], \"processor_s\": %.9g, \"check\": %g}\n",
      program, ranks, round_, processes::quantile(took, 0.5), processes::quantile(took, 0.25),
      processes::quantile(took, 0.75), cpu, error);
  std::fflush(stdout);
}

template <class M, class S1, class S2, class Sx, class Activation, bool Gather = false>
void mlp(char const* program) {
  measure(program, [] {
    auto const w1 = put<S1, M, ml::width, ml::hidden>(noises(0, ml::width * ml::hidden, 0.05f));
    auto const w2 = put<S2, M, ml::hidden, ml::width>(noises(1, ml::hidden * ml::width, 0.05f));
    auto const x = put<Sx, M, ml::batch, ml::width>(noises(2, ml::batch * ml::width, 1.7f));
    auto const y = put<Sx, M, ml::batch, ml::width>(noises(3, ml::batch * ml::width, 1.7f));
    return [=, p = std::tuple{w1, w2}] { return ts::jit<ml::step<Activation, Gather>>(p, x, y); };
  });
}

}  // namespace

int main(int argc, char** argv) {
  seconds = argc > 1 ? std::atof(argv[1]) : 1;
  round_ = argc > 2 ? std::atoi(argv[2]) : 0;
  auto all = ts::mpi_channel();
  rank_ = all->rank();
  ranks = all->size();
  ts::runtime const runtime{argc, argv, std::move(all), 8};
  using rows = ts::P<dp, ts::none>;
  using columns = ts::P<ts::none, mp>;
  using depth = ts::P<mp, ts::none>;
  mlp<grid<8, 1>, ml::none2, ml::none2, rows, rows>("mlp_dp");
  mlp<grid<1, 8>, columns, depth, ml::none2, ml::none2>("mlp_tp");
  mlp<grid<8, 1>, rows, rows, rows, rows, true>("mlp_fsdp");
  mlp<grid<4, 2>, columns, depth, rows, rows>("mlp_dp_mp");
  measure("block_gradient", [] {
    tr::block_inputs<> const in;
    return [p = in.parameters(), x = in.batches(in.host_x), weight = in.batches(in.host_weight)] {
      return ts::jit<tr::gradients>(p, x, weight);
    };
  });
}
