// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the processes of an MPI job agree on when they meet, and how they end: each by itself, or all by an abort.

#include <tessera/comm/diagnosis/private_board.hpp>
#include <tessera/comm/diagnosis/shared_board.hpp>
#include <tessera/comm/diagnosis/wait.hpp>
#include <tessera/comm/mpi/types.hpp>
#include <tessera/comm/mpi/watch.hpp>

#include <algorithm>

namespace tessera::detail {

// Waits until a nonblocking MPI call is complete; throws at time `until`.
inline void mpi_finish(MPI_Request& pending, char const* what, double until) {
  for (int done = 0; !done;) {
    mpi_check("MPI_Test", MPI_Test(&pending, &done, MPI_STATUS_IGNORE));
    if (done) return;
    if (now() > until) {
      std::vector<int> missing;
      std::string const text = text_of_vain_wait(
          {}, "the processes of the job", std::string(" do not meet within their deadline, at ") + what + '.', missing);
      throw comm_error(text, message_kind::split, what, 0, std::move(missing));
    }
    std::this_thread::yield();
  }
}

// "MPICH 5.0.2", "Open MPI 5.0.11"
inline std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return "of unknown version";
  std::string_view line(text, length);
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

class mpi_job;

// The MPI state of this process.
class mpi_process {
public:
  static mpi_process& get() {
    static mpi_process* const it = new mpi_process;  // MPI_Finalize may come after the destructors of statics
    return *it;
  }
  static void initialize() {
    int done = 0;
    mpi_check("MPI_Finalized", MPI_Finalized(&done));
    if (done) throw std::logic_error("tessera: MPI was finalized. Fix: make channels before.");
    mpi_check("MPI_Initialized", MPI_Initialized(&done));
    if (done) return;
    mpi_memory::get().before = mapped_mpi_memory();
    mpi_memory::get().ours = true;
    int level = 0;
    {
      mpi_watch const watch("MPI_Init_thread", deadline_setting());
      mpi_check("MPI_Init_thread", MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level));
    }
    // All ranks of a host have mapped the memory before this version's MPI_Init returns.
    if (mpi_library().starts_with("MPICH 5.")) unname_mpi_memory();
    std::atexit([] {
      int gone = 0;
      MPI_Finalized(&gone);
      if (gone || get().ending) return;
      if (!get().broken.empty()) get().end_broken();
      MPI_Finalize();
    });
  }
  // Registers `part`, which MPI_Finalize calls before it ends anything.
  void part_first() {
    if (parts_) return;
    int key = MPI_KEYVAL_INVALID;
    mpi_check("MPI_Comm_create_keyval", MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &part, &key, nullptr));
    mpi_check("MPI_Comm_set_attr", MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr));
    MPI_Comm_free_keyval(&key);
    parts_ = true;
  }
  // Keeps a job until MPI_Finalize.
  void keep(std::shared_ptr<mpi_job> one) { jobs_.push_back(std::move(one)); }
  // MPI_Abort makes mpiexec close its pipes; what was printed must have passed through them before.
  [[noreturn]] void end() {
    std::fflush(nullptr);
    unname_mpi_memory();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ending = true;
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    std::_Exit(EXIT_FAILURE);
  }
  [[noreturn]] void end_broken() {
    std::fprintf(stderr, "tessera: process %lld ends the job, which it could not join: %s\n",
                 static_cast<long long>(::getpid()), broken.substr(0, broken.find('\n')).c_str());
    end();
  }

  mpi_ops ops;
  bool ending = false;  // MPI_Abort was called; it may call exit
  std::string broken;   // why this process could not join the others, which may wait for it

private:
  static int part(MPI_Comm, int, void*, void*);
  bool parts_ = false;
  std::vector<std::shared_ptr<mpi_job>> jobs_;
};

class mpi_job final : public job {
public:
  using job::job;
  [[noreturn]] void end() override { mpi_process::get().end(); }
  MPI_Comm last = MPI_COMM_NULL;  // for the last message
};

// Gathers `mine` from every rank. T has a fixed size.
template <class T>
std::vector<T> mpi_gathered(MPI_Comm comm, int ranks, T const& mine, char const* what, double until) {
  std::vector<T> all(ranks);
  MPI_Request pending = MPI_REQUEST_NULL;
  mpi_check("MPI_Iallgather",
            MPI_Iallgather(&mine, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, comm, &pending));
  mpi_finish(pending, what, until);
  return all;
}

// The host of each rank, and the ranks that see each other's processes and memory. MPI's own call for this blocks.
class mpi_hosts {
public:
  mpi_hosts(MPI_Comm comm, int rank, int ranks, double until) : comm_(comm), rank_(rank), ranks_(ranks), until_(until) {
    place mine{"", "", process_space()};
    std::snprintf(mine.name, sizeof mine.name, "%s", host_name().c_str());
    if (std::FILE* const file = std::fopen("/proc/sys/kernel/random/boot_id", "re")) {
      if (std::fgets(mine.boot, sizeof mine.boot, file) == nullptr) mine.boot[0] = 0;
      std::fclose(file);
    }
    places_ = mpi_gathered(comm, ranks, mine, "the names of hosts", until);
    std::vector<place const*> leaders;
    for (auto const& one : places_) {
      auto const known =
          std::find_if(leaders.begin(), leaders.end(), [&](place const* leader) { return one.same_host(*leader); });
      of_rank.push_back(static_cast<int>(known - leaders.begin()));
      if (known != leaders.end()) continue;
      leaders.push_back(&one);
      names.emplace_back(one.name);
    }
  }

  // One board for all ranks that share memory; if they cannot share it, one for each.
  std::shared_ptr<board> make_board() const {
    struct address {
      std::int64_t process;
      int file;
    };
    std::vector<int> here;
    for (int r = 0; r < ranks_; ++r)
      if (places_[r].same_space(places_[rank_])) here.push_back(r);
    shared_board::opened made;
    if (here[0] == rank_) made = shared_board::create(ranks_, here);
    auto const where = mpi_gathered(comm_, ranks_, address{::getpid(), made.file}, "the boards of hosts", until_);
    auto const& at = where[here[0]];
    if (here[0] != rank_) made = shared_board::open(at.process, at.file, ranks_);
    auto const good =
        mpi_gathered(comm_, ranks_, static_cast<char>(made.board != nullptr), "the boards of hosts", until_);
    if (made.file >= 0) ::close(made.file);
    bool const all = std::all_of(here.begin(), here.end(), [&](int r) { return good[r] != 0; });
    return all ? made.board : private_board::make(ranks_);
  }

  std::vector<int> of_rank;
  std::vector<std::string> names;

private:
  struct place {
    char name[60], boot[40];
    std::uint64_t space;
    bool same_host(place const& other) const {
      return std::strcmp(name, other.name) == 0 && std::strcmp(boot, other.boot) == 0;
    }
    bool same_space(place const& other) const { return same_host(other) && space == other.space; }
  };
  MPI_Comm comm_;
  int rank_, ranks_;
  double until_;
  std::vector<place> places_;
};

}  // namespace tessera::detail
