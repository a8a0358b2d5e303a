// SPDX-License-Identifier: Apache-2.0
#pragma once
// The process' execution state: starts and stops Kokkos, decides how many devices are simulated.

#include <tessera/exec/device/device.hpp>
#include <tessera/exec/device/space.hpp>
#include <tessera/exec/memory/buffer.hpp>
#include <tessera/exec/product/cblas.hpp>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <stdlib.h>

namespace tessera {

namespace detail {

// While it lives, OMP_PROC_BIND is false unless the user has said how threads are bound: what OpenMP does anyway, said so
// that Kokkos does not ask for it as it starts. Bound threads of two programs would share cores while others idle.
class unbound_threads {
public:
  unbound_threads() {
    for (char const* said : {name, "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"})
      if (std::getenv(said)) return;
    ours_ = setenv(name, "false", 1) == 0;
  }
  ~unbound_threads() {
    if (ours_) unsetenv(name);
  }
  unbound_threads(unbound_threads const&) = delete;
  unbound_threads& operator=(unbound_threads const&) = delete;

private:
  static constexpr char const* name = "OMP_PROC_BIND";
  bool ours_ = false;
};

inline int devices_from_environment(int otherwise) {
  char const* text = std::getenv("TESSERA_DEVICES");
  if (!text || !*text) return otherwise;
  int count = 0;
  auto const [end, error] = std::from_chars(text, text + std::strlen(text), count);
  if (error != std::errc{} || *end || count < 1)
    throw std::invalid_argument(std::string("tessera: TESSERA_DEVICES is '") + text +
                                "'. Fix: a positive whole number of devices.");
  return count;
}

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

// The devices of this process. Without a runtime object: 8, or what TESSERA_DEVICES says.
inline std::vector<device> const& local_devices() { return detail::device_list(); }

// The first device: where arrays without a mesh live unless told otherwise.
inline device const& default_device() { return local_devices().front(); }
inline int device_count() { return static_cast<int>(local_devices().size()); }
// There is one process, and all devices are its own.
inline int local_device_count() { return device_count(); }
inline int process_count() { return 1; }
inline int process_index() { return 0; }
inline std::string_view default_backend() { return platform_name; }
// The devices of a platform: devices("cpu"), devices("gpu"). Throws when this build runs on another one.
inline std::vector<device> const& devices(std::string_view platform = platform_name) {
  if (platform != platform_name)
    throw std::invalid_argument("tessera: no platform '" + std::string(platform) + "' in this build, which runs on '" +
                                platform_name + "'. Fix: build against a Kokkos for it.");
  return local_devices();
}

// Created first in main. A Kokkos that is already running is used and left running.
class runtime {
public:
  runtime(int& argc, char** argv) : runtime(argc, argv, 0) {}
  // device_count 0: 8, or what TESSERA_DEVICES says.
  runtime(int& argc, char** argv, int device_count) : owns_kokkos_(!Kokkos::is_initialized()) {
    if (device_count < 0) throw std::invalid_argument("tessera: a runtime has at least one device.");
    detail::device_list(device_count);
    if (owns_kokkos_) {
      detail::unbound_threads const threads;
      Kokkos::initialize(argc, argv);
    }
    single_threaded_blas();
  }
  runtime(runtime const&) = delete;
  runtime& operator=(runtime const&) = delete;
  ~runtime() {
    release_unused_memory();
    if (owns_kokkos_) Kokkos::finalize();
  }

  std::vector<device> const& devices() const { return local_devices(); }

private:
  bool owns_kokkos_;
};

}  // namespace tessera
