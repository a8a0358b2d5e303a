// SPDX-License-Identifier: Apache-2.0
#pragma once
// The threads that run the tiles of a launch: the calling thread and helpers, together as many as the threads of
// Kokkos' host space. A launch ends when its tiles are done, not when all threads have joined it: on a busy machine the
// others take the tiles of a thread that waits for a core. Each thread begins with its own part, the same in each
// launch of as many tiles, so that data stays in its caches and on its NUMA node. It then helps with the next parts.

#include <tessera/base/config.hpp>
#include <tessera/exec/device/space.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace tessera::detail {

inline void pause_briefly() {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
  asm volatile("yield");
#endif
}

class host_team {
public:
  using tile_call = void (*)(void const* work, std::int64_t tile);

  // Each helper is bound to the cores that OpenMP gave to the Kokkos thread of the same number.
  explicit host_team(int threads) : parts_(threads < 1 ? 1 : threads) {
    char const* const policy = std::getenv("OMP_WAIT_POLICY");
    if (policy && (policy[0] == 'p' || policy[0] == 'P')) spins_ = 0;
    place_threads();
    for (std::size_t t = 1; t < parts_.size(); ++t) helpers_.emplace_back([this, t] { help(t); });
    while (ready_.load() != helpers_.size()) std::this_thread::yield();
  }
  host_team(host_team const&) = delete;
  host_team& operator=(host_team const&) = delete;
  ~host_team() {
    stop_.store(true);
    wake();
    for (auto& helper : helpers_) helper.join();
  }

  // Calls call(work, t) for each tile t. A launch from inside a tile, or while another thread launches, runs on the
  // calling thread.
  void run(tile_call call, void const* work, std::int64_t tiles) {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (inside_ || helpers_.empty() || !lock.try_lock()) {
      for (std::int64_t tile = 0; tile < tiles; ++tile) call(work, tile);
      return;
    }
    auto const count = static_cast<std::int64_t>(parts_.size());
    for (std::int64_t t = 0; t < count; ++t) {
      part& own = parts_[t];
      own.end = tiles * (t + 1) / count;
      own.next.store(tiles * t / count, std::memory_order_relaxed);
    }
    call_ = call;
    work_ = work;
    open_.store(true);
    wake();
    work_on(0);
    open_.store(false);
    for (int n = 0; present_.load() != 0; ++n) {
      if (n < 2000)
        pause_briefly();
      else
        std::this_thread::yield();
    }
  }

private:
  struct alignas(64) part {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };

  void wake() {
    launch_.fetch_add(1);
    if (asleep_.load() > 0) launch_.notify_all();
  }
  void work_on(std::size_t first) {
    inside_ = true;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      part& at = parts_[(first + k) % parts_.size()];
      while (at.next.load(std::memory_order_relaxed) < at.end) {
        std::int64_t const tile = at.next.fetch_add(1, std::memory_order_relaxed);
        if (tile >= at.end) break;
        call_(work_, tile);
      }
    }
    inside_ = false;
  }
  // Touches the pages of the helper's stack before the first launch, so that a warm call has no page faults.
  TESSERA_NOINLINE static void touch_stack() {
    volatile char pages[128 * 1024];
    for (std::size_t i = 0; i < sizeof(pages); i += 4096) pages[i] = 0;
  }
  void help(std::size_t own) {
    bind(own);
    touch_stack();
    ready_.fetch_add(1);
    for (unsigned seen = 0;;) {
      for (int n = 0; n < spins_ && launch_.load(std::memory_order_relaxed) == seen; ++n) pause_briefly();
      if (launch_.load() == seen) {
        asleep_.fetch_add(1);
        launch_.wait(seen);
        asleep_.fetch_sub(1);
      }
      seen = launch_.load();
      if (stop_.load()) return;
      // The caller waits for the helpers that were present before it closed the launch; later ones see that it is
      // closed.
      present_.fetch_add(1);
      if (open_.load()) work_on(own);
      present_.fetch_sub(1);
    }
  }

#if defined(__linux__)
  void place_threads() {
    places_.resize(parts_.size());
    using host = Kokkos::DefaultHostExecutionSpace;
    Kokkos::parallel_for("tessera places", Kokkos::RangePolicy<host>(0, static_cast<int>(parts_.size())),
                         [this](int t) { sched_getaffinity(0, sizeof(cpu_set_t), &places_[t].cores); });
  }
  void bind(std::size_t own) const { pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), &places_[own].cores); }
  struct place {  // nvcc 13 cannot compile a vector of cpu_set_t, an unnamed type
    cpu_set_t cores;
  };
  std::vector<place> places_;
#else
  void place_threads() {}
  void bind(std::size_t) const {}
#endif

  inline static thread_local bool inside_ = false;
  std::vector<part> parts_;
  std::vector<std::thread> helpers_;
  std::mutex mutex_;
  int spins_ = 5000;
  tile_call call_ = nullptr;
  void const* work_ = nullptr;
  alignas(64) std::atomic<unsigned> launch_{0};
  alignas(64) std::atomic<bool> open_{false};
  std::atomic<bool> stop_{false};
  alignas(64) std::atomic<int> present_{0};
  std::atomic<int> asleep_{0};
  std::atomic<std::size_t> ready_{0};
};

// The team of this process, created by its first launch.
inline host_team& team() {
  static host_team all(Kokkos::DefaultHostExecutionSpace().concurrency());
  return all;
}

}  // namespace tessera::detail
