// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists the devices of the process; starts and stops Kokkos.

#include <tessera/base/settings.hpp>
#include <tessera/comm/channel/data_channel.hpp>
#include <tessera/comm/timeline/timeline.hpp>
#include <tessera/comm/world/world.hpp>
#include <tessera/engine/exec/device/thread_binding.hpp>
#include <tessera/engine/exec/product/cblas.hpp>
#include <tessera/exec/device/machine.hpp>
#include <tessera/exec/device/runtime.hpp>
#include <tessera/exec/memory/buffer.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>

#include <unistd.h>

namespace tessera {

namespace detail {

#if defined(KOKKOS_ENABLE_OPENMP)
inline constexpr int most_threads = Kokkos::Impl::OpenMPTraits::MAX_THREAD_COUNT;
#else
inline constexpr int most_threads = 0;
#endif

TESSERA_ENGINE void check_start(int argc, char const* const* argv) {
  check_settings();
  if (Kokkos::is_finalized())
    throw std::logic_error(
        "tessera: a runtime of this process has ended, or Kokkos was finalized otherwise, and it cannot be started "
        "again. Fix: one runtime, created first in main, that lives as long as the program.");
  if (!Kokkos::is_initialized()) check_threads(most_threads, argc, argv);
}

// All devices of the run, and those of this process: consecutive ones, the same number for each process.
struct device_lists {
  std::vector<device> all, local;

  TESSERA_COLD device_lists(int count, int processes, int me) {
    if (count % processes != 0)
      throw std::invalid_argument(
          "tessera: " + std::to_string(count) + " devices do not divide into " + std::to_string(processes) +
          " processes. Fix: TESSERA_DEVICES, or runtime's device_count, a multiple of the number "
          "of processes: it counts the devices of all of them.");
    int const each = count / processes;
    for (int i = 0; i < count; ++i) {
      all.push_back({i, platform_name, i / each});
      if (i / each == me) local.push_back(all.back());
    }
  }
};

TESSERA_COLD inline device_lists lists_of(int wanted) {
  auto const& processes = world();
  int const size = processes ? processes->size() : 1;
  int const count = wanted ? wanted : devices_setting((8 + size - 1) / size * size);  // default: 8, rounded up
  return {count, size, processes ? processes->rank() : 0};
}

// Processes on one host divide its cores among themselves, unless a number of threads is set or the process may run on
// some cores only.
TESSERA_COLD inline void share_cores() {
  auto const& all = world();
  for (char const* said : {"OMP_NUM_THREADS", "KOKKOS_NUM_THREADS"})
    if (std::getenv(said)) return;
  int const cores = this_machine().cores;
  if (most_threads > 0 && cores > most_threads)
    setenv("KOKKOS_NUM_THREADS", std::to_string(most_threads).c_str(), 1);  // Kokkos' limit
  if (!all || cores < static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))) return;
  int here = 0;
  for (int r = 0; r < all->size(); ++r) here += all->host(r) == all->host(all->rank());
  setenv("KOKKOS_NUM_THREADS", std::to_string(std::max(1, cores / here)).c_str(), 1);
  if (cores < here) setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);  // Kokkos would warn in each process
}

// Made on the first call, with `wanted` devices unless that is 0, and never changed, since meshes and arrays refer to
// the list. A thread that is a rank has its own list.
inline device_lists const& devices_of_run(int wanted = 0) {
  if (world_of_thread()) {
    static thread_local std::map<channel const*, device_lists> of_rank;
    return of_rank.try_emplace(world().get(), lists_of(wanted)).first->second;
  }
  static device_lists const made = lists_of(wanted);
  if (wanted != 0 && wanted != static_cast<int>(made.all.size()))
    throw std::logic_error("tessera: this run has " + std::to_string(made.all.size()) +
                           " devices already, and a runtime asks for " + std::to_string(wanted) +
                           ". Fix: one runtime, created first in main.");
  return made;
}

}  // namespace detail

TESSERA_ENGINE std::vector<device> const& local_devices() { return detail::devices_of_run().local; }
TESSERA_ENGINE int process_count() { return detail::world() ? detail::world()->size() : 1; }
TESSERA_ENGINE int process_index() { return detail::world() ? detail::world()->rank() : 0; }

TESSERA_ENGINE std::vector<device> const& devices(std::string_view platform) {
  if (platform != platform_name)
    throw std::invalid_argument("tessera: no platform '" + std::string(platform) + "' in this build, which runs on '" +
                                platform_name + "'. Fix: build against a Kokkos for it.");
  return detail::devices_of_run().all;
}

TESSERA_ENGINE runtime::runtime(int& argc, char** argv, std::shared_ptr<channel> processes, int device_count)
    : owns_kokkos_(!Kokkos::is_initialized()), joined_(processes && processes->size() > 1) {
  detail::check_start(argc, argv);
  if (device_count < 0 || device_count > detail::most_devices)
    throw std::invalid_argument("tessera: a runtime has at least one device, and at most " +
                                std::to_string(detail::most_devices) + '.');
  if (joined_) detail::join_world(std::move(processes));
  detail::devices_of_run(device_count);
  if (owns_kokkos_) {
    detail::unbound_threads const threads;
    detail::share_cores();
    Kokkos::initialize(argc, argv);
  }
  single_threaded_blas();
}
TESSERA_ENGINE runtime::~runtime() {
  detail::finish_timeline(detail::world().get());
  release_unused_memory();
  detail::drop_data_channels();
  if (owns_kokkos_) Kokkos::finalize();
  if (joined_) detail::join_world(nullptr);
}

}  // namespace tessera
