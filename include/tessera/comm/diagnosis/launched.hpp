// SPDX-License-Identifier: Apache-2.0
#pragma once
// The processes of this job on this host, found without their help: mpiexec and srun put each rank into the process's
// environment, which Linux shows to processes of the same user. So errors can name processes that have not joined.

#include <tessera/base/text.hpp>
#include <tessera/comm/diagnosis/private_board.hpp>
#include <tessera/comm/diagnosis/process.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <dirent.h>

namespace tessera::detail {

// The environment variables in which a launcher gives a process its rank, the number of ranks, and the number on its
// host.
struct launcher_names {
  char const *rank, *size, *here;
};
inline constexpr launcher_names launchers[]{
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", nullptr},
    {"PMIX_RANK", "PMIX_SIZE", nullptr}};

// The name of the thread that a process has while it waits for the other processes of its job.
inline constexpr char joining_thread[] = "tessera joins";

struct launched_process {
  int rank = 0;
  std::int64_t process = 0;
  process_status status{};
  bool joins = false;  // waits for the others
  bool alike = false;  // runs the same program as this process
  std::string program;
};

class launched_job {
public:
  launched_job() {
    for (auto const& one : launchers) {
      char const* const rank = std::getenv(one.rank);
      if (rank == nullptr || *rank == 0) continue;
      names_ = &one;
      rank_ = std::atoi(rank);
      auto const number = [](char const* name) {
        char const* const text = name == nullptr ? nullptr : std::getenv(name);
        return text == nullptr ? 0 : std::atoi(text);
      };
      size_ = number(one.size);
      here_ = number(one.here);
      launcher_ = launcher_of(::getpid());
      return;
    }
  }

  bool known() const { return names_ != nullptr && launcher_ > 0; }
  int rank() const { return rank_; }
  int size() const { return size_; }  // 0: not known
  bool all_here() const { return size_ > 0 && here_ == size_; }

  // One process per other rank on this host, in order of ranks.
  std::vector<launched_process> others() const {
    std::vector<launched_process> found;
    if (!known()) return found;
    std::string const own = target("/proc/self/exe");
    for (std::string const& name : names_in("/proc")) {
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      launched_process one;
      one.process = std::atoll(name.c_str());
      if (!rank_of(one.process, one.rank) || one.rank == rank_ || launcher_of(one.process) != launcher_) continue;
      one.status = status_of(one.process);
      if (one.status.life == process_life::ended) continue;
      std::string const folder = "/proc/" + name, program = target(folder + "/exe");
      one.alike = program == own;
      one.program = program.substr(program.rfind('/') + 1);
      for (std::string const& thread : names_in(folder + "/task"))
        one.joins = one.joins || content(folder + "/task/" + thread + "/comm") == std::string(joining_thread) + '\n';
      found.push_back(one);
    }
    // A shell that started the program has the same rank.
    std::sort(found.begin(), found.end(), [](auto const& l, auto const& r) {
      if (l.rank != r.rank) return l.rank < r.rank;
      if (l.joins != r.joins) return l.joins;
      return l.alike != r.alike ? l.alike : l.process > r.process;
    });
    found.erase(std::unique(found.begin(), found.end(), [](auto const& l, auto const& r) { return l.rank == r.rank; }),
                found.end());
    return found;
  }

private:
  static std::string content(std::string const& path) {
    std::string text;
    std::FILE* const file = std::fopen(path.c_str(), "re");
    if (file == nullptr) return text;
    char part[4096];
    for (std::size_t got = 0; (got = std::fread(part, 1, sizeof part, file)) > 0;) text.append(part, got);
    std::fclose(file);
    return text;
  }
  static std::string target(std::string const& link) {
    char path[1024];
    auto const length = ::readlink(link.c_str(), path, sizeof path);
    return {path, length < 0 ? 0 : static_cast<std::size_t>(length)};
  }
  static std::vector<std::string> names_in(std::string const& folder) {
    std::vector<std::string> names;
    std::unique_ptr<DIR, int (*)(DIR*)> const open(::opendir(folder.c_str()),
                                                   [](DIR* d) { return d ? ::closedir(d) : 0; });
    if (!open) return names;
    while (dirent const* const one = ::readdir(open.get()))
      if (one->d_name[0] != '.') names.emplace_back(one->d_name);
    return names;
  }
  bool rank_of(std::int64_t process, int& rank) const {
    std::string path = "/proc/";
    append_number(path, process);
    std::string text(1, '\0');
    text += content(path + "/environ");
    std::string name(1, '\0');
    name += names_->rank;
    name += '=';
    auto const at = text.find(name);
    if (at == std::string::npos) return false;
    rank = std::atoi(text.c_str() + at + name.size());
    return true;
  }
  // The nearest ancestor of a process that has no rank: the launcher.
  std::int64_t launcher_of(std::int64_t process) const {
    int rank = 0;
    for (int depth = 0; depth < 64 && process > 1; ++depth) {
      if (!rank_of(process, rank)) return process;
      process = status_of(process).parent;
    }
    return process;
  }

  launcher_names const* names_ = nullptr;
  int rank_ = 0, size_ = 0, here_ = 0;
  std::int64_t launcher_ = 0;
};

}  // namespace tessera::detail
