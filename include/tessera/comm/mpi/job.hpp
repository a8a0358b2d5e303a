// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the processes of an MPI job agree on when they meet, and how they part: together, or ended together.

#include <tessera/comm/mpi/types.hpp>
#include <tessera/comm/private_board.hpp>
#include <tessera/comm/shared_board.hpp>
#include <tessera/comm/wait.hpp>

#include <algorithm>

namespace tessera::detail {

// Until a call of MPI that does not wait is complete, or the deadline is over.
inline void mpi_finish(MPI_Request& pending, char const* what) {
  double const begin = now(), deadline = default_deadline();
  for (int done = 0; !done;) {
    mpi_check(MPI_Test(&pending, &done, MPI_STATUS_IGNORE));
    if (done) return;
    if (now() - begin > deadline) {
      std::string text = "tessera: the processes of the job do not meet within their deadline, at ";
      text += what;
      text += ". Fix: start all of them, and let all call mpi_channel.";
      throw comm_error(text, message_kind::split, what, 0, {});
    }
    std::this_thread::yield();
  }
}

class mpi_job;

// What this process has of MPI.
class mpi_process {
public:
  static mpi_process& get() {
    static mpi_process* const it = new mpi_process;  // MPI_Finalize may come after the destructors of statics
    return *it;
  }
  static void initialise() {
    int done = 0;
    MPI_Finalized(&done);
    if (done) throw std::logic_error("tessera: MPI was finalised. Fix: make channels before.");
    MPI_Initialized(&done);
    if (done) return;
    int level = 0;
    mpi_check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level));
    std::atexit([] {
      int gone = 0;
      MPI_Finalized(&gone);
      if (!gone) MPI_Finalize();
    });
  }
  // Jobs stay until MPI_Finalize, which ends them first.
  void keep(std::shared_ptr<mpi_job> one) {
    if (jobs_.empty()) {
      int key = MPI_KEYVAL_INVALID;
      mpi_check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &part, &key, nullptr));
      mpi_check(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr));
      MPI_Comm_free_keyval(&key);
    }
    jobs_.push_back(std::move(one));
  }

  mpi_ops ops;
  bool ending = false;  // by MPI_Abort, which may call exit

private:
  static int part(MPI_Comm, int, void*, void*);
  std::vector<std::shared_ptr<mpi_job>> jobs_;
};

// MPICH's shared memory keeps its name until MPI_Finalize, and stays for ever behind a job that is ended before. Linux says
// what is mapped; what nobody will open any more needs no name.
inline void unname_mpi_memory() {
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return;
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    line[std::strcspn(line, "\n")] = 0;
    char const* const path = std::strstr(line, "/dev/shm/mpich_shm_");
    if (path != nullptr && std::strchr(path, ' ') == nullptr) ::unlink(path);
  }
  std::fclose(maps);
}

class mpi_job final : public job {
public:
  using job::job;
  [[noreturn]] void end() override {
    std::fflush(nullptr);
    // What was printed must be through before mpiexec, which ends with this, ends its pipes.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    mpi_process::get().ending = true;
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    std::_Exit(EXIT_FAILURE);
  }
  MPI_Comm last = MPI_COMM_NULL;  // for the last message
};

// "MPICH 5.0.2", "Open MPI 5.0.11"
inline std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string_view line(text, static_cast<std::size_t>(length));
  line = line.substr(0, line.find_first_of(",\n"));
  std::string name;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t const begin = line.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find_first_of(" \t", begin), line.size());
    auto word = line.substr(begin, at - begin);
    if (word == "Version:") continue;
    if (word.size() > 1 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9') word.remove_prefix(1);
    if (!name.empty()) name += ' ';
    name += word;
  }
  return name;
}

// Every rank's `mine`, which is as long everywhere.
template <class T>
std::vector<T> mpi_gathered(MPI_Comm comm, int ranks, T const& mine, char const* what) {
  std::vector<T> all(static_cast<std::size_t>(ranks));
  MPI_Request pending = MPI_REQUEST_NULL;
  mpi_check(MPI_Iallgather(&mine, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, comm, &pending));
  mpi_finish(pending, what);
  return all;
}

// Which ranks share a host's memory.
class mpi_hosts {
public:
  mpi_hosts(MPI_Comm comm, int rank, int ranks) {
    mpi_check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here));
    MPI_Comm_rank(here, &rank_here);
    MPI_Comm_size(here, &ranks_here);
    leader = mpi_gathered(here, ranks_here, rank, "the ranks of a host")[0];
    struct place {
      int leader;
      char name[60];
    };
    place mine{leader, ""};
    std::snprintf(mine.name, sizeof mine.name, "%s", host_name().c_str());
    std::vector<int> leaders;
    for (auto const& one : mpi_gathered(comm, ranks, mine, "the names of hosts")) {
      auto const known = std::find(leaders.begin(), leaders.end(), one.leader);
      of_rank.push_back(static_cast<int>(known - leaders.begin()));
      if (known != leaders.end()) continue;
      leaders.push_back(one.leader);
      names.emplace_back(one.name);
    }
  }
  ~mpi_hosts() {
    if (here != MPI_COMM_NULL) MPI_Comm_free(&here);
  }
  mpi_hosts(mpi_hosts const&) = delete;
  mpi_hosts& operator=(mpi_hosts const&) = delete;

  // One for all ranks of this host; where it has no shared memory, one for each.
  std::shared_ptr<board> make_board(int ranks) const {
    struct shm_name {
      char text[64];
    };
    std::shared_ptr<board> made;
    shm_name name{""};
    if (rank_here == 0) {
      std::vector<int> rows;
      for (int rank = 0; rank < ranks; ++rank)
        if (of_rank[static_cast<std::size_t>(rank)] == of_rank[static_cast<std::size_t>(leader)]) rows.push_back(rank);
      std::snprintf(name.text, sizeof name.text, "%s", shared_board::new_name().c_str());
      made = shared_board::create(name.text, ranks, rows);
    }
    name = mpi_gathered(here, ranks_here, name, "the board of a host")[0];
    if (rank_here != 0) made = shared_board::open(name.text, ranks);
    auto const good = mpi_gathered(here, ranks_here, static_cast<char>(made != nullptr), "the board of a host");
    if (rank_here == 0) shared_board::remove(name.text);
    bool const all = std::find(good.begin(), good.end(), char{0}) == good.end();
    return all ? made : private_board::make(ranks);
  }

  std::vector<int> of_rank;
  std::vector<std::string> names;

private:
  MPI_Comm here = MPI_COMM_NULL;
  int rank_here = 0, ranks_here = 0, leader = 0;
};

}  // namespace tessera::detail
