// SPDX-License-Identifier: Apache-2.0
// failing_program <failure> [caught]: ranks of an MPI job add numbers, and one of them fails as it is told. mpi_failures.py asks
// what the others say of it.

#include <tessera/comm/mpi.hpp>

#include <csignal>
#include <cstdio>
#include <string>

#include <sys/time.h>

namespace ts = tessera;

namespace {

constexpr int bad = 1, step = 5;

[[noreturn]] void sleep_forever() {
  for (;;) ::sleep(1000);
}

void fail(std::string const& how) {
  if (how == "kill") std::raise(SIGKILL);
  if (how == "stop") std::raise(SIGSTOP);
  if (how == "exit") std::exit(0);
  if (how == "quick_exit") std::_Exit(7);
  if (how == "throw") throw std::runtime_error("no such file");
  if (how == "stuck") sleep_forever();
}

// FAILURE (kill, stop) of FAILING_RANK, FAILING_AFTER microseconds from now.
void fail_later(int rank) {
  char const* const who = std::getenv("FAILING_RANK");
  if (who == nullptr || std::atoi(who) != rank) return;
  bool const kill = std::string(std::getenv("FAILURE")) == "kill";
  std::signal(
      SIGALRM, kill ? +[](int) { std::raise(SIGKILL); } : +[](int) { std::raise(SIGSTOP); });
  itimerval when{};
  when.it_value.tv_usec = std::atoi(std::getenv("FAILING_AFTER"));
  ::setitimer(ITIMER_REAL, &when, nullptr);
}

void work(ts::channel& world, std::string const& how) {
  fail_later(world.rank());
  auto const half = world.split(world.rank() / 2, 0, "half");
  double sum = 0, one = 1;
  for (int i = 0; i < 1000000; ++i) {
    if (world.rank() == bad && i == step) {
      fail(how);
      if (how == "different") world.barrier("something else, model.cpp:99").wait();
      if (how == "longer") {
        double two[2]{};
        world.all_reduce(two, two, 2, ts::dtype::float64, ts::monoid::sum, "loss, model.cpp:31").wait();
      }
    }
    half->all_reduce(&sum, &one, 1, ts::dtype::float64, ts::monoid::sum, "gradients, model.cpp:17").wait();
    world.all_reduce(&sum, &one, 1, ts::dtype::float64, ts::monoid::sum, "loss, model.cpp:31").wait();
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string const how = argc > 1 ? argv[1] : "";
  auto const world = ts::mpi_channel();
  if (argc > 2) {  // the error is printed and lost
    try {
      work(*world, how);
    } catch (std::exception const& error) {
      std::fprintf(stderr, "rank %d caught: %s\n", world->rank(), error.what());
    }
    return 0;
  }
  try {
    work(*world, how);
  } catch (ts::comm_error const& error) {
    world->abort(error.what());
  }
}
