// SPDX-License-Identifier: Apache-2.0
#pragma once
// The process' execution state: starts and stops Kokkos, decides how many devices are simulated.

#include <tessera/exec/device/device.hpp>
#include <tessera/exec/device/platform.hpp>

#include <string_view>
#include <vector>

namespace tessera {

// The devices of this process. Without a runtime object: 8, or what TESSERA_DEVICES says.
std::vector<device> const& local_devices();

// The first device: where arrays without a mesh live unless told otherwise.
inline device const& default_device() { return local_devices().front(); }
inline int device_count() { return static_cast<int>(local_devices().size()); }
// There is one process, and all devices are its own.
inline int local_device_count() { return device_count(); }
inline int process_count() { return 1; }
inline int process_index() { return 0; }
inline std::string_view default_backend() { return platform_name; }
// The devices of a platform: devices("cpu"), devices("gpu"). Throws when this build runs on another one.
std::vector<device> const& devices(std::string_view platform = platform_name);

// Created first in main. A Kokkos that is already running is used and left running.
class runtime {
public:
  runtime(int& argc, char** argv) : runtime(argc, argv, 0) {}
  // device_count 0: 8, or what TESSERA_DEVICES says.
  runtime(int& argc, char** argv, int device_count);
  runtime(runtime const&) = delete;
  runtime& operator=(runtime const&) = delete;
  ~runtime();

  std::vector<device> const& devices() const { return local_devices(); }

private:
  bool owns_kokkos_;
};

}  // namespace tessera

#ifndef TESSERA_SEPARATE_ENGINE
#include <tessera/exec/run/start.hpp>
#endif
