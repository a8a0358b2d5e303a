// SPDX-License-Identifier: Apache-2.0
#pragma once
// The process' execution state: starts and stops Kokkos, joins the run's processes, decides how many devices are
// simulated. Source: JAX jax.devices, jax.process_index, jax.distributed.initialize.

#include <tessera/exec/device/device.hpp>
#include <tessera/exec/device/platform.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace tessera {

// The devices of this process: its part of 8, or of what TESSERA_DEVICES says, which counts those of all processes.
std::vector<device> const& local_devices();

// The first device: where arrays without a mesh live unless told otherwise.
inline device const& default_device() { return local_devices().front(); }
inline int local_device_count() { return static_cast<int>(local_devices().size()); }
// The processes of the run, and which of them this is. One unless a runtime has joined several.
int process_count();
int process_index();
inline std::string_view default_backend() { return platform_name; }
// The devices of all processes, of a platform: devices("cpu"), devices("gpu"). Throws when this build runs on another one.
std::vector<device> const& devices(std::string_view platform = platform_name);
inline int device_count() { return static_cast<int>(devices().size()); }

class channel;  // comm/channel/channel.hpp

namespace detail {
// Throws where this process cannot have a runtime: what the environment says is wrong, or it had one.
void check_start(int argc, char const* const* argv);
// Null: this process is alone.
#ifdef TESSERA_MPI
std::shared_ptr<channel> processes_of_run(int& argc, char** argv);  // comm/mpi.hpp
#else
inline std::shared_ptr<channel> processes_of_run(int&, char**) { return nullptr; }
#endif
}  // namespace detail

// Created first in main, once: Kokkos cannot be started again, and a second one throws std::logic_error. A setting of the
// environment that cannot be (docs/settings.md) throws std::invalid_argument before any other process is waited for. Linked to tessera::mpi and started by mpiexec or srun, it joins the processes of the run.
// A Kokkos that is already running is used and left running.
class runtime {
public:
  runtime(int& argc, char** argv) : runtime(argc, argv, 0) {}
  // device_count: of all processes together; 0: 8, or what TESSERA_DEVICES says. Throws where they do not divide it.
  runtime(int& argc, char** argv, int device_count)
      : runtime(argc, argv, (detail::check_start(argc, argv), detail::processes_of_run(argc, argv)), device_count) {}
  // The processes that a channel joins (comm/mpi.hpp: those of an MPI_Comm).
  runtime(int& argc, char** argv, std::shared_ptr<channel> processes, int device_count = 0);
  runtime(runtime const&) = delete;
  runtime& operator=(runtime const&) = delete;
  ~runtime();

  // Those of all processes.
  std::vector<device> const& devices() const { return tessera::devices(); }

private:
  bool owns_kokkos_;
  bool joined_;
};

}  // namespace tessera

#ifdef TESSERA_MPI
#include <tessera/comm/mpi.hpp>
#endif
