// SPDX-License-Identifier: Apache-2.0
#pragma once
// The environment's settings for threads: how OpenMP binds them, and how many there are.

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include <stdlib.h>

namespace tessera::detail {

// During its lifetime, OMP_PROC_BIND is false unless the user has chosen a binding. This is OpenMP's default; if it is
// set explicitly, Kokkos does not print a warning at its start. Bound threads of two programs would share cores while
// others idle.
class unbound_threads {
public:
  unbound_threads() {
    for (char const* said : {name, "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"})
      if (std::getenv(said)) return;
    ours_ = setenv(name, "false", 1) == 0;
  }
  ~unbound_threads() {
    if (ours_) unsetenv(name);
  }
  unbound_threads(unbound_threads const&) = delete;
  unbound_threads& operator=(unbound_threads const&) = delete;

private:
  static constexpr char const* name = "OMP_PROC_BIND";
  bool ours_ = false;
};

// Throws if the environment or the arguments set more threads than Kokkos supports (`most`; 0: no limit), which Kokkos
// does not check.
inline void check_threads(int most, int argc, char const* const* argv) {
  if (most <= 0) return;
  auto const check = [&](std::string const& name, char const* text) {
    char* end = nullptr;
    if (long const threads = std::strtol(text, &end, 10); end != text && threads > most)
      throw std::invalid_argument("tessera: " + name + " is '" + text + "'. Fix: at most " + std::to_string(most) +
                                  " threads in a process, which is what Kokkos has room for.");
  };
  constexpr std::string_view option = "--kokkos-num-threads=";
  for (int k = 1; k < argc; ++k)
    if (argv[k] && std::string_view(argv[k]).starts_with(option))
      return check(std::string(option.substr(0, option.size() - 1)), argv[k] + option.size());
  for (char const* name : {"KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"})
    if (char const* const text = std::getenv(name); text && *text) return check(name, text);
}

}  // namespace tessera::detail
