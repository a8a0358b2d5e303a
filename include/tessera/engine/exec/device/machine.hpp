// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of machine.hpp and of running_level: finds the machine's processor, cores and caches.

#include <tessera/engine/exec/device/levels.hpp>
#include <tessera/engine/exec/device/system_text.hpp>
#include <tessera/exec/device/machine.hpp>

#include <algorithm>
#include <fstream>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace tessera {

namespace detail {

TESSERA_COLD inline machine find_machine() {
  machine m;
  m.highest = processor_level();
  m.cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
#if defined(__linux__)
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) == 0) m.cores = std::max(1, CPU_COUNT(&usable));
  std::string const caches = "/sys/devices/system/cpu/cpu0/cache/index";
  for (int k = 0; k < 8; ++k) {
    std::string const at = caches + std::to_string(k) + '/';
    std::string const number = first_line(at + "level");
    if (number.empty()) break;
    if (first_line(at + "type") == "Instruction") continue;
    std::int64_t const bytes = bytes_of_text(first_line(at + "size"));
    if (number == "1") m.l1 = bytes;
    if (number == "2") m.l2 = bytes;
    if (number == "3") {
      m.l3 = bytes;
      m.cores_an_l3 = std::max(1, count_of_list(first_line(at + "shared_cpu_list")));
    }
  }
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) {
      m.processor = line.substr(std::min(line.size(), line.find(':') + 2));
      break;
    }
#endif
  return m;
}

#ifdef TESSERA_SEPARATE_ENGINE
TESSERA_ENGINE level running_level() {
  static level const chosen = std::min(processor_level(), level_from_environment());
  return chosen;
}
#endif

TESSERA_ENGINE machine const& this_machine() {
  static machine const found = find_machine();
  return found;
}

}  // namespace detail

}  // namespace tessera
