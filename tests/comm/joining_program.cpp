// SPDX-License-Identifier: Apache-2.0
// joining_program [<rank> <how>] [lost]: ranks of an MPI job meet, send each other a few messages, divide, and part; one of them stops
// ("stop") or leaves ("exit") before it joins. "lost": errors are printed, and the end is as if all were well. mpi_joins.py asks what
// the others say of it.

#include <tessera/comm/mpi.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

void work(ts::channel& world) {
  double sum = 0, one = 1;
  world.all_reduce(&sum, &one, 1, ts::dtype::float64, ts::monoid::sum, "small, model.cpp:11").wait();
  auto const half = world.split(world.rank() / 2, 0, "half");
  half->all_reduce(&sum, &one, 1, ts::dtype::float64, ts::monoid::max, "half, model.cpp:12").wait();
  std::vector<float> in(40000, 1), out(40000 * static_cast<std::size_t>(world.size()));
  world.all_reduce(out.data(), in.data(), 40000, ts::dtype::float32, ts::monoid::max, "large, model.cpp:13").wait();
  world.all_gather(out.data(), in.data(), 40000, "gathered, model.cpp:14").wait();
  world.broadcast(in.data(), 40000, 0, "broadcast, model.cpp:15").wait();
  world.barrier("end, model.cpp:16").wait();
}

}  // namespace

int main(int argc, char** argv) {
  char const* rank = std::getenv("PMI_RANK");
  if (rank == nullptr) rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (argc > 2 && rank != nullptr && std::string(rank) == argv[1]) {
    if (std::string(argv[2]) == "stop") std::raise(SIGSTOP);
    if (std::string(argv[2]) == "exit") return 0;
  }
  try {
    auto const world = ts::mpi_channel();
    work(*world);
    std::printf("rank %d is through\n", world->rank());
  } catch (std::exception const& error) {
    std::fprintf(stderr, "caught: %s\n", error.what());
    return std::find(argv, argv + argc, std::string("lost")) == argv + argc;
  }
}
