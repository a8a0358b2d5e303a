// SPDX-License-Identifier: Apache-2.0
#pragma once
// One launch on the host: tiles 0..n-1 of some work, on the threads of exec/device/host_team.hpp. A new kind of work,
// or a new fused program, is a new function behind a pointer.

#include <tessera/base/config.hpp>
#include <tessera/exec/device/host_team.hpp>
#include <tessera/exec/device/launch_counters.hpp>
#include <tessera/exec/device/space.hpp>
#include <tessera/exec/device/under_way.hpp>
#include <tessera/graph/op_info.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>

namespace tessera {

namespace detail {

struct tile_job {
  tile_function run;
  void const* work;
  std::byte* const* frame;
};

// An exception of a tile is rethrown by the launch, since it must not leave a parallel region. The first one is kept;
// tiles that begin after it are skipped.
class tile_failure {
public:
  void catch_one() noexcept {
    std::lock_guard const lock(mutex_);
    if (!first_) first_ = std::current_exception();
    failed_.store(true, std::memory_order_relaxed);
  }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

private:
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr first_;
};
struct caught_tile_job {
  tile_job job;
  tile_failure* failure;
  void operator()(std::int64_t tile) const {
    if (failure->failed()) return;
    try {
      job.run(job.work, job.frame, tile);
      under_way::progress_between_tiles();
    } catch (...) {
      failure->catch_one();
    }
  }
};

// Below this many bytes of work a parallel region costs more than it gains. With thread sanitizer, work of any size
// uses threads.
inline constexpr std::int64_t inline_bytes = TESSERA_THREAD_SANITIZER ? 0 : 64 * 1024;

// Reports a kernel to Kokkos Tools, if such a tool is loaded.
class watched_kernel {
public:
  explicit watched_kernel(std::string const& label) : on_(Kokkos::Profiling::profileLibraryLoaded()) {
    if (on_) Kokkos::Profiling::beginParallelFor(label, 0, &id_);
  }
  watched_kernel(watched_kernel const&) = delete;
  watched_kernel& operator=(watched_kernel const&) = delete;
  ~watched_kernel() {
    if (on_) Kokkos::Profiling::endParallelFor(id_);
  }

private:
  bool on_;
  std::uint64_t id_ = 0;
};

// Reports a region to Kokkos Tools, if such a tool is loaded.
class watched_region {
public:
  explicit watched_region(std::string const& label) : on_(Kokkos::Profiling::profileLibraryLoaded()) {
    if (on_) Kokkos::Profiling::pushRegion(label);
  }
  watched_region(watched_region const&) = delete;
  watched_region& operator=(watched_region const&) = delete;
  ~watched_region() {
    if (on_) Kokkos::Profiling::popRegion();
  }

private:
  bool on_;
};

// Returns when all tiles are done. `label` is for Kokkos Tools and is created once, when the work is bound.
inline void launch_tiles(std::string const& label, tile_job const& job, std::int64_t tiles, std::int64_t bytes) {
  if (tiles <= 0) return;
  if (tiles == 1 || bytes < inline_bytes) {
    launch_counters.inlined.fetch_add(1, std::memory_order_relaxed);
    watched_region const watched(label);
    for (std::int64_t tile = 0; tile < tiles; ++tile) job.run(job.work, job.frame, tile);
    return;
  }
  launch_counters.launches.fetch_add(1, std::memory_order_relaxed);
  tile_failure failure;
  caught_tile_job const caught{job, &failure};
  {
    watched_kernel const watched(label);
    auto const call = [](void const* work, std::int64_t tile) { (*static_cast<caught_tile_job const*>(work))(tile); };
    team().run(call, &caught, tiles);
  }
  failure.rethrow();
}

}  // namespace detail

}  // namespace tessera
