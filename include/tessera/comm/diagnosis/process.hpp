// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether another process of this host is alive, according to the operating system.

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

namespace tessera::detail {

enum class process_life : std::uint8_t { runs, stopped, ended };

struct process_status {
  process_life life = process_life::ended;
  std::int64_t begin = 0;   // start time in the system's ticks, since process numbers are reused
  std::int64_t parent = 0;  // 0: not known
};

// The status of a process that this one can see.
inline process_status status_of(std::int64_t process) {
  char path[48];
  std::snprintf(path, sizeof path, "/proc/%lld/stat", static_cast<long long>(process));
  if (std::FILE* const file = std::fopen(path, "re")) {
    char text[1024];
    std::size_t const length = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    text[length] = 0;
    char* at = std::strrchr(text, ')');  // the program's name may hold anything
    if (at == nullptr || length == 0) return {};
    at += 2;
    process_status status;
    status.life = *at == 'Z' || *at == 'X'   ? process_life::ended
                  : *at == 'T' || *at == 't' ? process_life::stopped
                                             : process_life::runs;
    for (int field = 3; field < 22 && at != nullptr; ++field) {
      at = std::strchr(at, ' ');
      if (at != nullptr) ++at;
      if (at != nullptr && field == 3) status.parent = std::atoll(at);
    }
    if (at != nullptr) status.begin = std::atoll(at);
    return status;
  }
  // No /proc on this system, or no such process.
  bool const there = ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
  return {there ? process_life::runs : process_life::ended, 0, 0};
}

// Equal for processes in the same PID namespace; each container has its own.
inline std::uint64_t process_space() {
  struct stat what {};
  return ::stat("/proc/self/ns/pid", &what) == 0 ? static_cast<std::uint64_t>(what.st_ino) : 1;
}

}  // namespace tessera::detail
