// SPDX-License-Identifier: Apache-2.0
// What it gives that messages go on while the program computes: a training step whose gradients are summed behind the rest of
// the backward pass, and one whose layers are gathered (FSDP) before they are needed. Each as it is ("full"), with messages
// looked at between steps only ("steps"), and with messages waited for where they are started ("none"), in turns; between
// processes of this machine, and as if a network of so many megabytes a second were between them.
// mpiexec starts it; process 0 prints a line of JSON a case. A sample is the slowest process' time between two barriers.
// usage: mpiexec -n N processes_overlap [seconds a case] [round] [megabytes a second, or 0: none but MPI] [program]

#include <tessera/tessera.hpp>

#include <tessera/api/processes.hpp>
#include <tessera/exec/device/under_way.hpp>

#include "slow_network.hpp"
#include "timing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 8>>;

constexpr std::int64_t batch = 1024, width = 512;
constexpr std::size_t layers = 6;
constexpr float rate = 0.1f;

template <bool Gather>
struct loss {
  template <std::size_t K = 0>
  static constexpr auto through(auto const& p, auto h) {
    if constexpr (K == layers)
      return h;
    else if constexpr (Gather)
      return through<K + 1>(p, ts::tanh(ts::matmul(h, ts::reshard<ts::P<ts::reduced<dp>>>(std::get<K>(p)))));
    else
      return through<K + 1>(p, ts::tanh(ts::matmul(h, std::get<K>(p))));
  }
  constexpr auto operator()(auto p, auto x, auto y) const {
    auto const off = through(p, x) - y;
    return ts::mean(off * off);
  }
};
template <bool Gather>
struct step {
  constexpr auto operator()(auto p, auto x, auto y) const {
    return ts::tree_map([](auto old, auto g) { return old - rate * g; }, p, ts::grad(loss<Gather>{})(p, x, y));
  }
};

int rank_, ranks, round_;
double seconds;

using ts::detail::message_overlap;
constexpr std::array<std::pair<message_overlap, char const*>, 3> modes{
    {{message_overlap::none, "none"}, {message_overlap::steps, "steps"}, {message_overlap::full, "full"}}};

template <bool Gather, class S>
void measure(char const* program, double megabytes) {
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const wave = [](std::int64_t n, float scale) {
    std::vector<float> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = scale * std::sin(static_cast<float>(i % 9973));
    return v;
  };
  auto const x = ts::device_put<ts::P<dp>>(ts::host<batch, width>(wave(batch * width, 1.0f)), mesh);
  auto const y = ts::device_put<ts::P<dp>>(ts::host<batch, width>(wave(batch * width, 0.5f)), mesh);
  auto const w = ts::device_put<S>(ts::host<width, width>(wave(width * width, 0.05f)), mesh);
  auto const first = std::tuple{w, w, w, w, w, w};
  static_assert(std::tuple_size_v<decltype(first)> == layers);
  auto const run = ts::jit(step<Gather>{});

  // All ways give the same bits.
  auto const after = [&](message_overlap how) {
    ts::detail::overlap = how;
    auto const all = ts::process_allgather(std::get<0>(run(first, x, y)));
    return std::vector<float>(all.begin(), all.end());
  };
  auto const plain = after(message_overlap::none);
  for (auto const& [how, name] : modes)
    if (after(how) != plain) {
      std::fprintf(stderr, "%s: other values when messages overlap (%s)\n", program, name);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }

  auto p = first;
  auto const call = [&] { p = run(p, x, y); };
  double const one = processes::once(call);
  auto const samples = static_cast<std::size_t>(std::clamp(seconds / (3 * one), 3.0, 300.0));
  std::array<std::vector<double>, modes.size()> took, ratios;
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t m = 0; m < modes.size(); ++m) {
      ts::detail::overlap = modes[m].first;
      took[m].push_back(processes::once(call));
    }
    for (std::size_t m = 0; m < modes.size(); ++m) ratios[m].push_back(took[m].back() / took[0].back());
  }
  ts::detail::overlap = message_overlap::full;
  if (rank_ != 0) return;
  for (std::size_t m = 0; m < modes.size(); ++m)
    std::printf(
        "{\"peer\": \"tessera\", \"name\": \"processes.overlap\", \"params\": {\"program\": \"%s\", \"overlap\": \"%s\", "
        "\"mb_s\": %g, \"ranks\": %d}, \"round\": %d, \"median_s\": %.9g, \"ratio\": %.4g, "
        "\"ratio_quartiles\": [%.4g, %.4g], \"check\": 0}\n",
        program, modes[m].second, megabytes, ranks, round_, processes::quantile(took[m], 0.5),
        processes::quantile(ratios[m], 0.5), processes::quantile(ratios[m], 0.25),
        processes::quantile(ratios[m], 0.75));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  seconds = argc > 1 ? std::atof(argv[1]) : 1;
  round_ = argc > 2 ? std::atoi(argv[2]) : 0;
  double const megabytes = argc > 3 ? std::atof(argv[3]) : 0;
  std::string const chosen = argc > 4 ? argv[4] : "";
  auto all = ts::mpi_channel();
  static slow_network::link network{20e-6, megabytes * 1e6};
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  rank_ = all->rank();
  ranks = all->size();
  auto used = megabytes > 0 && ranks > 1
                  ? std::static_pointer_cast<ts::channel>(std::make_shared<slow_network::channel>(*all, own, network))
                  : all;
  {
    ts::runtime const runtime{argc, argv, std::move(used), 8};
    if (chosen.empty() || chosen == "gradients") measure<false, ts::P<>>("gradients", megabytes);
    if (chosen.empty() || chosen == "fsdp") measure<true, ts::P<dp>>("fsdp", megabytes);
  }
  MPI_Comm_free(&own);
}
