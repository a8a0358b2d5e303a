// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the benchmark programs share: inputs, the measuring loop with its counters, and the check of every result.
// A case is named as the peers name it, "W1.elementwise n=256 abc=vector"; compare.py joins them by that.

#include "heap.hpp"
#include "inputs.hpp"

#include <tessera/tessera.hpp>

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cases {

namespace ts = tessera;

// What ts::gelu approximates, in double.
inline double gelu_of(double z) { return 0.5 * z * (1 + std::tanh(0.7978845608028654 * (z + 0.044715 * z * z * z))); }

// The largest difference seen between what a program computed and what was expected, as the peers' scripts measure it:
// relative to the largest magnitude expected.
class difference {
public:
  void add(double got, double expected) {
    worst_ = std::isnan(got) ? std::numeric_limits<double>::infinity() : std::max(worst_, std::abs(got - expected));
    largest_ = std::max(largest_, std::abs(expected));
    ++count_;
  }
  double relative() const {
    return count_ ? worst_ / std::max(largest_, 1e-30) : std::numeric_limits<double>::infinity();
  }

private:
  double worst_ = 0, largest_ = 0;
  std::size_t count_ = 0;
};

inline long page_faults() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return use.ru_minflt;
}

// What `calls` of something cost in countable things.
struct cost_of_calls {
  long faults;               // minor page faults
  std::int64_t allocations;  // blocks taken from the system by the pool
  std::int64_t news;         // operator new
  std::int64_t launches;     // parallel regions
  std::int64_t steps;        // with those run inline
};
template <class F>
cost_of_calls count_calls(int calls, F&& call) {
  auto const memory = ts::memory_in_use();
  auto const launched = ts::launches_so_far();
  auto const news = heap_allocations();
  auto const faults = page_faults();
  for (int k = 0; k < calls; ++k) call();
  cost_of_calls cost{};
  cost.faults = page_faults() - faults;
  cost.news = heap_allocations() - news;
  cost.allocations = ts::memory_in_use().system_allocations - memory.system_allocations;
  cost.launches = ts::launches_so_far().launches - launched.launches;
  cost.steps = ts::launches_so_far().steps() - launched.steps();
  return cost;
}

// Measures `call` warm. `wrong()` is the difference of its result to an expected one, found once per program and case;
// a case whose difference exceeds `tolerance` reports an error in place of a time.
template <class Call, class Wrong>
void measure(benchmark::State& state, std::string const& name, double tolerance, Call&& call, Wrong&& wrong) {
  static std::map<std::string, double> checked;
  if (!checked.contains(name)) checked[name] = wrong();
  if (!(checked[name] <= tolerance)) {
    state.SkipWithError(("wrong result: " + std::to_string(checked[name])).c_str());
    return;
  }
  for (int k = 0; k < 3; ++k) call();
  for (auto _ : state) call();
  auto const once = count_calls(1, call);
  state.counters["check"] = checked[name];
  state.counters["news"] = static_cast<double>(once.news);
  state.counters["launches"] = static_cast<double>(once.launches);
  state.counters["steps"] = static_cast<double>(once.steps);
}

// The countable costs of 100 warm calls instead of a time: goal 18.
template <class Call>
void count_warm(benchmark::State& state, Call&& call, int calls = 100) {
  count_calls(5, call);  // warm: the counting code, too, whose pages fault when they are first run
  auto const cost = count_calls(calls, call);
  for (auto _ : state) call();
  state.counters["calls"] = calls;
  state.counters["faults"] = static_cast<double>(cost.faults);
  state.counters["allocations"] = static_cast<double>(cost.allocations);
  state.counters["news"] = static_cast<double>(cost.news) / calls;
}

// A case runs when its name is chosen: the time of one call, on the wall.
template <class F>
void add(std::string const& name, F run) {
  benchmark::RegisterBenchmark(name.c_str(), [name, run](benchmark::State& state) { run(state, name); })
      ->Unit(benchmark::kMicrosecond)
      ->UseRealTime();
}

// A case that counts and is not timed: once is enough.
template <class F>
void add_count(std::string const& name, F run) {
  benchmark::RegisterBenchmark(name.c_str(), [name, run](benchmark::State& state) { run(state, name); })
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(1)
      ->Repetitions(1)
      ->UseRealTime();
}

// `largest` is the number of devices that the largest mesh of the program needs. --environment: what it was compiled for and
// runs on, and no case.
template <class Register>
int main_of(int argc, char** argv, int largest, Register&& register_all) {
  benchmark::Initialize(&argc, argv);
  ts::runtime const runtime{argc, argv, largest};
  for (int k = 1; k < argc; ++k)
    if (std::string_view(argv[k]) == "--environment") {
      ts::print_environment_info();
      return 0;
    }
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace cases
