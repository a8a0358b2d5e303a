// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the environment says of a process that runs programs: TESSERA_DEVICES, and how OpenMP binds its threads.

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include <stdlib.h>

namespace tessera::detail {

// While it lives, OMP_PROC_BIND is false unless the user has said how threads are bound: what OpenMP does anyway, said so
// that Kokkos does not ask for it as it starts. Bound threads of two programs would share cores while others idle.
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

inline int devices_from_environment(int otherwise) {
  char const* text = std::getenv("TESSERA_DEVICES");
  if (!text || !*text) return otherwise;
  int count = 0;
  auto const [end, error] = std::from_chars(text, text + std::strlen(text), count);
  if (error != std::errc{} || *end || count < 1)
    throw std::invalid_argument(std::string("tessera: TESSERA_DEVICES is '") + text +
                                "'. Fix: a positive whole number of devices.");
  return count;
}

}  // namespace tessera::detail
