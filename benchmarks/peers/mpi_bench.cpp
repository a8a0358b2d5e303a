// SPDX-License-Identifier: Apache-2.0
// mpi_bench.cpp -- the W3 collectives (and W7's scalar psum) with MPI, over all ranks of the job.  Rank 0 prints one
// JSON line a figure.  A sample is the slowest rank's time between two barriers; results land in a second buffer, as
// value semantics would have it.
//
// usage: mpirun -n N mpi_bench PEER_NAME [budget seconds] [round]
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {
int rank, n, round_no;
double budget;
std::string peer;

// value of element i of device d's buffer: small integers, so that sums are exact
float val(int d, long i) { return float((i * 7 + d * 13) % 64); }

template <class F>
void time_it(const std::string& name, const std::string& params, F&& call, double bytes, double flops, double err) {
  MPI_Allreduce(MPI_IN_PLACE, &err, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (err > 0) {
    if (rank == 0)
      std::fprintf(stderr, "%s %s %s: wrong result, error %g\n", peer.c_str(), name.c_str(), params.c_str(), err);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double t0 = MPI_Wtime();
  call();
  double one = MPI_Wtime() - t0;
  MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  const int reps = int(std::clamp(budget / std::max(one, 1e-6), 5.0, 2000.0));
  const int inner = one < 50e-6 ? int(50e-6 / std::max(one, 1e-7)) + 1 : 1;
  std::vector<double> t(reps);
  for (auto& s : t) {
    MPI_Barrier(MPI_COMM_WORLD);
    t0 = MPI_Wtime();
    for (int i = 0; i < inner; ++i) call();
    s = (MPI_Wtime() - t0) / inner;
  }
  MPI_Allreduce(MPI_IN_PLACE, t.data(), reps, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank) return;
  std::sort(t.begin(), t.end());
  std::printf(
      "{\"peer\":\"%s\",\"name\":\"%s\",\"params\":{%s},\"round\":%d,\"median_s\":%.9g,\"min_s\":%.9g,\"p90_s\":%.9g,"
      "\"reps\":%d,\"bytes\":%.0f,\"flops\":%.0f,\"check\":%g}\n",
      peer.c_str(), name.c_str(), params.c_str(), round_no, t[reps / 2], t[0], t[reps * 9 / 10], reps * inner, bytes,
      flops, err);
  std::fflush(stdout);
}
}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  peer = argc > 1 ? argv[1] : "mpi";
  budget = argc > 2 ? std::atof(argv[2]) : 0.4;
  round_no = argc > 3 ? std::atoi(argv[3]) : 0;
  const int next = (rank + 1) % n, prev = (rank + n - 1) % n;
  for (long kib : {4L, 256L, 16384L}) {
    const long e = kib * 256, blk = e / n;
    const double s = 4.0 * e;
    std::vector<float> in(e), out(e), whole(e * n);
    for (long i = 0; i < e; ++i) in[i] = val(rank, i);
    auto sum = [&](long i) {
      float t = 0;
      for (int d = 0; d < n; ++d) t += val(d, i);
      return t;
    };
    auto worst = [&](const float* got, long count, auto&& want) {
      double w = 0;
      for (long i = 0; i < count; ++i) w = std::max(w, std::fabs(double(got[i]) - want(i)));
      return w;
    };
    const std::string params = "\"n\":" + std::to_string(n) + ",\"kib\":" + std::to_string(kib);

    auto psum = [&] { MPI_Allreduce(in.data(), out.data(), int(e), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); };
    psum();
    time_it("W3.psum", params, psum, 2 * n * s, double(n - 1) * e, worst(out.data(), e, sum));

    auto gather = [&] { MPI_Allgather(in.data(), int(e), MPI_FLOAT, whole.data(), int(e), MPI_FLOAT, MPI_COMM_WORLD); };
    gather();
    time_it("W3.all_gather", params, gather, (1.0 * n + n * n) * s, 0,
            worst(whole.data(), e * n, [&](long i) { return val(int(i / e), i % e); }));

    auto scatter = [&] {
      MPI_Reduce_scatter_block(in.data(), out.data(), int(blk), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    };
    scatter();
    time_it("W3.psum_scatter", params, scatter, (n + 1) * s, double(n - 1) * e,
            worst(out.data(), blk, [&](long i) { return sum(rank * blk + i); }));

    auto a2a = [&] { MPI_Alltoall(in.data(), int(blk), MPI_FLOAT, out.data(), int(blk), MPI_FLOAT, MPI_COMM_WORLD); };
    a2a();
    time_it("W3.all_to_all", params, a2a, 2 * n * s, 0,
            worst(out.data(), e, [&](long i) { return val(int(i / blk), rank * blk + i % blk); }));

    auto ring = [&] {
      MPI_Sendrecv(in.data(), int(e), MPI_FLOAT, next, 0, out.data(), int(e), MPI_FLOAT, prev, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    };
    ring();
    time_it("W3.ppermute", params, ring, 2 * n * s, 0, worst(out.data(), e, [&](long i) { return val(prev, i); }));
  }
  float one = float(rank), all = 0;
  auto scalar = [&] { MPI_Allreduce(&one, &all, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); };
  scalar();
  time_it("W7.psum_scalar", "\"n\":" + std::to_string(n), scalar, 4.0 * n, n, std::fabs(all - n * (n - 1) / 2.0));
  MPI_Finalize();
}
