// SPDX-License-Identifier: Apache-2.0
// Collectives over devices of several processes beside the MPI calls that move the same bytes between the same processes,
// in one run, taking turns. mpiexec starts it; process 0 prints a line of JSON a case. A sample is the slowest process' time
// between two barriers; results go into memory of their own, and are checked once. As 8 processes, of one device each, MPI's calls are those
// that do not wait, and the core is given away until they are done: its own waits spin.
// usage: mpiexec -n N processes_collectives [seconds a case] [round]

#include <tessera/tessera.hpp>

#include <tessera/api/processes.hpp>

#include "timing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

struct x : ts::axis {};
template <int Devices>
using line = ts::mesh<ts::explicit_axis<x, Devices>>;

int rank_, ranks, round_;
double seconds;

float value(int device, std::int64_t i) { return static_cast<float>((i * 7 + device * 13) % 64); }

using processes::once;

// Both, one after the other in each sample.
template <class Ours, class Theirs>
void compare(std::string const& name, int devices, std::int64_t kib, double error, Ours const& ours,
             Theirs const& theirs) {
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (error > 0) {
    if (rank_ == 0) std::fprintf(stderr, "%s: wrong by %g\n", name.c_str(), error);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  for (int i = 0; i < 3; ++i) ours(), theirs();
  double const one = std::max(once(ours, 1), once(theirs, 1));
  int const times = one < 50e-6 ? static_cast<int>(50e-6 / std::max(one, 1e-7)) + 1 : 1;
  int const samples = static_cast<int>(std::clamp(seconds / (2 * one * times), 15.0, 1000.0));
  std::vector<double> own, other, ratios;
  for (int i = 0; i < samples; ++i) {
    own.push_back(once(ours, times));
    other.push_back(once(theirs, times));
    ratios.push_back(own.back() / other.back());
  }
  if (rank_ != 0) return;
  using processes::quantile;
  for (auto const& [peer, median] : {std::pair{"tessera", quantile(own, 0.5)}, {"mpi", quantile(other, 0.5)}})
    std::printf(
        "{\"peer\": \"%s\", \"name\": \"processes.%s\", \"params\": {\"devices\": %d, \"kib\": %lld, \"ranks\": %d}, "
        "\"round\": %d, \"median_s\": %.9g, "
        "\"ratio\": %.4g, \"ratio_quartiles\": [%.4g, %.4g], \"check\": %g}\n",
        peer, name.c_str(), devices, static_cast<long long>(kib), ranks, round_, median, quantile(ratios, 0.5),
        quantile(ratios, 0.25), quantile(ratios, 0.75), error);
  std::fflush(stdout);
}

template <int Devices, std::int64_t Kib>
void cases() {
  constexpr std::int64_t n = Kib * 256;  // floats of a device's block
  auto const mesh = ts::make_mesh<line<Devices>>(ts::devices());
  std::vector<float> all(static_cast<std::size_t>(n * Devices));
  for (int d = 0; d < Devices; ++d)
    for (std::int64_t i = 0; i < n; ++i) all[d * n + i] = value(d, i);
  auto const v = ts::device_put<ts::P<x>>(ts::host<n * Devices>(all), mesh);
  int const held = Devices / ranks;
  // The same bytes for MPI: what a process sends for all its devices. With one device each it is the plain collective.
  std::vector<float> in(all.begin() + rank_ * held * n, all.begin() + (rank_ + 1) * held * n);
  std::vector<float> out(static_cast<std::size_t>(std::max<std::int64_t>(n * Devices, n * held)));
  auto const count = static_cast<int>(n);
  auto const gap = [&](auto const& got, auto const& want) {
    auto const whole = ts::process_allgather(got);
    double worst = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
      worst = std::max<double>(worst, std::abs(whole[i] - want(static_cast<std::int64_t>(i))));
    return worst;
  };
  auto const total = [&](std::int64_t i) {
    float sum = 0;
    for (int d = 0; d < Devices; ++d) sum += value(d, i);
    return sum;
  };

  auto const several = [&](auto const& waiting, auto const& started) {
    return [&, waiting, started] { ranks > 2 ? processes::finish_of(started) : waiting(); };
  };
  auto const everybody = MPI_COMM_WORLD;
  auto const psum = ts::jit(ts::shard_map<ts::out_specs<ts::P<>>>([](auto b) { return ts::psum<x>(b); }));
  compare(
      "psum", Devices, Kib, gap(psum(v), total), [&] { (void)psum(v); },
      several([&] { MPI_Allreduce(in.data(), out.data(), count, MPI_FLOAT, MPI_SUM, everybody); },
              [&](MPI_Request* r) { MPI_Iallreduce(in.data(), out.data(), count, MPI_FLOAT, MPI_SUM, everybody, r); }));
  auto const gather = ts::jit([](auto b) { return ts::reshard<ts::P<ts::none>>(b); });
  compare(
      "all_gather", Devices, Kib, gap(gather(v), [&](std::int64_t i) { return all[i]; }), [&] { (void)gather(v); },
      several(
          [&] { MPI_Allgather(in.data(), count * held, MPI_FLOAT, out.data(), count * held, MPI_FLOAT, everybody); },
          [&](MPI_Request* r) {
            MPI_Iallgather(in.data(), count * held, MPI_FLOAT, out.data(), count * held, MPI_FLOAT, everybody, r);
          }));
  auto const scatter =
      ts::jit(ts::shard_map<ts::out_specs<ts::P<x>>>([](auto b) { return ts::psum_scatter<x>(b, ts::tiled); }));
  compare(
      "psum_scatter", Devices, Kib, gap(scatter(v), total), [&] { (void)scatter(v); },
      several([&] { MPI_Reduce_scatter_block(in.data(), out.data(), count / ranks, MPI_FLOAT, MPI_SUM, everybody); },
              [&](MPI_Request* r) {
                MPI_Ireduce_scatter_block(in.data(), out.data(), count / ranks, MPI_FLOAT, MPI_SUM, everybody, r);
              }));
  auto const turn =
      ts::jit(ts::shard_map<ts::out_specs<ts::P<x>>>([](auto b) { return ts::ppermute<x>(b, ts::rotate<1>); }));
  int const next = (rank_ + 1) % ranks, former = (rank_ + ranks - 1) % ranks;
  compare(
      "ppermute", Devices, Kib,
      gap(turn(v), [&](std::int64_t i) { return value(static_cast<int>((i / n + Devices - 1) % Devices), i % n); }),
      [&] { (void)turn(v); },
      several(
          [&] {
            MPI_Sendrecv(in.data() + (held - 1) * n, count, MPI_FLOAT, next, 0, out.data(), count, MPI_FLOAT, former, 0,
                         everybody, MPI_STATUS_IGNORE);
          },
          [&](MPI_Request* r) {
            MPI_Request sent = MPI_REQUEST_NULL;
            MPI_Irecv(out.data(), count, MPI_FLOAT, former, 0, everybody, r);
            MPI_Isend(in.data() + (held - 1) * n, count, MPI_FLOAT, next, 0, everybody, &sent);
            processes::finish(sent);
          }));
  auto const exchange = ts::jit(ts::shard_map<ts::out_specs<ts::P<x>>>(
      [](auto b) { return ts::all_to_all<x>(b, ts::split_dim<0>, ts::concat_dim<0>, ts::tiled); }));
  compare(
      "all_to_all", Devices, Kib,
      gap(exchange(v),
          [&](std::int64_t i) {
            std::int64_t const d = i / n, from = i % n / (n / Devices), k = i % (n / Devices);
            return value(static_cast<int>(from), d * (n / Devices) + k);
          }),
      [&] { (void)exchange(v); },
      several(
          [&] {
            MPI_Alltoall(in.data(), count * held / ranks, MPI_FLOAT, out.data(), count * held / ranks, MPI_FLOAT,
                         everybody);
          },
          [&](MPI_Request* r) {
            MPI_Ialltoall(in.data(), count * held / ranks, MPI_FLOAT, out.data(), count * held / ranks, MPI_FLOAT,
                          everybody, r);
          }));
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv, 8};
  seconds = argc > 1 ? std::atof(argv[1]) : 0.4;
  round_ = argc > 2 ? std::atoi(argv[2]) : 0;
  rank_ = ts::process_index();
  ranks = ts::process_count();
  if (ranks != 2 && ranks != 8) {
    std::fprintf(stderr, "processes_collectives: started as %d processes, and is for 2 or 8.\n", ranks);
    return 1;
  }
  if (ranks == 2) {
    cases<2, 4>();
    cases<2, 256>();
    cases<2, 16384>();
  }
  cases<8, 4>();
  cases<8, 256>();
  cases<8, 4096>();
}
