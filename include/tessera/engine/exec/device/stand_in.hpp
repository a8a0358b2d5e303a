// SPDX-License-Identifier: Apache-2.0
#pragma once
// The stand-in card: a range of addresses that host code cannot access. A thread that copies or runs kernels opens each
// block on its first access.

#include <tessera/engine/exec/device/stand_in_team.hpp>

#if defined(TESSERA_STAND_IN)

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include <execinfo.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <csignal>

namespace tessera::detail::stand_in {

inline constexpr std::size_t page = 4096, reserved = std::size_t{1} << 40;

inline std::size_t whole_pages(std::size_t bytes) { return (std::max<std::size_t>(bytes, 1) + page - 1) / page * page; }
inline std::uintptr_t number(void const* address) { return reinterpret_cast<std::uintptr_t>(address); }

// One card for all threads of the process; their calls are serialized.
class card {
public:
  static card& the() {
    static card* const made = new card;  // never destroyed: arrays of static lifetime may outlive it
    return *made;
  }

  void* allocate(std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    std::size_t const whole = whole_pages(bytes);
    if (whole > limit_ || used_ > limit_ - whole || next_ + whole + page > end()) throw out_of_memory();
    std::uintptr_t const at =
        next_ + whole - (std::max<std::size_t>(bytes, 1) + 255) / 256 * 256;  // so that it ends with a page
    blocks_.emplace(next_, block{whole, at});
    next_ += whole + page;  // a page that is never accessible follows
    used_ += whole;
    void* const data = reinterpret_cast<void*>(at);
    touching([&] { std::memset(data, 0xff, bytes); });
    return data;
  }
  void release(void* data) {
    std::lock_guard const lock(mutex_);
    run_all();
    auto const found = block_of(number(data));
    if (found == blocks_.end() || found->second.given != number(data))
      throw std::logic_error("tessera: the stand-in card is given back memory that it has not lent.");
    used_ -= found->second.bytes;
    madvise(reinterpret_cast<void*>(found->first), found->second.bytes, MADV_DONTNEED);
    blocks_.erase(found);
  }
  void copy(void* to, void const* from, std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    run_all();
    touching([&] { std::memmove(to, from, bytes); });
  }
  void fence() {
    std::lock_guard const lock(mutex_);
    run_all();
  }
  void enqueue(queued launch) {
    std::lock_guard const lock(mutex_);
    queue_.push_back(std::move(launch));
    if (queue_.size() >= most_queued) run_all();
  }
  bool owns(void const* address) const { return number(address) >= first_ && number(address) < end(); }
  std::size_t limit(std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    return std::exchange(limit_, bytes);
  }

private:
  static constexpr std::size_t most_queued = 4096;
  struct block {
    std::size_t bytes;
    std::uintptr_t given;  // what allocate returned
  };

  card() {
    void* const range = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) throw std::bad_alloc();
    first_ = number(range);
    next_ = first_ + page;
    struct sigaction action {};
    action.sa_sigaction = &touched;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &former_);
  }
  std::uintptr_t end() const { return first_ + reserved; }
  std::map<std::uintptr_t, block>::iterator block_of(std::uintptr_t address) {
    auto at = blocks_.upper_bound(address);
    if (at == blocks_.begin()) return blocks_.end();
    --at;
    return address < at->first + at->second.bytes ? at : blocks_.end();
  }

  // Runs `work`, which may access the card: each block is opened on its first access, and closed after the work.
  template <class Work>
  void touching(Work const& work) {
    struct turn {
      card& own;
      explicit turn(card& c) : own(c) { toucher() = true; }
      ~turn() {
        toucher() = false;
        for (auto const at : own.opened_)
          if (auto const b = own.blocks_.find(at); b != own.blocks_.end()) protect(*b, PROT_NONE);
        own.opened_.clear();
      }
    } const turn_of_this_thread(*this);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    work();
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  // Volatile: a signal handler reads it while the work runs.
  static bool volatile& toucher() {
    static thread_local bool volatile own = false;
    return own;
  }
  static void protect(std::pair<std::uintptr_t const, block> const& b, int how) {
    mprotect(reinterpret_cast<void*>(b.first), b.second.bytes, how);
  }
  void run_all() {
    while (!queue_.empty()) {
      queued const launch = std::move(queue_.front());
      queue_.pop_front();
      running_ = launch.label.c_str();
      backwards_ = !backwards_;
      touching([&] { run(launch); });
      running_ = nullptr;
    }
  }
  void run(queued const& launch) {
    void const* const kernel = launch.kernel.data();
    auto const each = [&](auto const& one) {
      for (std::int64_t k = 0; k < launch.count; ++k) one(backwards_ ? launch.count - 1 - k : k);
    };
    if (launch.threads == 0) return each([&](std::int64_t i) { launch.element(kernel, i); });
    alignas(64) static std::array<std::byte, most_scratch> scratch;
    each([&](std::int64_t team) {
      std::memset(scratch.data(), 0xff, launch.scratch);
      fibers::the().run(launch, team, backwards_, scratch.data());
    });
  }

  // The handler of SIGSEGV.
  static void touched(int, siginfo_t* info, void* state) {
    card& own = the();
    if (!own.owns(info->si_addr)) {  // not the card's: happens again, with the former handler
      sigaction(SIGSEGV, &own.former_, nullptr);
      return;
    }
    if (toucher())
      if (auto const found = own.block_of(number(info->si_addr)); found != own.blocks_.end()) {
        protect(*found, PROT_READ | PROT_WRITE);
        own.opened_.push_back(found->first);
        return;
      }
    bool writes = false;
#if defined(__x86_64__)
    writes = (static_cast<ucontext_t*>(state)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    static_cast<void>(state);
#endif
    char const* const does = writes ? "writes" : "reads";
    if (toucher() && own.running_)
      std::fprintf(stderr, "tessera: kernel '%s' %s address %p of the card, where nothing is allocated.\n",
                   own.running_, does, info->si_addr);
    else if (toucher())
      std::fprintf(stderr, "tessera: a copy %s address %p of the card, where nothing is allocated.\n", does,
                   info->si_addr);
    else
      std::fprintf(
          stderr,
          "tessera: host code %s address %p, which is the card's. Fix: copy it with device_get or copy_bytes, or "
          "let a kernel do it.\n",
          does, info->si_addr);
    void* calls[48];
    backtrace_symbols_fd(calls, backtrace(calls, 48), 2);
    std::abort();
  }

  std::recursive_mutex mutex_;
  std::uintptr_t first_ = 0, next_ = 0;
  std::size_t used_ = 0, limit_ = std::size_t{4} << 30;
  std::map<std::uintptr_t, block> blocks_;
  std::vector<std::uintptr_t> opened_;
  std::deque<queued> queue_;
  char const* running_ = nullptr;
  bool backwards_ = true;
  struct sigaction former_ {};
};

// Whether this word, read as an address, points to memory of the host.
inline bool is_of_host(std::uint64_t word) {
  if (word < (std::uint64_t{1} << 32) || word >= (std::uint64_t{1} << 47)) return false;
  void* const at = reinterpret_cast<void*>(word / page * page);
  if (card::the().owns(at)) return false;
  unsigned char there = 0;
  return mincore(at, page, &there) == 0;
}
inline void require_no_host_address(std::string const& label, kernel_bytes const& kernel) {
  for (std::size_t at = 0; at + 8 <= kernel.searched.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, kernel.searched.data() + at, 8);
#if !__has_builtin(__builtin_clear_padding)
    if (word % 4 != 0) continue;  // a small value beside padding, which may hold what was there before
#endif
    if (!is_of_host(word)) continue;
    std::fprintf(
        stderr,
        "tessera: kernel '%s' holds an address of the host, %#llx, at byte %zu of %zu. Fix: what a kernel reads lies "
        "in the card's memory or in the kernel.\n",
        label.c_str(), static_cast<unsigned long long>(word), at, kernel.size);
    void* calls[48];
    backtrace_symbols_fd(calls, backtrace(calls, 48), 2);
    std::abort();
  }
}
inline queued copy_of(std::string const& label, kernel_bytes const& kernel, std::int64_t count) {
  require_no_host_address(label, kernel);
  queued made;
  made.label = label;
  made.kernel.resize((kernel.size + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  std::memcpy(made.kernel.data(), kernel.data, kernel.size);
  made.count = count;
  return made;
}

TESSERA_ENGINE void* allocate(std::size_t bytes) { return card::the().allocate(bytes); }
TESSERA_ENGINE void release(void* data) { card::the().release(data); }
TESSERA_ENGINE void copy_in(void* to, void const* from, std::size_t bytes) {
  if (bytes > 0 && (!owns(to) || owns(from)))
    throw std::logic_error("tessera: a copy from the host to the card: an address is on the wrong side.");
  card::the().copy(to, from, bytes);
}
TESSERA_ENGINE void copy_out(void* to, void const* from, std::size_t bytes) {
  if (bytes > 0 && (owns(to) || !owns(from)))
    throw std::logic_error("tessera: a copy from the card to the host: an address is on the wrong side.");
  card::the().copy(to, from, bytes);
}
TESSERA_ENGINE void move(void* to, void const* from, std::size_t bytes) {
  struct move_all {
    std::byte* to;
    std::byte const* from;
    std::size_t bytes;
  };
  move_all const all{static_cast<std::byte*>(to), static_cast<std::byte const*>(from), bytes};
  enqueue("a copy", {&all, sizeof all, std::as_bytes(std::span(&all, 1))}, 1, [](void const* kernel, std::int64_t) {
    auto const& m = *static_cast<move_all const*>(kernel);
    std::memmove(m.to, m.from, m.bytes);
  });
}
TESSERA_ENGINE void fence() { card::the().fence(); }
TESSERA_ENGINE bool owns(void const* address) { return card::the().owns(address); }
TESSERA_ENGINE std::size_t limit(std::size_t bytes) { return card::the().limit(bytes); }
TESSERA_ENGINE void team_thread::barrier() const { fibers::the().wait(); }

TESSERA_ENGINE void enqueue(std::string const& label, kernel_bytes const& kernel, std::int64_t count,
                            element_function run) {
  auto launch = copy_of(label, kernel, count);
  launch.element = run;
  card::the().enqueue(std::move(launch));
}
TESSERA_ENGINE void enqueue_teams(std::string const& label, kernel_bytes const& kernel, std::int64_t teams, int threads,
                                  std::size_t scratch, team_function run) {
  if (threads < 1 || threads > most_threads || scratch > most_scratch)
    throw std::invalid_argument("tessera: kernel '" + label + "' wants " + std::to_string(threads) + " threads and " +
                                std::to_string(scratch) + " bytes of scratch a team; a card has 1024 and 49152.");
  auto launch = copy_of(label, kernel, teams);
  launch.threads = threads;
  launch.scratch = scratch;
  launch.team = run;
  card::the().enqueue(std::move(launch));
}

}  // namespace tessera::detail::stand_in

#endif
