// SPDX-License-Identifier: Apache-2.0
// saving_program save <folder>: processes save one state after the other, until one of them, KILLED_RANK, ends itself after
// KILLED_AFTER microseconds. saving_program check <folder>: restores what is there, and prints its turn. killed_ranks.py runs both.

#include <tessera/api/processes.hpp>
#include <tessera/checkpoint.hpp>
#include <tessera/comm/mpi.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <tuple>
#include <vector>

#include <sys/time.h>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
constexpr std::int64_t side = 256;

auto state_of(int turn) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  std::vector<float> const values(side * side, static_cast<float>(turn));
  auto const whole = ts::host<side, side>(values);
  return std::tuple{ts::device_put<ts::P<dp, mp>>(whole, mesh), ts::device_put<ts::P<ts::none, dp>>(whole, mesh),
                    ts::device_put<ts::P<>>(whole, mesh), turn};
}

void end_later(int rank) {
  char const* const who = std::getenv("KILLED_RANK");
  if (!who || std::atoi(who) != rank) return;
  std::signal(
      SIGALRM, +[](int) { std::raise(SIGKILL); });
  itimerval when{};
  when.it_value.tv_usec = std::atoi(std::getenv("KILLED_AFTER"));
  ::setitimer(ITIMER_REAL, &when, nullptr);
}

void save(std::string const& folder) {
  int turn = ts::broadcast_one_to_all(std::atoi(std::getenv("FIRST_TURN")));
  ts::save(folder, state_of(turn));
  end_later(ts::process_index());
  for (++turn;; ++turn) {
    if (turn % 2 == 0) {
      ts::save(folder, state_of(turn));
    } else {
      auto saving = ts::save_async(folder, state_of(turn));
      saving.wait();
    }
  }
}

int check(std::string const& folder) {
  auto const state = ts::restore(folder, state_of(0));
  int const turn = std::get<3>(state);
  bool same = true;
  auto const look = [&](auto const& x) {
    for (float v : ts::process_allgather(x)) same = same && v == static_cast<float>(turn);
  };
  look(std::get<0>(state));
  look(std::get<1>(state));
  look(std::get<2>(state));
  if (ts::process_index() == 0) std::printf("turn %d %s\n", turn, same ? "whole" : "mixed");
  return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    ts::runtime const runtime{argc, argv};
    std::string const action = argv[1], folder = argv[2];
    if (action == "check") return check(folder);
    save(folder);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
