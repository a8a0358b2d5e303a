// SPDX-License-Identifier: Apache-2.0
#pragma once
// The process' devices, Kokkos started and stopped: the definitions of runtime.hpp.

#include <tessera/exec/device/environment.hpp>
#include <tessera/exec/device/runtime.hpp>
#include <tessera/exec/memory/buffer.hpp>
#include <tessera/exec/product/cblas.hpp>

#include <Kokkos_Core.hpp>

namespace tessera {

namespace detail {

inline std::vector<device> numbered_devices(int count) {
  std::vector<device> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = {i, platform_name};
  return all;
}

// Of the process: made when first asked for, with `wanted` devices where that is not 0, and never changed, since meshes
// and arrays refer to it.
inline std::vector<device> const& device_list(int wanted = 0) {
  static std::vector<device> const all = numbered_devices(wanted ? wanted : devices_from_environment(8));
  if (wanted != 0 && wanted != static_cast<int>(all.size()))
    throw std::logic_error("tessera: this process has " + std::to_string(all.size()) +
                           " devices already, and a runtime asks for " + std::to_string(wanted) +
                           ". Fix: one runtime, created first in main.");
  return all;
}

}  // namespace detail

TESSERA_ENGINE std::vector<device> const& local_devices() { return detail::device_list(); }

TESSERA_ENGINE std::vector<device> const& devices(std::string_view platform) {
  if (platform != platform_name)
    throw std::invalid_argument("tessera: no platform '" + std::string(platform) + "' in this build, which runs on '" +
                                platform_name + "'. Fix: build against a Kokkos for it.");
  return local_devices();
}

TESSERA_ENGINE runtime::runtime(int& argc, char** argv, int device_count) : owns_kokkos_(!Kokkos::is_initialized()) {
  if (device_count < 0) throw std::invalid_argument("tessera: a runtime has at least one device.");
  detail::device_list(device_count);
  if (owns_kokkos_) {
    detail::unbound_threads const threads;
    Kokkos::initialize(argc, argv);
  }
  single_threaded_blas();
}
TESSERA_ENGINE runtime::~runtime() {
  release_unused_memory();
  if (owns_kokkos_) Kokkos::finalize();
}

}  // namespace tessera
