// SPDX-License-Identifier: Apache-2.0
#pragma once
// One launch of the host: tiles 0..n-1 of some work, through one Kokkos functor for all kinds of work.
// A new kind of work, or a new fused program, is a new function behind a pointer: no new Kokkos instantiation.

#include <tessera/base/config.hpp>
#include <tessera/exec/counters.hpp>
#include <tessera/exec/space.hpp>
#include <tessera/graph/op_info.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tessera {

namespace detail {

struct tile_job {
  tile_function run;
  void const* work;
  std::byte* const* frame;
  void operator()(std::int64_t tile) const { run(work, frame, tile); }
};

// Below this many bytes of work a parallel region costs more than it gives. Thread sanitizer sees threads at any size.
inline constexpr std::int64_t inline_bytes = TESSERA_THREAD_SANITIZER ? 0 : 64 * 1024;

// A region of Kokkos Tools, when one is loaded.
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

// A std::string label is made once, where work is bound: Kokkos Tools see it. Blocks until all tiles are done.
inline void launch_tiles(std::string const& label, tile_job const& job, std::int64_t tiles, std::int64_t bytes) {
  if (tiles <= 0) return;
  if (tiles == 1 || bytes < inline_bytes) {
    launch_counters.inlined.fetch_add(1, std::memory_order_relaxed);
    watched_region const watched(label);
    for (std::int64_t tile = 0; tile < tiles; ++tile) job.run(job.work, job.frame, tile);
    return;
  }
  launch_counters.launches.fetch_add(1, std::memory_order_relaxed);
  using host = Kokkos::DefaultHostExecutionSpace;
  using range = Kokkos::RangePolicy<host, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, range(0, tiles), job);
}

}  // namespace detail

}  // namespace tessera
