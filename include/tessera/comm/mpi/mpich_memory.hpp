// SPDX-License-Identifier: Apache-2.0
#pragma once
// MPICH's shared memory has a name until MPI_Finalize, and remains if a job ends before that. A mapped file that no
// process will open again needs no name. Linux lists the mapped files of a process.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace tessera::detail {

// The parts of Linux's device numbers. sys/sysmacros.h has them as macros, `major` and `minor`, which users' files would get.
constexpr unsigned major_number(unsigned long long device) {
  return static_cast<unsigned>((device >> 8 & 0xfff) | (device >> 32 & ~0xfffull));
}
constexpr unsigned minor_number(unsigned long long device) {
  return static_cast<unsigned>((device & 0xff) | (device >> 12 & ~0xffull));
}

struct named_memory {
  std::string path;
  unsigned major = 0, minor = 0;
  unsigned long long file = 0;
  bool operator==(named_memory const&) const = default;
};

// The shared memory of MPICH that this process has mapped.
inline std::vector<named_memory> mapped_mpi_memory() {
  std::vector<named_memory> found;
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return found;
  char line[1024];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    named_memory one;
    char access[8] = "";
    int path = 0;
    if (std::sscanf(line, "%*x-%*x %4s %*x %x:%x %llu %n", access, &one.major, &one.minor, &one.file, &path) < 4)
      continue;
    line[std::strcspn(line, "\n")] = 0;
    std::string_view const name(line + path);
    if (access[3] != 's' || !name.starts_with("/dev/shm/mpich_shm_") || name.find(' ') != name.npos) continue;
    one.path = name;
    if (std::find(found.begin(), found.end(), one) == found.end()) found.push_back(std::move(one));
  }
  std::fclose(maps);
  return found;
}

// What was mapped before MPI_Init, and whether this process called MPI_Init. Memory mapped since then belongs to that
// call.
struct mpi_memory {
  bool ours = false;
  std::vector<named_memory> before;

  static mpi_memory& get() {
    static auto* const it = new mpi_memory;
    return *it;
  }
};

// Called when all ranks of MPI_COMM_WORLD have mapped the memory, or when the job ends. Acts only if this process
// initialized MPI, and only on the mapped files themselves, which belong to this user.
inline void unname_mpi_memory() {
  auto const& known = mpi_memory::get();
  if (!known.ours) return;
  for (auto const& one : mapped_mpi_memory()) {
    struct stat now {};
    if (std::find(known.before.begin(), known.before.end(), one) == known.before.end() &&
        ::lstat(one.path.c_str(), &now) == 0 && S_ISREG(now.st_mode) && now.st_uid == ::geteuid() &&
        now.st_ino == one.file && major_number(now.st_dev) == one.major && minor_number(now.st_dev) == one.minor)
      ::unlink(one.path.c_str());
  }
}

}  // namespace tessera::detail
